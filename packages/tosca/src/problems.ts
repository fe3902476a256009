import { allowedAt } from '@gantry/contract/allowed'
import { isMap, isNode, isScalar, type Document, type LineCounter, type Node } from 'yaml'
import type { z } from 'zod'

export type Vars = Record<string, string | number>

/** A problem in a template: a phrase's key with its values, and the place; line and column count from 1. */
export interface Problem {
  line: number
  column: number
  key: string
  vars: Vars
  /** The rule that the value breaks, as a form's field words it. */
  reason?: { key: string; vars: Vars }
}

export type ProblemPlace = Node | number | undefined | null

/** Further problems show up once these are fixed. */
const maxProblems = 100

/** Collects the problems of a text. */
export function openProblems(lines: LineCounter) {
  const found: Problem[] = []
  return {
    found,
    tell(at: ProblemPlace, key: string, vars: Vars = {}, reason?: Problem['reason']): void {
      if (found.length >= maxProblems) return
      const offset = typeof at === 'number' ? at : (at?.range?.[0] ?? 0)
      const { line, col } = lines.linePos(offset)
      found.push({ line: Math.max(1, line), column: Math.max(1, col), key, vars, ...(reason && { reason }) })
    },
  }
}
export type Problems = ReturnType<typeof openProblems>

/** The key node of a map's entry. */
export function keyAt(node: Node | undefined, key: string): Node | undefined {
  const pair = isMap(node) ? node.items.find((one) => isScalar(one.key) && String(one.key.value) === key) : undefined
  return isNode(pair?.key) ? pair.key : node
}

/** The innermost existing node along a path. */
export function nodeAt(document: Document, path: readonly PropertyKey[]): Node | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node)) return node
  }
  return undefined
}

type Issue = z.core.$ZodIssue

const isKey = (message: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(message)

/** An issue of a union is replaced by that of its first branch with a message of its own. */
export function flatIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const branches = issue.errors.flat().map(flatIssue)
  const speaking = branches.find(({ message }) => isKey(message))
  return speaking ? { ...speaking, path: [...issue.path, ...speaking.path] } : issue
}

/** The phrase of a schema's issue: its own, or one for its kind. */
export function phraseOf(issue: Issue, isMissing: boolean): [key: string, vars: Vars] {
  if (issue.code === 'unrecognized_keys') return ['field-unknown', { keys: issue.keys.join(', ').slice(0, 200) }]
  const vars: Vars = {}
  for (const name of ['minimum', 'maximum', 'expected', 'format'] as const)
    if (name in issue) vars[name] = String((issue as unknown as Record<string, unknown>)[name])
  if (isKey(issue.message)) return [issue.message, vars]
  if (isMissing) return ['field-required', vars]
  const allowed = allowedAt(issue)
  if (allowed) return ['field-one-of', { values: allowed.slice(0, 20).map(String).join(', ') }]
  const many = 'origin' in issue && (issue.origin === 'array' || issue.origin === 'set')
  const text = 'origin' in issue && issue.origin === 'string'
  switch (issue.code) {
    case 'invalid_type':
      return ['field-type', vars]
    case 'too_small':
      return [text ? 'field-too-short' : many ? 'field-too-few' : 'field-too-small', vars]
    case 'too_big':
      return [text ? 'field-too-long' : many ? 'field-too-many' : 'field-too-big', vars]
    default:
      return ['field-invalid', vars]
  }
}

/** The phrase of a schema's issue about a value that is present. */
export const valueIssue = (issue: Issue): [key: string, vars: Vars] => phraseOf(flatIssue(issue), false)
