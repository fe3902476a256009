/** The axes of a matrix and their values, by the axes' names; `exclude` names combinations that are left out. */
interface Axes {
  axes: Record<string, string[]>
  exclude: Record<string, string>[]
}

/** Combinations that the axes may have before any is left out, and jobs that a matrix may make. */
export const matrixLimits = { combinations: 1000, jobs: 100 }

/** Combinations of the axes before any is left out: a product of lengths, whatever the values. */
const countAll = (axes: Axes['axes']): number =>
  Object.values(axes).reduce((product, { length }) => product * length, 1)

/**
 * The numbers of the combinations that are not excluded, in order: a number has the values' places as its digits, the
 * last axis the lowest, so that no combination is made to be counted. Axes beyond the limit are not looked into.
 */
function staying({ axes, exclude }: Axes): number[] {
  const count = countAll(axes)
  if (count > matrixLimits.combinations) throw new RangeError(`a matrix of ${count} combinations`)
  const isOut = new Uint8Array(count)
  const known = new Set<string>()
  for (const one of exclude) {
    const named = new Map(Object.entries(one))
    const digits = Object.entries(axes).map(([axis, values]) => {
      const value = named.get(axis)
      named.delete(axis)
      return { place: value === undefined ? undefined : values.indexOf(value), length: values.length }
    })
    const key = digits.map(({ place }) => place).join()
    // what names an axis or a value that there is none of leaves nothing out
    if (named.size > 0 || digits.some(({ place }) => place === -1) || known.has(key)) continue
    known.add(key)
    let numbers = [0]
    for (const { place, length } of digits)
      numbers =
        place === undefined
          ? numbers.flatMap((number) => Array.from({ length }, (_, at) => number * length + at))
          : numbers.map((number) => number * length + place)
    for (const number of numbers) isOut[number] = 1
  }
  return Array.from(isOut.keys()).filter((number) => isOut[number] === 0)
}

/** How many jobs a matrix makes; Infinity where the axes alone are beyond the limit. */
export const countCombinations = (matrix: Axes): number =>
  countAll(matrix.axes) > matrixLimits.combinations ? Infinity : staying(matrix).length

/** Every combination of the axes' values that is not excluded, the last axis changing first. */
export function combinations(matrix: Axes): Record<string, string>[] {
  const lists = Object.entries(matrix.axes).toReversed()
  return staying(matrix).map((number) => {
    let rest = number
    const chosen = lists.map(([axis, values]): [string, string] => {
      const value = values[rest % values.length] ?? ''
      rest = Math.floor(rest / values.length)
      return [axis, value]
    })
    return Object.fromEntries(chosen.toReversed())
  })
}
