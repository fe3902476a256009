/** The axes of a matrix and their values, by the axes' names; `exclude` names combinations that are left out. */
interface Axes {
  axes: Record<string, string[]>
  exclude: Record<string, string>[]
}

/** Every combination of the axes' values that is not excluded, the last axis changing first. */
export function combinations({ axes, exclude }: Axes): Record<string, string>[] {
  const all = Object.entries(axes).reduce<Record<string, string>[]>(
    (some, [axis, values]) => some.flatMap((one) => values.map((value) => ({ ...one, [axis]: value }))),
    [{}],
  )
  return all.filter(
    (one) => !exclude.some((left) => Object.entries(left).every(([axis, value]) => one[axis] === value)),
  )
}
