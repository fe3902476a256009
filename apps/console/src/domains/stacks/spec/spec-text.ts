import { LineCounter, stringify, type Document } from 'yaml'
import type { z } from 'zod'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { t } from '../../../api/language.ts'
import { wordsOfIssue } from '../../../ui/form/problems.ts'
import type { Problem } from '../../../ui/editor/yaml-editor.tsx'
import { offsetOf, readDocument } from '../../../ui/editor/yaml-text.ts'

/** A specification as text. Keys are in the contract's order, so that texts differ only where values do. */
export function specText(spec: ServiceSpec): string {
  const ordered = Object.fromEntries(Object.keys(ServiceSpec.shape).map((key) => [key, spec[key as keyof ServiceSpec]]))
  return stringify(ordered, { lineWidth: 0 })
}

/** The value of a text; undefined if it cannot be parsed: the editor checks the syntax itself. */
function valueOf(document: Document): unknown {
  if (document.errors.length > 0) return undefined
  try {
    return document.toJS() ?? {}
  } catch {
    return undefined
  }
}

type Issue = z.core.$ZodIssue

function wordsFor(document: Document, issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return t('stacks-ui-yaml-unknown', { keys: issue.keys.join(', ') })
  const words = wordsOfIssue(issue, document.getIn(issue.path) === undefined)
  const at = issue.path.join('.')
  return at === '' ? words : `${at}: ${words}`
}

/** The contract's issues with a text, by line and column, both from 1. */
export function specProblems(text: string): Problem[] {
  const lines = new LineCounter()
  const document = readDocument(text, lines)
  const value = valueOf(document)
  if (value === undefined) return []
  const result = ServiceSpec.safeParse(value)
  if (result.success) return []
  return result.error.issues.map((issue) => {
    const { line, col } = lines.linePos(offsetOf(document, issue))
    return { line: Math.max(1, line), column: Math.max(1, col), text: wordsFor(document, issue) }
  })
}

/** The specification in a text. Throws if it is invalid. */
export const specOf = (text: string): ServiceSpec => ServiceSpec.parse(valueOf(readDocument(text)))
