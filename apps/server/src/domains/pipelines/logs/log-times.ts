import { type ByteTime, timesApartMs } from '@gantry/agent-protocol/log-times'
import type { TimeMark } from './log-blob/time-index.ts'

const newline = 0x0a

/** Counts line ends. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

/** The position in a log at which a piece begins. */
export interface Position {
  byte: number
  /** The line ends before it. */
  lines: number
  /** Whether it is in the middle of a line. */
  open: boolean
  /** The time in effect at this position. */
  time: number | null
}

/**
 * The marks of a piece of a log: the time in effect at its beginning, then each change. The time of a line is that of
 * its first byte. Times never go back, and times closer than timesApartMs are merged. `times` counts bytes from the
 * beginning of the log.
 */
export function marksOf(
  bytes: Buffer,
  begin: Position,
  times: readonly ByteTime[],
): { marks: TimeMark[]; time: number | null } {
  const first = begin.lines + (begin.open ? 1 : 0)
  const marks: TimeMark[] = begin.time === null ? [] : [{ line: first, at: begin.time }]
  let { time } = begin
  // The last time before the piece is in effect at its beginning.
  const before = times.findLast(({ byte }) => byte <= begin.byte)
  const inside = times.filter(({ byte }) => byte > begin.byte && byte < begin.byte + bytes.length)
  for (const { byte, at } of before ? [before, ...inside] : inside) {
    if (time !== null && at < time + timesApartMs) continue
    const to = Math.max(0, byte - begin.byte)
    const line =
      to === 0 ? first : begin.lines + countLines(bytes.subarray(0, to)) + (bytes[to - 1] === newline ? 0 : 1)
    if (marks.at(-1)?.line === line) marks.pop()
    marks.push({ line, at })
    time = at
  }
  return { marks, time }
}
