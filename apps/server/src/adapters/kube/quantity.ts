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

/** A Kubernetes quantity (`100m`, `1.5Gi`, `2e3`) as a number of its unit; undefined where it is none. */
export function quantity(text: string | number | undefined): number | undefined {
  const found = form.exec(String(text ?? ''))
  if (!found) return undefined
  const [, digits = '', exponent = '', suffix = ''] = found
  return exponent ? Number(digits + exponent) : Number(digits) * (units[suffix] ?? 1)
}

/** CPU in thousandths of a core, rounded up as the scheduler does; 0 where there is none. */
export const milliCores = (text: string | undefined): number => Math.ceil(round((quantity(text) ?? 0) * 1000))

/** Memory and storage in bytes, rounded up; 0 where there is none. */
export const bytes = (text: string | undefined): number => Math.ceil(round(quantity(text) ?? 0))

/** Binary fractions of a decimal unit are no remainder: 0.29 * 1000 is 290. */
const round = (value: number): number => Number(value.toPrecision(15))
