import type { Change } from '@gantry/contract/batch-edits/changes'
import type { OsType } from '@gantry/contract/pipelines/definition'
import type { PhraseKey } from '../../../api/language.ts'
import { t } from '../../../api/language.ts'
import { osNames } from '../../../ui/os-names.ts'
import type { ChangeType } from './drafts.ts'

const grouped: readonly [group: PhraseKey, types: readonly ChangeType[]][] = [
  ['batch-edits-ui-group-settings', ['set', 'add-labels', 'remove-labels']],
  [
    'batch-edits-ui-group-variables',
    [
      'set-variable',
      'remove-variable',
      'set-parameter',
      'remove-parameter',
      'set-step-variable',
      'remove-step-variable',
    ],
  ],
  ['batch-edits-ui-group-steps', ['replace-text', 'set-step', 'add-step', 'remove-step', 'set-job', 'set-stage']],
]

/** The types of changes, as options of a select. */
export const typeGroups = () =>
  grouped.map(([group, types]) => ({
    label: t(group),
    options: types.map((value) => ({ value, label: typeWord(value) })),
  }))

const typeWord = (type: ChangeType): string => t(`batch-edits-ui-type-${type}`)

/** A field's label. Some names mean the same in settings and steps. */
export const fieldWord = (field: string): string => t(`batch-edits-ui-field-${field}` as PhraseKey)

const words: Record<string, (value: string) => string> = {
  mode: (value) => t(`pipelines-ui-mode-${value}` as PhraseKey),
  executor: (value) => t(`pipelines-ui-job-executor-${value}` as PhraseKey),
  method: (value) => t(`pipelines-ui-method-${value}` as PhraseKey),
  osType: (value) => osNames[value as OsType],
}

/** A choice of a field with the label of the pipeline's form; a shell has its own name. */
export const choiceWord = (field: string, value: string): string => words[field]?.(value) ?? value

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const [first = ''] = text.split('\n')
  return first.length < text.length || first.length > 60 ? `${first.slice(0, 60)}…` : first
}

const valueWord = (field: string, value: unknown): string =>
  value === null ? '–' : typeof value === 'string' && field in words ? choiceWord(field, value) : short(value)

const placeOf = (change: Change): string => {
  const where: Record<string, string> = 'where' in change ? change.where : {}
  const names = ['stage', 'job', 'step'].flatMap((place) => (where[place] ? [where[place]] : []))
  return names.length === 0 ? '' : ` (${names.join(' / ')})`
}

/** A change in one line. */
export function changeWords(change: Change): string {
  const what = typeWord(change.type)
  switch (change.type) {
    case 'set':
    case 'set-stage':
    case 'set-job':
    case 'set-step':
      return `${what}${placeOf(change)}: ${fieldWord(change.field)} = ${valueWord(change.field, change.value)}`
    case 'set-variable':
      return `${what}: ${change.variable.name} = ${short(change.variable.value)}`
    case 'set-parameter':
      return `${what}: ${change.parameter.name} = ${short(change.parameter.defaultValue)}`
    case 'set-step-variable':
      return `${what}${placeOf(change)}: ${change.name} = ${short(change.value)}`
    case 'remove-variable':
    case 'remove-parameter':
    case 'remove-step-variable':
      return `${what}${placeOf(change)}: ${change.name}`
    case 'add-labels':
    case 'remove-labels':
      return `${what}: ${change.labels.join(', ')}`
    case 'replace-text':
      return `${what} (${t(`batch-edits-ui-in-${change.in}`)})${placeOf(change)}: ${short(change.find)} → ${short(change.replacement)}`
    case 'add-step':
      return `${what}${placeOf(change)}: ${change.step.name}`
    case 'remove-step':
      return `${what}${placeOf(change)}`
  }
}
