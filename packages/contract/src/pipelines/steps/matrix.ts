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

interface Axis {
  /** How far apart two combinations are that differ in this axis' next value alone. */
  stride: number
  places: ReadonlyMap<string, number>
}

/** What stays of the combinations, by their numbers: one has the values' places as its digits, the last axis the lowest. */
interface Staying {
  count: number
  isOut: Uint8Array
}

/**
 * Leaves out what is excluded, without making a combination: each exclusion is marked on the numbers, of which there are
 * few. Loops write no more than these, because a definition has hundreds of matrices with a hundred exclusions each.
 */
function staying({ axes, exclude }: Axes): Staying {
  let count = countAll(axes)
  if (count > matrixLimits.combinations) throw new RangeError(`a matrix of ${count} combinations`)
  const isOut = new Uint8Array(count)
  const within = new Uint16Array(count)
  const lists = new Map<string, Axis>()
  let stride = count
  for (const [axis, values] of Object.entries(axes)) {
    stride /= values.length
    lists.set(axis, { stride, places: new Map(values.map((value, place) => [value, place])) })
  }
  const known = new Set<number>()
  for (const one of exclude) {
    let size = 1
    let key = 0
    let named = 0
    within[0] = 0
    for (const [axis, { stride: step, places }] of lists) {
      const length = places.size
      const place = Object.hasOwn(one, axis) ? places.get(one[axis] ?? '') : undefined
      key = key * (length + 1) + (place === undefined ? 0 : place + 1)
      if (place !== undefined) {
        named++
        for (let at = 0; at < size; at++) within[at] = (within[at] ?? 0) + place * step
        continue
      }
      for (let at = size; at < size * length; at++) within[at] = (within[at - size] ?? 0) + step
      size *= length
    }
    // what names an axis or a value that there is none of leaves nothing out
    if (named < Object.keys(one).length || known.has(key)) continue
    known.add(key)
    for (let at = 0; at < size; at++) {
      const number = within[at] ?? 0
      count -= 1 - (isOut[number] ?? 1)
      isOut[number] = 1
    }
  }
  return { count, isOut }
}

/** How many jobs a matrix makes; Infinity where the axes alone are beyond the limit. */
export const countCombinations = (matrix: Axes): number =>
  countAll(matrix.axes) > matrixLimits.combinations ? Infinity : staying(matrix).count

/** Every combination of the axes' values that is not excluded, the last axis changing first. */
export function combinations(matrix: Axes): Record<string, string>[] {
  const lists = Object.entries(matrix.axes).toReversed()
  const { isOut } = staying(matrix)
  return [...isOut.keys()].flatMap((number) => {
    if (isOut[number] === 1) return []
    let rest = number
    const chosen = lists.map(([axis, values]): [string, string] => {
      const value = values[rest % values.length] ?? ''
      rest = Math.floor(rest / values.length)
      return [axis, value]
    })
    return [Object.fromEntries(chosen.toReversed())]
  })
}
