import type { Vars } from '@gantry/tosca/problems'
import type { LineCounter } from 'yaml'

/** A problem or note at a position of the text: a phrase's key with its values, and line and column from 1. */
export interface Diagnostic {
  line: number
  column: number
  key: string
  vars: Vars
  /** The rule that a value breaks, as a form field would state it. */
  reason?: { key: string; vars: Vars }
  /** The service that it concerns; empty if it concerns the whole text. */
  service: string
}

type Tell = (at: number, key: string, vars?: Vars, reason?: Diagnostic['reason']) => void

export interface NoteReporter {
  /** Reports what has no equivalent or was added; it does not prevent the import. */
  note: Tell
}

export interface Reporter extends NoteReporter {
  /** Reports a problem that prevents the import of its service or of the whole text. */
  wrong: Tell
  hasWrong: () => boolean
  /** Line and column of a place, from 1. */
  place: (at: number) => { line: number; column: number }
  of: (service: string) => Reporter
  found: { wrong: Diagnostic[]; notes: Diagnostic[] }
}

export function openTelling(lines: LineCounter): Reporter {
  const found: Reporter['found'] = { wrong: [], notes: [] }
  const seen = new Set<string>()
  const place = (at: number) => {
    const { line, col } = lines.linePos(at)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const into =
    (list: Diagnostic[], service: string): Tell =>
    (at, key, vars = {}, reason) => {
      const diagnostic = { ...place(at), key, vars, ...(reason && { reason }), service }
      // a part with several aliases would be reported once for each
      const mark = JSON.stringify(diagnostic)
      if (!seen.has(mark)) list.push(diagnostic)
      seen.add(mark)
    }
  const of = (service: string): Reporter => ({
    note: into(found.notes, service),
    wrong: into(found.wrong, service),
    hasWrong: () => found.wrong.length > 0,
    place,
    of,
    found,
  })
  return of('')
}
