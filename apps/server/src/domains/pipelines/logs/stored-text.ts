import { rewrites, shortLine, shownLine, styleAfter, wholeStyle } from '@gantry/contract/logs/terminal-line'
import { hasControls, rewritten } from './log-blob/lines.ts'

const escape = 0x1b

/** Where a part of a log goes on. */
export interface Continuation {
  /** At a line's beginning, at that of a line whose first part is stored and comes again, or within a line. */
  begins: 'anew' | 'again' | 'within'
  /** The colours in effect, see `styleAfter`. */
  style: string
}

/**
 * A part of a log as it is stored. Each line sets the colours that it begins in, so that it is shown without the lines
 * before it; of a line that is written over there is what a terminal shows, and of the last one, which may go on, also
 * where the terminal stands.
 */
export function storedText(part: Buffer, { begins, style }: Continuation): { bytes: Buffer; style: string } {
  if (style === '' && !hasControls(part)) return { bytes: part, style }
  // one byte a character: all that is looked for is ASCII
  const text = part.toString('latin1')
  if (style === '' && !part.includes(escape) && !rewrites(text)) return { bytes: part, style }
  const lines = text.split('\n').map((line, at, { length }) => {
    const isBegun = at === 0 && begins !== 'anew'
    const before = at === 0 ? style : wholeStyle(style)
    style = styleAfter(before, line)
    const whole = isBegun || line === '' || line === '\r' ? line : before + line
    if ((at === 0 && begins === 'within') || !rewrites(whole)) return whole
    const how = at === length - 1 ? shortLine : shownLine
    return rewritten(Buffer.from(whole, 'latin1'), how).toString('latin1')
  })
  return { bytes: Buffer.from(lines.join('\n'), 'latin1'), style }
}
