import { Changes, fieldSchemas, type Change, type StepType } from '@gantry/contract/batch-edits/changes'
import { z } from 'zod'
import { wordsOfIssue } from '../../../ui/form/problems.ts'

export type ChangeType = Change['type']

/** A change while it is being edited: fields without input are absent. */
export type Draft = { type: ChangeType } & Record<string, unknown>

/** The initial draft of each type. */
export function emptyDraft(type: ChangeType): Draft {
  switch (type) {
    case 'set':
    case 'set-stage':
    case 'set-job':
      return fieldDraft({ type }, fieldSchemas[type]?.[0]?.[0] ?? '')
    case 'set-step':
      return fieldDraft({ type, step: 'script' satisfies StepType }, 'run')
    case 'set-variable':
      return { type, variable: { name: '', value: '', secret: false } }
    case 'set-parameter':
      return { type, parameter: { name: '', defaultValue: '' } }
    case 'add-labels':
    case 'remove-labels':
      return { type, labels: [] }
    case 'replace-text':
      return { type, in: 'scripts', find: '', replacement: '' }
    case 'set-step-variable':
      return { type, name: '', value: '' }
    case 'add-step':
      return { type, at: 'last', beside: '', step: { type: 'script', name: '', run: '' } }
    case 'remove-step':
      return { type, step: 'any' }
    default:
      return { type, name: '' }
  }
}

/** The rules for the value of a draft. */
export const schemaOf = ({ type, step, field }: Draft): z.ZodType | undefined =>
  fieldsOf(type, step as StepType).find(([name]) => name === field)?.[1]

export const fieldsOf = (type: ChangeType, step?: StepType) =>
  fieldSchemas[type === 'set-step' ? `set-step.${step ?? 'script'}` : type] ?? []

/** Settings whose values can never be read again. */
export const secretFields: ReadonlySet<string> = new Set(['repository.password', 'repository.privateKey'])

/** A draft for another field: its value starts as the field's control does. */
export function fieldDraft(draft: Draft, field: string): Draft {
  const { value: _, secret: _secret, ...rest } = draft
  const next = { ...rest, field, ...(secretFields.has(field) && { secret: true }) } as Draft
  const schema = schemaOf(next)
  return schema instanceof z.ZodBoolean ? { ...next, value: false } : next
}

/** A nullable schema without null: the schema of a present value. */
export const presentSchema = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodNullable ? presentSchema(schema.unwrap() as z.ZodType) : schema

/** The changes if all drafts are complete; otherwise the problems, by the index of the draft. */
export function readDrafts(drafts: readonly Draft[]): { changes?: Change[]; problems: ReadonlyMap<number, string> } {
  const parsed = Changes.safeParse(drafts)
  if (parsed.success) return { changes: parsed.data, problems: new Map() }
  const problems = new Map<number, string>()
  for (const issue of parsed.error.issues) {
    const at = Number(issue.path[0])
    if (Number.isNaN(at) || problems.has(at)) continue
    const value = issue.path.reduce<unknown>(
      (part, key) => (part as Record<PropertyKey, unknown> | undefined | null)?.[key],
      drafts,
    )
    problems.set(at, wordsOfIssue(issue, value === undefined || value === ''))
  }
  return { problems }
}
