import { rewrites, shortLine, shownLine, styleAfter, wholeStyle } from '@gantry/contract/logs/terminal-line'
import { hasControls, rewritten } from './log-blob/lines.ts'

const escape = 0x1b

/** The state in which a part of a log begins. */
export interface Continuation {
  /** At the beginning of a line; at the beginning of a line whose stored part is repeated; or within a line. */
  begins: 'anew' | 'again' | 'within'
  /** The colours in effect, see `styleAfter`. */
  style: string
}

/**
 * The text to store for a part of a log. Each line begins with the colours in effect, so that it can be displayed
 * without earlier lines. An overwritten line is reduced to what a terminal shows; the last line, which may continue,
 * also keeps the cursor's position.
 */
export function storedText(part: Buffer, { begins, style }: Continuation): { bytes: Buffer; style: string } {
  if (style === '' && !hasControls(part)) return { bytes: part, style }
  // latin1, one character a byte, is enough, because control sequences are ASCII
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
