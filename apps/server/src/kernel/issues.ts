import { allowedAt } from '@gantry/contract/allowed'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { z } from 'zod'
import type { Vars } from './fault.ts'
import { isPhrase } from './phrase.ts'

type Issue = z.core.$ZodIssue

/** Allowed values of a field that a message lists. */
const maxNamed = 20

/** The phrase of an issue: its own message if that is a phrase key, else one for the kind of issue. */
export function phraseOfIssue(issue: Issue): [PhraseKey, Vars] {
  const vars: Vars = {}
  for (const name of ['minimum', 'maximum', 'expected', 'format', 'divisor'] as const) {
    if (name in issue) vars[name] = String((issue as unknown as Record<string, unknown>)[name])
  }
  if (issue.code === 'unrecognized_keys') return ['field-unknown', { keys: issue.keys.join(', ').slice(0, 200) }]
  if (isPhrase(issue.message)) return [issue.message, vars]
  const allowed = allowedAt(issue)
  if (allowed) return ['field-one-of', { values: allowed.slice(0, maxNamed).map(String).join(', ') }]
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? ['field-required', vars] : ['field-type', vars]
    case 'too_small':
      if (issue.origin === 'string') return [issue.minimum === 1 ? 'field-required' : 'field-too-short', vars]
      return [issue.origin === 'array' || issue.origin === 'set' ? 'field-too-few' : 'field-too-small', vars]
    case 'too_big':
      if (issue.origin === 'string') return ['field-too-long', vars]
      return [issue.origin === 'array' || issue.origin === 'set' ? 'field-too-many' : 'field-too-big', vars]
    case 'invalid_format':
      return ['field-format', vars]
    default:
      return ['field-invalid', vars]
  }
}

/** A union is represented by its first branch that has a phrase of its own. */
export function flatIssue(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const branches = issue.errors.flat().flatMap(flatIssue)
  const speaking = branches.find((branch) => isPhrase(branch.message))
  return [speaking ? { ...speaking, path: [...issue.path, ...speaking.path] } : issue]
}
