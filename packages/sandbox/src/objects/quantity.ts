/** A resource quantity in thousandths, and the family of its suffix. */
export interface Quantity {
  milli: bigint
  binary: boolean
}

const decimal = ['m', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const form = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:(Ki|Mi|Gi|Ti|Pi|Ei)|([numkMGTPE]?)|[eE]([+-]?\d+))$/

/** Fractions below a thousandth are rounded up, as in Kubernetes. Undefined for an invalid quantity. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const found = form.exec(String(text))
  if (!found) return undefined
  const [, sign, digits = '', two, ten, exponent] = found
  const [whole = '', fraction = ''] = digits.split('.')
  // In units of 10^-(fraction digits + 9): exact until the last step, which rounds up.
  let value = BigInt(`${whole}${fraction}` || '0') * 10n ** 9n
  let shift = fraction.length + 9
  if (two) value *= 1024n ** BigInt(binary.indexOf(two))
  else if (exponent) shift -= Number(exponent)
  else if (ten === 'n') shift += 9
  else if (ten === 'u') shift += 6
  else shift -= (decimal.indexOf(ten ?? '') - 1) * 3
  shift -= 3
  const scale = 10n ** BigInt(Math.abs(shift))
  const milli = shift <= 0 ? value * scale : (value + scale - 1n) / scale
  return { milli: sign === '-' ? -milli : milli, binary: two !== undefined }
}

/** The canonical text: no fraction, the largest suffix that fits. */
export function formatQuantity({ milli, binary: twos }: Quantity): string {
  if (milli === 0n) return '0'
  const size = milli < 0n ? -milli : milli
  if (twos && milli % 1000n === 0n && size >= 1024_000n) {
    let value = milli / 1000n
    let step = 0
    while (value % 1024n === 0n && step < binary.length - 1) {
      value /= 1024n
      step++
    }
    return `${value}${binary[step] ?? ''}`
  }
  let value = milli
  let step = 0
  while (value % 1000n === 0n && step < decimal.length - 1) {
    value /= 1000n
    step++
  }
  return `${value}${decimal[step] ?? ''}`
}

export const canonicalQuantity = (text: string | number): string => {
  const parsed = parseQuantity(text)
  return parsed ? formatQuantity(parsed) : String(text)
}

/** The sum has the suffix family of its first nonzero part. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { milli: a.milli + b.milli, binary: a.milli === 0n ? b.binary : a.binary }
}

export const zero: Quantity = { milli: 0n, binary: false }
