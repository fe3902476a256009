/* oxlint-disable no-control-regex -- control characters are what this file looks for */
import { cutLine, shownLine } from '@gantry/contract/logs/terminal-line'
import Anser from 'anser'
import type { ReactNode } from 'react'

/** Escape sequences other than colours: cursor moves, titles, clipboard writes, links. */
const notColour =
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[0-?]*[ -/]*[@-ln-~]|[PX^_][^\u001b]*(?:\u001b\\)?|[^[\]])/g
const control = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g

/** A line as a terminal would show it, without sequences other than colours. */
export const visibleText = (line: string): string => shownLine(line).replace(notColour, '').replace(control, '')

/** The plain text, for copying and searching. */
export const plainText = (line: string): string => visibleText(line).replaceAll(/\u001b\[[\d;:]*m?/g, '')

/** Of longer lines both ends are displayed; the download is complete. */
const longest = 20_000

function marked(text: string, needle: string): ReactNode {
  if (needle === '') return text
  const parts: ReactNode[] = []
  const low = text.toLowerCase()
  let from = 0
  for (let at = low.indexOf(needle); at >= 0; at = low.indexOf(needle, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + needle.length)}</mark>)
    from = at + needle.length
  }
  parts.push(text.slice(from))
  return parts
}

/** A line of a log: colours become classes, everything else a text node. A log is never rendered as markup. */
export function AnsiLine({ text, needle = '' }: { text: string; needle?: string }) {
  const cut = cutLine(visibleText(text), longest)
  const low = needle.toLowerCase()
  if (!cut.includes('\u001b')) return <>{marked(cut, low)}</>
  return (
    <>
      {Anser.ansiToJson(cut, { json: true, remove_empty: true, use_classes: true }).map((part, at) => (
        <span key={at} className={classOf(part)} style={colourOf(part)}>
          {marked(part.content, low)}
        </span>
      ))}
    </>
  )
}

type Part = ReturnType<typeof Anser.ansiToJson>[number]

const classOf = (part: Part): string =>
  [
    part.fg && !/truecolor|palette/.test(part.fg) ? part.fg : '',
    part.bg && !/truecolor|palette/.test(part.bg) ? `${part.bg}-bg` : '',
    ...part.decorations.map((decoration) => `ansi-${decoration}`),
  ]
    .filter(Boolean)
    .join(' ')

const levels = [0, 95, 135, 175, 215, 255]

/** The colour cube and the greys of the 256-colour palette. */
function paletteColour(index: number): string {
  if (index >= 232) return `rgb(${[0, 0, 0].map(() => 8 + (index - 232) * 10).join(' ')})`
  const at = index - 16
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => levels[step] ?? 0).join(' ')})`
}

function exactColour(name: string, triple: string): string | undefined {
  if (name.includes('truecolor') && /^[\d, ]+$/.test(triple)) return `rgb(${triple.replaceAll(',', ' ')})`
  const palette = /palette-(\d+)/.exec(name)
  return palette ? paletteColour(Number(palette[1])) : undefined
}

/** Exact colours are mixed with the text colour, so that they stay readable in both themes. */
function colourOf(part: Part): { color?: string; backgroundColor?: string } {
  const fg = exactColour(part.fg ?? '', part.fg_truecolor ?? '')
  const bg = exactColour(part.bg ?? '', part.bg_truecolor ?? '')
  return {
    ...(fg === undefined ? {} : { color: bg === undefined ? `color-mix(in oklab, ${fg} 55%, var(--g-text))` : fg }),
    ...(bg === undefined ? {} : { backgroundColor: bg }),
  }
}
