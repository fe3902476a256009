/** The lines of a secret, without indentation: a secret of several lines leaks line by line. */
export const linesOf = (secret: string): string[] => secret.split(/\r\n|[\r\n]/).map((line) => line.trim())

/** Other spellings of a text in an address, a form or a document: each once, and not the unchanged text. */
export function spellings(text: string): string[] {
  const whole = text.toWellFormed()
  const encoded = encodeURIComponent(whole)
  const strict = encoded.replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const lower = (spelt: string): string => spelt.replaceAll(/%[0-9A-F]{2}/g, (c) => c.toLowerCase())
  const all = new Set([
    encoded,
    strict,
    lower(encoded),
    lower(strict),
    strict.replaceAll('%20', '+'),
    encodeURI(whole),
    JSON.stringify(text).slice(1, -1),
  ])
  all.delete(text)
  return [...all]
}

/**
 * base64 of whatever contains the secret: the characters that the secret alone decides, for each of its three offsets, in
 * both alphabets.
 */
export function base64Cores(secret: Buffer): string[] {
  const cores = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64')
    const core = encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + secret.length) * 8) / 6))
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set(cores)]
}

/**
 * The pieces of a spelling, all of one length: a part of a key is masked too, and no piece is long. The last piece
 * overlaps to full length, because a short rest would mask ordinary text.
 */
export function* piecesOf(length: number, longest: number): Generator<[from: number, to: number]> {
  if (length <= longest) return yield [0, length]
  for (let end = longest; end < length + longest; end += longest)
    yield [Math.min(end, length) - longest, Math.min(end, length)]
}
