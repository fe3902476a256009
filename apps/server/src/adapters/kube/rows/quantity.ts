const units: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

const form = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?)$/

/** Kubernetes itself caps larger ones at this. */
const largest = 2 ** 63
/** No valid quantity is longer; a backtracking pattern over megabytes would block all other calls. */
const longest = 100

/**
 * Parses a Kubernetes quantity (`100m`, `1.5Gi`, `2e3`), capped at Kubernetes' own maximum; undefined if the value is
 * not one, whatever its type.
 */
export function quantity(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length > longest) return undefined
  const found = form.exec(text)
  if (!found) return undefined
  const [, digits = '', exponent = '', suffix = ''] = found
  const amount = exponent ? Number(digits + exponent) : Number(digits) * (units[suffix] ?? 1)
  return Math.max(-largest, Math.min(largest, amount))
}

/** CPU in thousandths of a core, rounded up like the scheduler's; 0 if there is none. */
export const milliCores = (value: unknown): number => Math.ceil(round((quantity(value) ?? 0) * 1000))

/** Memory and storage in bytes, rounded up; 0 if there is none. */
export const bytes = (value: unknown): number => Math.ceil(round(quantity(value) ?? 0))

/** A count, such as of pods: an integer, so that sums are integers too. */
export const pieces = (value: unknown): number => Math.min(2 ** 31 - 1, bytes(value))

/** Removes binary remainders of decimal fractions: 0.29 * 1000 is 290. */
const round = (value: number): number => Number(value.toPrecision(15))
