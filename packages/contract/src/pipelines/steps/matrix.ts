/** The axes of a matrix and their values, by the axes' names; `exclude` names combinations to skip. */
interface Axes {
  axes: Record<string, string[]>
  exclude: Record<string, string>[]
}

/** The most combinations of the axes before exclusion, and the most jobs of a matrix. */
export const matrixLimits = { combinations: 1000, jobs: 100 }

/** The number of combinations before exclusion: the product of the axes' lengths. */
const countAll = (axes: Axes['axes']): number =>
  Object.values(axes).reduce((product, { length }) => product * length, 1)

/** A binary number of this many ones. */
const ones = (digits: number): bigint => (1n << BigInt(digits)) - 1n

/**
 * Which combinations are not excluded, as digits 1 and 0 by their numbers, the highest first. A combination's number
 * has the positions of its values as digits, the last axis the lowest. Sets of combinations are bit sets, and no
 * combination is built, because a definition may have hundreds of matrices with a hundred exclusions each.
 */
function staying({ axes, exclude }: Axes): string {
  const count = countAll(axes)
  if (count > matrixLimits.combinations) throw new RangeError(`a matrix of ${count} combinations`)
  // an axis without values, while it is being filled in
  if (count === 0) return ''
  const all = ones(count)
  /** The combinations with each value, by axis and value. */
  const having = new Map<string, Map<string, bigint>>()
  let stride = count
  for (const [axis, values] of Object.entries(axes)) {
    const period = stride
    stride /= values.length
    // a run of ones, as long as a value's run of combinations, once in each period
    const first = ones(stride) * (all / ones(period))
    having.set(axis, new Map(values.map((value, place) => [value, first << BigInt(place * stride)])))
  }
  let out = 0n
  for (const one of exclude) {
    let excluded: bigint | undefined
    for (const [axis, value] of Object.entries(one)) {
      // An unknown axis or value excludes nothing.
      const set = having.get(axis)?.get(value) ?? 0n
      excluded = excluded === undefined ? set : excluded & set
    }
    out |= excluded ?? all
  }
  return (all ^ out).toString(2).padStart(count, '0')
}

/** Caches the counts of validated matrices: each is counted by itself, and again with its whole definition. */
const legCounts = new WeakMap<Axes, number>()

/** The number of jobs of a matrix that does not change any more; Infinity if the axes alone exceed the limit. */
export function countCombinations(matrix: Axes): number {
  if (countAll(matrix.axes) > matrixLimits.combinations) return Infinity
  const known = legCounts.get(matrix)
  if (known !== undefined) return known
  const count = staying(matrix).split('1').length - 1
  legCounts.set(matrix, count)
  return count
}

/** Every combination of the axes' values that is not excluded, the last axis changing first. */
export function combinations(matrix: Axes): Record<string, string>[] {
  const lists = Object.entries(matrix.axes).toReversed()
  return [...staying(matrix)].toReversed().flatMap((stays, number) => {
    if (stays === '0') return []
    let rest = number
    const chosen = lists.map(([axis, values]): [string, string] => {
      const value = values[rest % values.length] ?? ''
      rest = Math.floor(rest / values.length)
      return [axis, value]
    })
    return [Object.fromEntries(chosen.toReversed())]
  })
}
