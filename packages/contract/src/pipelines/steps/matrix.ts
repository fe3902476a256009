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

/** As many ones, in binary digits. */
const ones = (digits: number): bigint => (1n << BigInt(digits)) - 1n

/**
 * Which combinations stay, as 1 and 0 by their numbers, the highest first: one has the values' places as its digits, the last axis the
 * lowest. Sets of combinations have a bit for each number, and no combination is made: a definition has hundreds of
 * matrices with a hundred exclusions each.
 */
function staying({ axes, exclude }: Axes): string {
  const count = countAll(axes)
  if (count > matrixLimits.combinations) throw new RangeError(`a matrix of ${count} combinations`)
  // an axis that has no values yet, while it is filled in
  if (count === 0) return ''
  const all = ones(count)
  /** By axis and value: the combinations that have it. */
  const having = new Map<string, Map<string, bigint>>()
  let stride = count
  for (const [axis, values] of Object.entries(axes)) {
    const period = stride
    stride /= values.length
    // as many combinations as one value has in a row, in each period once
    const first = ones(stride) * (all / ones(period))
    having.set(axis, new Map(values.map((value, place) => [value, first << BigInt(place * stride)])))
  }
  let out = 0n
  for (const one of exclude) {
    let excluded: bigint | undefined
    for (const [axis, value] of Object.entries(one)) {
      // What names an axis or a value that there is none of leaves nothing out.
      const set = having.get(axis)?.get(value) ?? 0n
      excluded = excluded === undefined ? set : excluded & set
    }
    out |= excluded ?? all
  }
  return (all ^ out).toString(2).padStart(count, '0')
}

/** Of matrices that were validated: each is counted for itself, and again with all of its definition. */
const legCounts = new WeakMap<Axes, number>()

/** How many jobs a matrix makes, which does not change any more; Infinity where the axes alone are beyond the limit. */
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
