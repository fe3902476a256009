/* oxlint-disable no-control-regex -- control characters are what this file reads */

/**
 * A line as a terminal shows it. A program that draws a progress bar rewrites its line over and over: it returns to the
 * beginning, erases, and writes again. Such a line is read as a terminal of unlimited width would show it, following
 * carriage returns, backspaces, moves within the line, and erasures in it. Moves to other lines are ignored.
 */

/** Matches a line that moves back or erases earlier text. A carriage return at its end does not count. */
const rewriting = /[\b]|\r[^\r\n]|\u001b\[(?:\d{0,64}[CDG]|2K)/

/** Whether some line of a text overwrites itself. */
export const rewrites = (text: string): boolean => rewriting.test(text)

/** As long as programs write sequences; a longer one counts as text, here and below. */
const colour = /\u001b\[([\d;:]{0,64})m/g
/** An incomplete escape sequence at the end. */
const unfinished = /\u001b(?:\[[0-?]{0,64}[ -/]{0,4})?$/

/** What a parameter of a colour sequence sets; undefined parameters are ignored. */
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
    // a palette or exact colour: its numbers follow
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

/** A style without an incomplete escape sequence at its end. */
export const wholeStyle = (style: string): string => style.replace(unfinished, '')

/**
 * The colours in effect after a text, as one sequence that sets them, or ''. If the text ends within a sequence, its
 * beginning is appended.
 */
export function styleAfter(before: string, text: string): string {
  if (!text.includes('\u001b') && wholeStyle(before) === before) return before
  const all = before + text
  const active = new Map<string, string>()
  for (const [, parameters = ''] of all.matchAll(colour)) apply(active, parameters)
  const rest = unfinished.exec(all)?.[0] ?? ''
  return (active.size === 0 ? '' : `\u001b[${[...active.values()].join(';')}m`) + rest
}

/** Characters that take two columns; the second column is an empty cell. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const joined = /[\p{M}\u200d]/u

/** A run of text, or one control sequence with its parameters. */
const token =
  /[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]+|\u001b\[([0-?]{0,64})[ -/]{0,4}([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\b]/g

interface Screen {
  cells: string[]
  styles: string[]
  cursor: number
  style: string
}

/** Text with one column per character: letters, and characters for progress bars. */
const narrow = /^[ -~\u00a0-\u02ff\u2500-\u25ff]*$/

/**
 * Which writings of a rewritten line are hidden: a later one that is at least as long covers them, except for the
 * colours that they set.
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

/** No terminal is wider: this bounds the cost of moving far to the right and back. */
const widest = 500

function drawn(line: string): Screen {
  const cells: string[] = []
  const styles: string[] = []
  let style = ''
  let cursor = 0
  /** Caches changes of style, because a progress bar repeats the same colours. */
  const seen = new Map<string, string>()

  function restyle(sequence: string): void {
    const change = style + sequence
    let next = seen.get(change)
    if (next === undefined) seen.set(change, (next = styleAfter(style, sequence)))
    style = next
  }
  /** Removes a wide character whose halves would be separated here. */
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

/** The sequence that changes from one style to another. */
const restyled = (from: string, to: string): string => (from === to ? '' : `${from === '' ? '' : '\u001b[0m'}${to}`)

/** The first cells as text with colour sequences, and the style at their end. */
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

/** A complete line as a terminal shows it, with its colours; a line without rewriting stays as it is. */
export function shownLine(line: string): string {
  if (!rewrites(line)) return line
  const screen = drawn(line)
  const { text, style } = toStyledText(screen)
  return text + restyled(style, screen.style)
}

/**
 * The shortest replacement of an unfinished line: text appended to it is shown as if appended to the line itself. Empty
 * only if the line is empty.
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

/** The mark in place of the missing middle of a line; needs no translation. */
export const missingMark = (bytes: number): string => ` … [+${bytes} B] … `

/** Cuts the middle out of a long line: both ends keep their colours; bytes cut earlier are counted too. */
export function cutLine(line: string, length: number): string {
  if (line.length <= length) return line
  const half = Math.floor(length / 2)
  const [head, tail] = [wholeText(line.slice(0, half)), line.slice(line.length - half).replace(/^[\udc00-\udfff]/, '')]
  const middle = line.slice(head.length, line.length - tail.length)
  const found = mark.exec(middle)
  const missing = byteLength(middle) + (found ? Number(found[1]) - byteLength(found[0]) : 0)
  return head + missingMark(missing) + styleAfter('', head + middle) + tail
}

/** Drops an incomplete character or escape sequence at the end. */
const wholeText = (text: string): string => text.replace(/[\ud800-\udbff]$/, '').replace(unfinished, '')
