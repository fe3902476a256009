import { LineCounter, parseDocument, stringify } from 'yaml'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { wordsOfIssue } from '../../ui/problems.ts'
import type { Problem } from '../../ui/yaml-editor.tsx'

/** A specification as people read and edit it. Keys stand in the contract's order, so that two texts differ only in what differs. */
export function specText(spec: ServiceSpec): string {
  const ordered = Object.fromEntries(Object.keys(ServiceSpec.shape).map((key) => [key, spec[key as keyof ServiceSpec]]))
  return stringify(ordered, { lineWidth: 0 })
}

/** What the contract says against a text, by line and column, both from 1. Syntax is the editor's own to check. */
export function specProblems(text: string): Problem[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) return []
  const result = ServiceSpec.safeParse(document.toJS() ?? {})
  if (result.success) return []
  return result.error.issues.map((issue) => {
    // Where the value itself is not there, what should have held it is shown.
    const path = [...issue.path]
    let node = document.getIn(path, true)
    while (node === undefined && path.length > 0) {
      path.pop()
      node = document.getIn(path, true)
    }
    const range = (node as { range?: [number, number, number] } | undefined)?.range
    const { line, col } = lines.linePos(path.length === 0 ? 0 : (range?.[0] ?? 0))
    const at = issue.path.join('.')
    const words = wordsOfIssue(issue, document.getIn(issue.path) === undefined)
    return { line: Math.max(1, line), column: Math.max(1, col), text: at === '' ? words : `${at}: ${words}` }
  })
}

/** The specification that a text says. Throws where it says none. */
export const specOf = (text: string): ServiceSpec => ServiceSpec.parse(parseDocument(text).toJS() ?? {})
