/** SemVer with or without a leading v; minor and patch may be missing, as helm accepts it. */
const pattern =
  /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]{1,100})?$/

export const isVersion = (text: string): boolean => text.length <= 128 && pattern.test(text)

export const isPreRelease = (version: string): boolean => pattern.exec(version)?.[4] !== undefined

function comparePart(a: string, b: string): number {
  const [digitsA, digitsB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (digitsA && digitsB) return Number(a) - Number(b)
  // numbers come before other identifiers
  if (digitsA !== digitsB) return digitsA ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

function comparePreReleases(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  // a release comes after its pre-releases
  if (a === undefined) return 1
  if (b === undefined) return -1
  const [partsA, partsB] = [a.split('.'), b.split('.')]
  for (const [at, part] of partsA.entries()) {
    const other = partsB[at]
    if (other === undefined) return 1
    const order = comparePart(part, other)
    if (order !== 0) return order
  }
  return partsA.length - partsB.length
}

/** Compares in SemVer's order, from the oldest. */
export function compareVersions(a: string, b: string): number {
  const [partsA, partsB] = [pattern.exec(a), pattern.exec(b)]
  if (!partsA || !partsB) return a < b ? -1 : a > b ? 1 : 0
  for (const at of [1, 2, 3]) {
    const order = Number(partsA[at] ?? 0) - Number(partsB[at] ?? 0)
    if (order !== 0) return order
  }
  return comparePreReleases(partsA[4], partsB[4])
}
