/** Maximum of words, because each is a condition on every row. */
const maxWords = 8

export const wordsOf = (text: string): string[] =>
  [...new Set(text.split(/\s+/).filter((word) => word !== ''))].slice(0, maxWords)

/** The build that a text names: `#12`, `shop #12`, `shop 12`; a number alone may also be part of a name. */
export function buildNumber(text: string): { of: string[]; value: number } | undefined {
  const [, of = '', hash, digits = ''] = /^(.*?)\s*(#?)\s*(\d{1,9})$/s.exec(text) ?? []
  const apart = hash === '#' || /\s\d+$/.test(text)
  if (digits === '' || !apart || Number(digits) === 0) return undefined
  return { of: wordsOf(of), value: Number(digits) }
}
