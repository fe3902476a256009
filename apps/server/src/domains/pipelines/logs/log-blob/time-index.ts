import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Lines from this one on, counted from 0, arrived at this time (epoch milliseconds), until the next mark. */
export interface TimeMark {
  line: number
  at: number
}

export interface TimeIndex {
  readonly list: readonly TimeMark[]
  /** Adds a mark; call it in the order of lines. A redundant mark is dropped. */
  add: (mark: TimeMark) => void
}

export function marks(): TimeIndex {
  const list: TimeMark[] = []
  return {
    list,
    add(mark) {
      const last = list.at(-1)
      if (last && (mark.at <= last.at || mark.line < last.line)) return
      if (last?.line === mark.line) list.pop()
      list.push(mark)
    },
  }
}

/** The time of a line; null before the first mark. */
export function timeOf(list: readonly TimeMark[], line: number): number | null {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.line ?? 0) <= line) low = middle + 1
    else high = middle
  }
  return list[low - 1]?.at ?? null
}

/**
 * As stored: zstd of the first mark's time (u64, little endian) and, for each mark, lines and milliseconds since the
 * one before (two u32). Empty without marks.
 */
export function packMarks(list: readonly TimeMark[]): Buffer {
  const [first] = list
  if (!first) return Buffer.alloc(0)
  const raw = Buffer.alloc(8 + list.length * 8)
  raw.writeBigUInt64LE(BigInt(first.at))
  let before: TimeMark = { line: 0, at: first.at }
  for (const [i, mark] of list.entries()) {
    raw.writeUInt32LE(mark.line - before.line, 8 + i * 8)
    raw.writeUInt32LE(Math.min(mark.at - before.at, 0xffffffff), 12 + i * 8)
    before = mark
  }
  return zstdCompressSync(raw)
}

/** The most marks to read: many times those of a day with one every 100 ms. */
const most = 10_000_000

export function unpackMarks(stored: Uint8Array): TimeMark[] {
  if (stored.length === 0) return []
  const raw = zstdDecompressSync(stored, { maxOutputLength: 8 + most * 8 })
  let [line, at] = [0, Number(raw.readBigUInt64LE(0))]
  const list: TimeMark[] = []
  for (let i = 8; i < raw.length; i += 8) {
    line += raw.readUInt32LE(i)
    at += raw.readUInt32LE(i + 4)
    list.push({ line, at })
  }
  return list
}
