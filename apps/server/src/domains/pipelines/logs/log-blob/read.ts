import { footerBytes, readFooter, unpackBlock, unpackIndex, type Block } from './format.ts'
import { type TimeMark, unpackMarks } from './time-index.ts'

/** The stored bytes of a log. */
export interface LogSource {
  size: number
  /** Reads bytes [from, to). */
  read(from: number, to: number): Promise<Buffer>
}

export interface LogReader {
  readonly lines: number
  readonly bytes: number
  /** Lines [from, to), without their line ends; clipped to the log. Memory grows with the range. */
  read(from: number, to: number): Promise<string[]>
  /** The times of the lines; empty if none were reported. */
  times(): Promise<TimeMark[]>
  /** Streams the text of lines [from, to) block by block, each line ended by \n. */
  stream(from?: number, to?: number): AsyncGenerator<Buffer>
}

/** Read when a log is opened; enough for the footer and the index of about 5,000,000 lines. */
const tailBytes = 32 * 1024
/** Blocks are stored next to each other, so one read fetches several. */
const fetchBytes = 1024 * 1024

/** Throws an Error if the blob is not a log or is damaged, which is never the user's fault. */
export async function openLog(source: LogSource): Promise<LogReader> {
  const tailFrom = Math.max(0, source.size - tailBytes)
  const tail = await source.read(tailFrom, source.size)
  const footer = readFooter(tail.subarray(Math.max(0, tail.length - footerBytes)))
  if (footer === undefined) throw new Error('not a log, or cut short')
  const { indexOffset, indexBytes, marksBytes, lines, rawBytes } = footer
  const part = async (from: number, to: number) =>
    from >= tailFrom ? tail.subarray(from - tailFrom, to - tailFrom) : source.read(from, to)
  const marksOffset = indexOffset + indexBytes
  const blocks = await unpackIndex(await part(indexOffset, marksOffset), footer)

  async function* blocksFrom(first: number, last: number): AsyncGenerator<[Block, Buffer]> {
    for (let i = first; i <= last;) {
      let j = i
      const start = blocks[i]?.offset ?? 0
      while (j < last && endOf(blocks[j + 1]) - start <= fetchBytes) j++
      const bytes = await source.read(start, endOf(blocks[j]))
      for (const block of blocks.slice(i, j + 1)) {
        const at = block.offset - start
        yield [block, await unpackBlock(bytes.subarray(at, at + block.storedBytes), block.rawBytes)]
      }
      i = j + 1
    }
  }

  /** Whole blocks, trimmed to the requested lines; `firstLine` is the number of the first line of each. */
  async function* pieces(from: number, to: number): AsyncGenerator<{ firstLine: number; bytes: Buffer }> {
    const start = Math.max(0, from)
    const end = Math.min(lines, to)
    if (start >= end) return
    for await (const [block, raw] of blocksFrom(blockOf(blocks, start), blockOf(blocks, end - 1))) {
      const skip = Math.max(0, start - block.firstLine)
      const left = Math.min(block.lines, end - block.firstLine)
      const begin = offsetOfLine(raw, skip)
      yield {
        firstLine: block.firstLine + skip,
        bytes: raw.subarray(
          begin,
          left === block.lines ? raw.length : begin + offsetOfLine(raw.subarray(begin), left - skip),
        ),
      }
    }
  }

  return {
    lines,
    bytes: rawBytes,
    async read(from, to) {
      const found: string[] = []
      for await (const { bytes } of pieces(from, to)) {
        for (const line of bytes.toString('utf8', 0, bytes.length - 1).split('\n')) found.push(line)
      }
      return found
    },
    times: async () => unpackMarks(await part(marksOffset, marksOffset + marksBytes)),
    async *stream(from = 0, to = lines) {
      for await (const { bytes } of pieces(from, to)) yield bytes
    },
  }
}

const endOf = (block: Block | undefined): number => (block === undefined ? 0 : block.offset + block.storedBytes)

function blockOf(blocks: readonly Block[], line: number): number {
  let low = 0
  let high = blocks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((blocks[middle]?.firstLine ?? 0) <= line) low = middle
    else high = middle - 1
  }
  return low
}

/** The offset of the line that is preceded by `count` lines. */
export function offsetOfLine(bytes: Buffer, count: number): number {
  let at = 0
  for (let i = 0; i < count; i++) at = bytes.indexOf(0x0a, at) + 1
  return at
}
