export interface Line {
  bytes: Buffer
  /** The line was longer than the limit; the rest is dropped. */
  cut: boolean
}

/** Drops an incomplete UTF-8 character at the end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const wants = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return wants === back ? bytes : bytes.subarray(0, bytes.length - back)
    }
  }
  return bytes
}

/**
 * Splits a stream of bytes into lines without newlines, in the batches in which they arrive. Keeps at most `most` bytes
 * of a line, which bounds the memory for a stream without newlines. A last line without a newline counts.
 */
export async function* linesOf(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Line[]> {
  let parts: Buffer[] = []
  let size = 0
  let skipping = false
  const take = (): Buffer => {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size)
    parts = []
    size = 0
    return bytes
  }
  for await (const chunk of source) {
    const batch: Line[] = []
    for (let from = 0; from < chunk.length;) {
      const at = chunk.indexOf(10, from)
      const end = at === -1 ? chunk.length : at
      if (!skipping) {
        parts.push(chunk.subarray(from, end))
        size += end - from
        if (size > most) {
          batch.push({ bytes: wholeCharacters(take().subarray(0, most)), cut: true })
          skipping = true
        } else if (at !== -1) batch.push({ bytes: take(), cut: false })
      }
      if (at === -1) break
      skipping = false
      from = at + 1
    }
    if (batch.length > 0) yield batch
  }
  if (size > 0) yield [{ bytes: take(), cut: false }]
}
