import { isUtf8 } from 'node:buffer'
import { blockBytes, packBlock, packIndex, type Block } from './format.ts'
import { type TimeMark, marks } from './time-index.ts'

const newline = 0x0a

export interface LogTotals {
  lines: number
  /** Raw bytes, with line ends and after replacing invalid bytes. */
  bytes: number
}

export interface LogWriter {
  /** Takes a chunk of bytes, cut anywhere; returns what is ready to be stored, in order. */
  push(chunk: Uint8Array): Buffer[]
  /** Sets the time of the lines that are pushed next, or were just pushed: see TimeMark. */
  mark(mark: TimeMark): void
  /** Ends the log: a last line without line end counts too. Returns the rest of the blob. */
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
  /** The parts of the open line. */
  let open: Buffer[] = []

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

  /** Adds whole lines, each with its line end, in groups that fit into a block; a longer line gets its own block. */
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

  return {
    totals,
    mark: times.add,
    push(given) {
      const ready: Buffer[] = []
      const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
      const end = chunk.lastIndexOf(newline) + 1
      // copied even if nothing is replaced: the caller may reuse its buffer
      if (end > 0) addLines(repaired(Buffer.concat([...open.splice(0), chunk.subarray(0, end)])), ready)
      if (end < chunk.length) open.push(Buffer.from(chunk.subarray(end)))
      return ready
    },
    end() {
      const ready: Buffer[] = []
      if (open.length > 0) addLines(repaired(Buffer.concat([...open, Buffer.of(newline)])), ready)
      flush(ready)
      ready.push(packIndex(blocks, stored, times.list))
      return ready
    },
  }
}

const repaired = (bytes: Buffer): Buffer => (isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')))

/** Encodes a whole stream of bytes; `totals` is valid once it has ended. */
export async function* encodeLog(
  source: AsyncIterable<Uint8Array>,
  writer: LogWriter = logWriter(),
): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield* writer.push(chunk)
  yield* writer.end()
}
