/* oxlint-disable no-control-regex -- control characters are what this file reads */

/**
 * What a terminal shows of a line. A program that draws a bar writes its line over and over: it goes back to the
 * beginning, erases, writes again. Such a line is read as a terminal of unlimited width would show it: carriage return,
 * backspace, moves within the line, and the erasing of it are followed. Moves to other lines are not.
 */

/** A line is rewritten where something moves back in it or erases what stands before it; a return at its end does not. */
const rewriting = /[\b]|\r[^\r\n]|\u001b\[(?:\d{0,64}[CDG]|2K)/

/** Whether some line of a text is written over. */
export const rewrites = (text: string): boolean => rewriting.test(text)

/** As long as programs make them; what is longer is text, here and below. */
const colour = /\u001b\[([\d;:]{0,64})m/g
/** An escape sequence that is not whole yet. */
const unfinished = /\u001b(?:\[[0-?]{0,64}[ -/]{0,4})?$/

/** Which parameter of a colour sequence sets what; what is not here is passed over. */
function slotOf(code: number): string | undefined {
  if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) return 'text'
  if ((code >= 40 && code <= 49) || (code >= 100 && code <= 107)) return 'ground'
  if (code === 22) return 'weight'
  if (code === 1 || code === 2) return `weight${code}`
  if (code >= 3 && code <= 9) return `mode${code === 6 ? 5 : code}`
  if (code >= 23 && code <= 29) return `mode${code - 20}`
  return undefined
}

const ends = (code: number): boolean => code === 39 || code === 49 || (code >= 22 && code <= 29)

function apply(active: Map<string, string>, parameters: string): void {
  const given = parameters.split(';')
  for (let at = 0; at < given.length; at++) {
    const own = given[at] ?? ''
    const code = Number(own.split(':')[0])
    if (code === 0) active.clear()
    const slot = slotOf(code)
    if (slot === undefined || own.length > 30) continue
    let value = own
    // a colour of the palette or an exact one: its numbers follow
    if (own === '38' || own === '48') {
      const more = given.slice(at + 1, at + (given[at + 1] === '5' ? 3 : 5))
      if (more.some((part) => part.length > 3)) return
      value = [own, ...more].join(';')
      at += more.length
    }
    if (slot === 'weight') for (const weight of ['weight1', 'weight2']) active.delete(weight)
    else if (ends(code)) active.delete(slot)
    else active.set(slot, value)
  }
}

/** A style without the escape sequence that is not whole yet. */
export const wholeStyle = (style: string): string => style.replace(unfinished, '')

/**
 * The colours that are in effect after a text, as one sequence that sets them, '' for none; where the text ends within a
 * sequence, what there is of that follows.
 */
export function styleAfter(before: string, text: string): string {
  if (!text.includes('\u001b') && wholeStyle(before) === before) return before
  const all = before + text
  const active = new Map<string, string>()
  for (const [, parameters = ''] of all.matchAll(colour)) apply(active, parameters)
  const rest = unfinished.exec(all)?.[0] ?? ''
  return (active.size === 0 ? '' : `\u001b[${[...active.values()].join(';')}m`) + rest
}

/** Characters of two columns; the second is an empty cell. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const joined = /[\p{M}\u200d]/u

/** A run of text, or one control with its parameters. */
const token =
  /[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]+|\u001b\[([0-?]{0,64})[ -/]{0,4}([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\b]/g

interface Screen {
  cells: string[]
  styles: string[]
  cursor: number
  style: string
}

/** Text of one column a character: letters and what bars are made of. */
const narrow = /^[ -~\u00a0-\u02ff\u2500-\u25ff]*$/

/**
 * Of a line written over many times, from where on each writing counts: what an equally long one has covered is never
 * seen, but for the colours that it sets.
 */
function covered(writings: readonly string[]): boolean[] {
  const hidden: boolean[] = []
  let width = 0
  for (let at = writings.length - 1; at > 0; at--) {
    const writing = writings[at] ?? ''
    const text = writing.includes('\u001b') ? writing.replaceAll(colour, '') : writing
    if (!narrow.test(text)) break
    hidden[at] = text.length <= width
    width = Math.max(width, text.length)
  }
  return hidden
}

/** Further to the right no terminal goes: what moves there and back again costs no more than this. */
const widest = 500

function drawn(line: string): Screen {
  const cells: string[] = []
  const styles: string[] = []
  let style = ''
  let cursor = 0
  /** A bar sets the same colours over and over. */
  const seen = new Map<string, string>()

  function restyle(sequence: string): void {
    const change = style + sequence
    let next = seen.get(change)
    if (next === undefined) seen.set(change, (next = styleAfter(style, sequence)))
    style = next
  }
  /** What is wide and stands on both sides of a place goes. */
  function part(at: number): void {
    if (cells[at] === '') cells[at - 1] = cells[at] = ' '
  }
  function put(text: string): void {
    if (cursor > cells.length) pad(cursor)
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      if (code >= 0x300 && cursor > 0 && joined.test(character)) {
        cells[cursor - 1] += character
        continue
      }
      const columns = code >= 0x1100 && wide.test(character) ? 2 : 1
      part(cursor)
      part(cursor + columns)
      for (const cell of columns === 2 ? [character, ''] : [character]) {
        cells[cursor] = cell
        styles[cursor++] = style
      }
    }
  }
  function pad(to: number): void {
    for (let at = cells.length; at < to; at++) {
      cells[at] = ' '
      styles[at] = ''
    }
  }
  function erase(mode: string): void {
    const to = mode === '2' ? 0 : cursor
    part(to)
    if (cells.length > to) cells.length = styles.length = to
    cursor = Math.min(cursor, Math.max(cells.length, widest))
  }
  function move(by: string, given: string): void {
    const steps = Math.min(widest, Number(given) || 1)
    if (by === 'G') cursor = steps - 1
    else if (by === 'D') cursor = Math.max(0, cursor - steps)
    else cursor = Math.min(cursor + steps, Math.max(cells.length, widest))
  }

  const writings = line.split('\r')
  const hidden = covered(writings)
  for (const [at, writing] of writings.entries()) {
    cursor = 0
    if (writing === '') continue
    if (hidden[at]) for (const [sequence] of writing.matchAll(colour)) restyle(sequence)
    else
      for (const [found, parameters = '', final] of writing.matchAll(token)) {
        if (final === 'm') restyle(found)
        else if (final === 'K') erase(parameters)
        else if (final === 'C' || final === 'D' || final === 'G') move(final, parameters)
        else if (found === '\b') cursor = Math.max(0, cursor - 1)
        else if (!found.startsWith('\u001b')) put(found)
      }
  }
  return { cells, styles, cursor, style }
}

/** What goes on with other colours. */
const restyled = (from: string, to: string): string => (from === to ? '' : `${from === '' ? '' : '\u001b[0m'}${to}`)

/** The first cells as text, with what sets their colours, and the colours at their end. */
function toStyledText({ cells, styles }: Screen, to = cells.length): { text: string; style: string } {
  let text = ''
  let style = ''
  for (let at = 0; at < to; at++) {
    const next = styles[at] ?? ''
    text += restyled(style, next) + (cells[at] ?? '')
    style = next
  }
  return { text, style }
}

/** A whole line as a terminal shows it, with its colours; one that is not written over stays as it is. */
export function shownLine(line: string): string {
  if (!rewrites(line)) return line
  const screen = drawn(line)
  const { text, style } = toStyledText(screen)
  return text + restyled(style, screen.style)
}

/**
 * A line that may go on, as short as may be: whatever is written behind this is shown as it would be behind the line
 * itself. Never empty where the line is not.
 */
export function shortLine(line: string): string {
  const whole = line.replace(unfinished, '')
  if (!rewrites(whole)) return line
  const screen = drawn(whole)
  const { cells, cursor } = screen
  const { text, style } = toStyledText(screen)
  const back = cursor < cells.length ? '\r' : ''
  let ahead = ''
  for (let left = back === '' ? cursor - cells.length : cursor; left > 0; left -= widest)
    ahead += `\u001b[${Math.min(left, widest)}C`
  return (text + restyled(style, screen.style) + back + ahead || '\r') + line.slice(whole.length)
}

const mark = / … \[\+(\d+) B\] … /
const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** What stands where the middle of a line is missing; it needs no translation. */
export const missingMark = (bytes: number): string => ` … [+${bytes} B] … `

/** A long line without its middle: both ends keep their colours, and what is missing is counted, also what was missing before. */
export function cutLine(line: string, length: number): string {
  if (line.length <= length) return line
  const half = Math.floor(length / 2)
  const [head, tail] = [wholeText(line.slice(0, half)), line.slice(line.length - half).replace(/^[\udc00-\udfff]/, '')]
  const middle = line.slice(head.length, line.length - tail.length)
  const found = mark.exec(middle)
  const missing = byteLength(middle) + (found ? Number(found[1]) - byteLength(found[0]) : 0)
  return head + missingMark(missing) + styleAfter('', head + middle) + tail
}

/** Without half a character or half an escape sequence at the end. */
const wholeText = (text: string): string => text.replace(/[\ud800-\udbff]$/, '').replace(unfinished, '')
