import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompress } from 'node:zlib'
import { type TimeMark, packMarks } from './time-index.ts'

/**
 * A log at rest: compressed blocks, an index of them, a footer of fixed size. Lines [from, to) are read from the
 * footer, the index, and the one or two blocks that contain them.
 *
 *     block …   zstd of at most 256 kB, or of one longer line: whole lines, each ended by \n
 *     index     zstd of one entry per block: bytes stored, bytes raw, lines (three u32, little endian)
 *     marks     the times of the lines, see time-index.ts; a log without times has none
 *     footer    48 bytes: magic, u32 version, u32 blocks, u64 index offset, u32 index bytes, u32 marks bytes, u64
 * lines, u64 raw bytes
 */
export const blockBytes = 256 * 1024
export const footerBytes = 48
const magic = Buffer.from('GTRYLOG1')
const entryBytes = 12

export interface Block {
  offset: number
  storedBytes: number
  rawBytes: number
  firstLine: number
  lines: number
}

export interface Footer {
  blocks: number
  indexOffset: number
  indexBytes: number
  marksBytes: number
  lines: number
  rawBytes: number
}

export const packBlock = (raw: Buffer): Buffer => zstdCompressSync(raw)

const decompress = promisify(zstdDecompress)

/**
 * Throws if the block is damaged or longer than declared. Runs in the thread pool: one read may expand to gigabytes.
 */
export const unpackBlock = (stored: Uint8Array, rawBytes: number): Promise<Buffer> =>
  decompress(stored, { maxOutputLength: Math.max(rawBytes, 1) })

/** The end of a log: index, marks, footer. */
export function packIndex(blocks: readonly Block[], indexOffset: number, times: readonly TimeMark[]): Buffer {
  const entries = Buffer.alloc(blocks.length * entryBytes)
  blocks.forEach((block, i) => {
    entries.writeUInt32LE(block.storedBytes, i * entryBytes)
    entries.writeUInt32LE(block.rawBytes, i * entryBytes + 4)
    entries.writeUInt32LE(block.lines, i * entryBytes + 8)
  })
  const index = zstdCompressSync(entries)
  const marks = packMarks(times)
  const footer = Buffer.alloc(footerBytes)
  const last = blocks.at(-1)
  magic.copy(footer)
  footer.writeUInt32LE(1, 8)
  footer.writeUInt32LE(blocks.length, 12)
  footer.writeBigUInt64LE(BigInt(indexOffset), 16)
  footer.writeUInt32LE(index.length, 24)
  footer.writeUInt32LE(marks.length, 28)
  footer.writeBigUInt64LE(BigInt(last === undefined ? 0 : last.firstLine + last.lines), 32)
  footer.writeBigUInt64LE(BigInt(blocks.reduce((sum, block) => sum + block.rawBytes, 0)), 40)
  return Buffer.concat([index, marks, footer])
}

/** Undefined if these are not the last bytes of a log. */
export function readFooter(bytes: Buffer): Footer | undefined {
  if (bytes.length !== footerBytes || !bytes.subarray(0, 8).equals(magic) || bytes.readUInt32LE(8) !== 1)
    return undefined
  return {
    blocks: bytes.readUInt32LE(12),
    indexOffset: Number(bytes.readBigUInt64LE(16)),
    indexBytes: bytes.readUInt32LE(24),
    marksBytes: bytes.readUInt32LE(28),
    lines: Number(bytes.readBigUInt64LE(32)),
    rawBytes: Number(bytes.readBigUInt64LE(40)),
  }
}

export async function unpackIndex(stored: Uint8Array, footer: Footer): Promise<Block[]> {
  const entries = await unpackBlock(stored, footer.blocks * entryBytes)
  const blocks: Block[] = []
  let offset = 0
  let firstLine = 0
  for (let at = 0; at < entries.length; at += entryBytes) {
    const block = {
      offset,
      storedBytes: entries.readUInt32LE(at),
      rawBytes: entries.readUInt32LE(at + 4),
      firstLine,
      lines: entries.readUInt32LE(at + 8),
    }
    blocks.push(block)
    offset += block.storedBytes
    firstLine += block.lines
  }
  return blocks
}
