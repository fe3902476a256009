import { textsOf } from './log-blob/lines.ts'
import { countLines } from './log-times.ts'

export interface Hit {
  /** The number of the line, from 0. */
  n: number
  text: string
}

// oxlint-disable-next-line no-control-regex -- colours are invisible to a reader of the log
const colours = /\u001b\[[\d;:]*m/g

/** A text without colours and in lower case, to compare it as it is read. */
const folded = (text: string): string => (text.includes('\u001b') ? text.replaceAll(colours, '') : text).toLowerCase()

/**
 * Finds the lines of a log that contain a text, ignoring case and colours. Takes chunks of whole lines; each chunk is
 * compared at once and split only if it matches, which makes a million lines fast.
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
