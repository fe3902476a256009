import { type LogLine, lineSplitter } from './log-blob/lines.ts'
import { countLines } from './log-times.ts'

export interface Hit {
  /** The line's number, from 0. */
  n: number
  line: LogLine
}

const newline = 0x0a
// oxlint-disable-next-line no-control-regex -- colours are what a reader of the log does not see
const colours = /\u001b\[[\d;]*m/g

/** A text as it is compared: as it is read, without colours, and in lower case. */
const folded = (text: string): string => (text.includes('\u001b') ? text.replaceAll(colours, '') : text).toLowerCase()

/**
 * Finds the lines of a log that contain a text, ignoring case and colours. Chunks may be cut anywhere. The whole lines
 * of a chunk are compared at once, and taken apart only where one of them matches: that is what a million lines need.
 */
export function lineSearch(text: string, keepBytes: number) {
  const wanted = folded(text)
  const cut = lineSplitter(keepBytes)
  let n = 0
  const among = (lines: readonly LogLine[]): Hit[] =>
    lines.map((line) => ({ n: n++, line })).filter(({ line }) => folded(line.text).includes(wanted))
  return {
    /** The hits among the lines that end in this chunk. */
    push(chunk: Buffer): Hit[] {
      const first = chunk.indexOf(newline) + 1
      const last = chunk.lastIndexOf(newline) + 1
      const hits = among(cut.push(chunk.subarray(0, first)))
      if (last > first) {
        const whole = chunk.toString('utf8', first, last - 1)
        if (folded(whole).includes(wanted))
          hits.push(...among(whole.split('\n').map((each) => ({ text: each, more: 0 }))))
        else n += countLines(chunk.subarray(first, last))
      }
      hits.push(...among(cut.push(chunk.subarray(Math.max(first, last)))))
      return hits
    },
    end: (): Hit[] => among(cut.end()),
  }
}
