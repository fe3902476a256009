import { type TimeMark, marks, timeOf } from './log-blob/time-index.ts'
import type { Piece } from './logs.store.ts'

/** What the compressed slices of a text cover: bytes of the log, beginning with a line, and the times of its lines. */
export interface Covered {
  startByte: number
  endByte: number
  firstLine: number
  times: readonly TimeMark[]
}

/** Makes pieces of compressed slices: together they cover all the bytes, and each has the times of its own lines. */
export function piecesOf(
  slices: readonly { lines: number; data: Buffer }[],
  { startByte, endByte, firstLine, times }: Covered,
): Piece[] {
  const all = marks()
  times.forEach(all.add)
  const startOf = (at: number) => startByte + Math.floor(((endByte - startByte) * at) / slices.length)
  let line = firstLine
  return slices.map(({ lines, data }, at) => {
    const begin = line
    line += lines
    const effective = timeOf(all.list, begin)
    const own = all.list.filter((mark) => mark.line > begin && mark.line <= line + 1)
    return {
      startByte: startOf(at),
      bytes: startOf(at + 1) - startOf(at),
      firstLine: begin,
      lines,
      times: effective === null ? own : [{ line: begin, at: effective }, ...own],
      data,
    }
  })
}
