/** Below zero where `a` comes first. Paging needs a total order: no two rows may compare as 0. */
export type Compare<T> = (a: T, b: T) => number

/** Compares by a text or a number of each row, texts by code unit. */
export const by =
  <T>(of: (row: T) => string | number): Compare<T> =>
  (a, b) => {
    const left = of(a)
    const right = of(b)
    return left < right ? -1 : left > right ? 1 : 0
  }

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** The end of the digits that begin at `from`. */
function digitsEnd(text: string, from: number): number {
  let end = from
  while (isDigit(text.charCodeAt(end))) end++
  return end
}

function firstNonZero(text: string, from: number, end: number): number {
  let at = from
  while (at < end && text.charCodeAt(at) === 48) at++
  return at
}

/** Compares as people count, `api-12` before `api-108`. Copies no names: pages of 30,000 rows are sorted by it. */
export function compareNames(a: string, b: string): number {
  let left = 0
  let right = 0
  while (left < a.length && right < b.length) {
    const one = a.charCodeAt(left)
    const other = b.charCodeAt(right)
    if (!isDigit(one) || !isDigit(other)) {
      if (one !== other) return one - other
      left++
      right++
      continue
    }
    const leftEnd = digitsEnd(a, left)
    const rightEnd = digitsEnd(b, right)
    left = firstNonZero(a, left, leftEnd)
    right = firstNonZero(b, right, rightEnd)
    if (leftEnd - left !== rightEnd - right) return leftEnd - left - (rightEnd - right)
    for (; left < leftEnd; left++, right++) {
      const difference = a.charCodeAt(left) - b.charCodeAt(right)
      if (difference !== 0) return difference
    }
  }
  // Only leading zeros may differ by now.
  return a.length - left - (b.length - right) || (a < b ? -1 : a > b ? 1 : 0)
}

/** Compares by a name of each row. */
export const byNameOf =
  <T>(of: (row: T) => string): Compare<T> =>
  (a, b) =>
    compareNames(of(a), of(b))

export const reversed =
  <T>(compare: Compare<T>): Compare<T> =>
  (a, b) =>
    compare(b, a)

/** Compares by the first, then, among equals, by the second. */
export const thenBy =
  <T>(first: Compare<T>, second: Compare<T>): Compare<T> =>
  (a, b) =>
    first(a, b) || second(a, b)

/**
 * Quickselect (Hoare): moves rows until the one at `at` is where sorting would put it, and all that sort before it are
 * in front of it.
 */
function settle<T>(rows: T[], compare: Compare<T>, from: number, at: number): void {
  let low = from
  let high = rows.length - 1
  const row = (index: number) => rows[index] as T
  while (low < high) {
    // Random, so that no arrangement of rows is always slow.
    const pivot = row(low + Math.floor(Math.random() * (high - low + 1)))
    let left = low
    let right = high
    while (left <= right) {
      while (compare(row(left), pivot) < 0) left++
      while (compare(row(right), pivot) > 0) right--
      if (left > right) break
      const moved = row(left)
      rows[left++] = row(right)
      rows[right--] = moved
    }
    if (at <= right) high = right
    else if (at >= left) low = left
    else return
  }
}

/** The first `count` rows in order: most rows are compared only once, with the last of those found so far. */
function first<T>(rows: readonly T[], compare: Compare<T>, count: number): T[] {
  const kept = rows.slice(0, count).sort(compare)
  for (let index = count; index < rows.length; index++) {
    const row = rows[index] as T
    if (compare(row, kept[count - 1] as T) >= 0) continue
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(row, kept[middle] as T) < 0) high = middle
      else low = middle + 1
    }
    kept.pop()
    kept.splice(low, 0, row)
  }
  return kept
}

/** Above this count, keeping a sorted list costs more than quickselect. */
const few = 200

/**
 * The rows from `from` up to, but not including, `to` in sorted order, without sorting the others: a page of 30,000
 * rows costs a few passes wherever it is. Reorders the given array.
 */
export function inOrder<T>(rows: T[], compare: Compare<T>, from: number, to: number): T[] {
  const end = Math.min(to, rows.length)
  if (from >= end) return []
  if (end <= few) return first(rows, compare, end).slice(from)
  if (from > 0) settle(rows, compare, 0, from)
  if (end < rows.length) settle(rows, compare, from, end - 1)
  return rows.slice(from, end).sort(compare)
}
