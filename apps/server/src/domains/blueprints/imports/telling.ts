import type { Vars } from '@gantry/tosca/problems'
import type { LineCounter } from 'yaml'

/** What is said of a place of an imported text: a phrase's key with its values, and line and column from 1. */
export interface Told {
  line: number
  column: number
  key: string
  vars: Vars
  /** The rule that a value breaks, in the words of a form's field. */
  reason?: { key: string; vars: Vars }
  /** The service that it is about; empty: none, or the whole text. */
  service: string
}

type Tell = (at: number, key: string, vars?: Vars, reason?: Told['reason']) => void

export interface Teller {
  /** What has no place, or was added, and does not keep the rest from being imported. */
  note: Tell
}

export interface Telling extends Teller {
  /** What keeps its service, or everything, from being imported. */
  wrong: Tell
  hasWrong: () => boolean
  /** Line and column of a place, from 1. */
  place: (at: number) => { line: number; column: number }
  /** The same, of a service. */
  of: (service: string) => Telling
  found: { wrong: Told[]; notes: Told[] }
}

export function openTelling(lines: LineCounter): Telling {
  const found: Telling['found'] = { wrong: [], notes: [] }
  const seen = new Set<string>()
  const place = (at: number) => {
    const { line, col } = lines.linePos(at)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const into =
    (list: Told[], service: string): Tell =>
    (at, key, vars = {}, reason) => {
      const told = { ...place(at), key, vars, ...(reason && { reason }), service }
      // an alias says the same of each of its places
      const mark = JSON.stringify(told)
      if (!seen.has(mark)) list.push(told)
      seen.add(mark)
    }
  const of = (service: string): Telling => ({
    note: into(found.notes, service),
    wrong: into(found.wrong, service),
    hasWrong: () => found.wrong.length > 0,
    place,
    of,
    found,
  })
  return of('')
}
