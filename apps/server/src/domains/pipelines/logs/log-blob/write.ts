import { isUtf8 } from 'node:buffer'
import { blockBytes, packBlock, packIndex, type Block } from './format.ts'
import { type Mark, marks } from './time-index.ts'

/** Longer lines are truncated, with the number of missing bytes: ` … [+1234 B]`, which needs no translation. */
export const maxLineBytes = 64 * 1024
const newline = 0x0a

export interface LogTotals {
  lines: number
  /** Raw bytes, with line ends, after repair and truncation. */
  bytes: number
}

export interface LogWriter {
  /** Takes a chunk of bytes, cut anywhere; returns what is ready to be stored, in order. */
  push(chunk: Uint8Array): Buffer[]
  /** The time of the lines that are pushed next, or were just pushed: see Mark. */
  mark(mark: Mark): void
  /** Ends the log: a last line without its line end counts. Returns the rest of the blob. */
  end(): Buffer[]
  readonly totals: LogTotals
}

/**
 * Writes the indexed format as lines arrive, holding at most one block and one line. Bytes that are not UTF-8 become
 * U+FFFD. Blocks are compressed synchronously: about a millisecond each.
 */
export function logWriter(): LogWriter {
  const blocks: Block[] = []
  const totals: LogTotals = { lines: 0, bytes: 0 }
  const times = marks()
  let stored = 0
  let pending: Buffer[] = []
  let pendingBytes = 0
  let pendingLines = 0
  /** The beginning of the open line, and how much of it was dropped. */
  let open: Buffer[] = []
  let openBytes = 0
  let dropped = 0

  function flush(ready: Buffer[]): void {
    if (pendingLines === 0) return
    const packed = packBlock(Buffer.concat(pending, pendingBytes))
    const { lines } = totals
    blocks.push({
      offset: stored,
      storedBytes: packed.length,
      rawBytes: pendingBytes,
      firstLine: lines,
      lines: pendingLines,
    })
    totals.lines += pendingLines
    totals.bytes += pendingBytes
    stored += packed.length
    pending = []
    pendingBytes = 0
    pendingLines = 0
    ready.push(packed)
  }

  function add(bytes: Buffer, lines: number, ready: Buffer[]): void {
    if (pendingBytes + bytes.length > blockBytes) flush(ready)
    pending.push(bytes)
    pendingBytes += bytes.length
    pendingLines += lines
  }

  /** Adds whole lines of valid length, each with its line end, in runs that fit into a block. */
  function addLines(bytes: Buffer, ready: Buffer[]): void {
    let start = 0
    let lines = 0
    for (let at = 0; at < bytes.length;) {
      const next = bytes.indexOf(newline, at) + 1
      if (next - start + pendingBytes > blockBytes && lines > 0) {
        add(bytes.subarray(start, at), lines, ready)
        flush(ready)
        start = at
        lines = 0
      }
      lines++
      at = next
    }
    if (lines > 0) add(bytes.subarray(start), lines, ready)
  }

  function keep(part: Buffer): void {
    const room = Math.max(0, maxLineBytes - openBytes)
    if (room > 0 && part.length > 0) open.push(Buffer.from(part.subarray(0, room)))
    openBytes += Math.min(room, part.length)
    dropped += Math.max(0, part.length - room)
  }

  function closeLine(ready: Buffer[]): void {
    let line = Buffer.concat(open)
    if (dropped > 0) {
      const whole = wholeCharacters(line)
      const mark = ` … [+${dropped + line.length - whole} B]`
      line = Buffer.concat([line.subarray(0, whole), Buffer.from(mark)])
    }
    open = []
    openBytes = 0
    dropped = 0
    add(Buffer.concat([repaired(line), Buffer.of(newline)]), 1, ready)
  }

  return {
    totals,
    mark: times.add,
    push(given) {
      const ready: Buffer[] = []
      let chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
      if (openBytes > 0) {
        const first = chunk.indexOf(newline)
        keep(first === -1 ? chunk : chunk.subarray(0, first))
        if (first === -1) return ready
        closeLine(ready)
        chunk = chunk.subarray(first + 1)
      }
      const end = chunk.lastIndexOf(newline) + 1
      if (end > 0) addChunk(chunk.subarray(0, end), ready)
      if (end < chunk.length) keep(chunk.subarray(end))
      return ready
    },
    end() {
      const ready: Buffer[] = []
      if (openBytes > 0) closeLine(ready)
      flush(ready)
      ready.push(packIndex(blocks, stored, times.list))
      return ready
    },
  }

  function addChunk(bytes: Buffer, ready: Buffer[]): void {
    // Copied even where nothing is repaired: the caller may reuse its buffer.
    if (bytes.length <= maxLineBytes) return addLines(isUtf8(bytes) ? Buffer.from(bytes) : repaired(bytes), ready)
    // The chunk may contain a line that is too long: check each.
    let start = 0
    for (let at = 0; at < bytes.length;) {
      const next = bytes.indexOf(newline, at) + 1
      if (next - 1 - at > maxLineBytes) {
        if (at > start) addLines(repaired(bytes.subarray(start, at)), ready)
        keep(bytes.subarray(at, next - 1))
        closeLine(ready)
        start = next
      }
      at = next
    }
    if (start < bytes.length) addLines(repaired(bytes.subarray(start)), ready)
  }
}

const repaired = (bytes: Buffer): Buffer => (isUtf8(bytes) ? Buffer.from(bytes) : Buffer.from(bytes.toString('utf8')))

/** The number of bytes without an incomplete character at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return size > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Encodes a whole stream of bytes; `totals` is right once it has ended. */
export async function* encodeLog(
  source: AsyncIterable<Uint8Array>,
  writer: LogWriter = logWriter(),
): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield* writer.push(chunk)
  yield* writer.end()
}
