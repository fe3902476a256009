import { textsOf } from './log-blob/lines.ts'
import { countLines } from './log-times.ts'

export interface Hit {
  /** The line's number, from 0. */
  n: number
  text: string
}

// oxlint-disable-next-line no-control-regex -- colours are what a reader of the log does not see
const colours = /\u001b\[[\d;:]*m/g

/** A text as it is compared: as it is read, without colours, and in lower case. */
const folded = (text: string): string => (text.includes('\u001b') ? text.replaceAll(colours, '') : text).toLowerCase()

/**
 * Finds the lines of a log that contain a text, ignoring case and colours. Lines come whole, many at once; they are
 * compared at once, and taken apart only where one of them matches: that is what a million lines need.
 */
export function lineSearch(search: string): (lines: Buffer) => Hit[] {
  const wanted = folded(search)
  let n = 0
  return (lines) => {
    if (folded(lines.toString('utf8')).includes(wanted))
      return textsOf(lines)
        .map((text) => ({ n: n++, text }))
        .filter(({ text }) => folded(text).includes(wanted))
    n += countLines(lines)
    return []
  }
}
