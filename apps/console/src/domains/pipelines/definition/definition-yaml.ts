import {
  Definition,
  Job,
  type JobInput,
  Stage,
  type StageInput,
  Step,
  type StepInput,
} from '@gantry/contract/pipelines/definition'
import { LineCounter, stringify } from 'yaml'
import type { z } from 'zod'
import { t } from '../../../api/language.ts'
import { wordsOfIssue } from '../../../ui/form/problems.ts'
import type { Problem } from '../../../ui/editor/yaml-editor.tsx'
import { offsetOf, readDocument } from '../../../ui/editor/yaml-text.ts'

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A step, a job or a stage without default values, so that the text shows only decisions. */
export function withoutDefaults<S extends object>(given: S, schema: z.ZodType<object> = Step): S {
  const whole = schema.safeParse(given)
  if (!whole.success) return given
  const entries = Object.entries(given).filter(([key]) => {
    const rest = Object.fromEntries(Object.entries(given).filter(([other]) => other !== key))
    const parsed = schema.safeParse(rest)
    return !parsed.success || !same(sorted(parsed.data), sorted(whole.data))
  })
  return Object.fromEntries(entries) as S
}

const sorted = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))

/** The readable order of keys in a step, a job or a stage: its identity first, nested parts last. */
const first = ['name', 'type', 'mode', 'when', 'matrix']
const last = ['steps', 'jobs']
const ordered = (part: object): object => {
  const keys = Object.keys(part)
  const rest = keys.filter((key) => !first.includes(key) && !last.includes(key))
  const all = [...first.filter((key) => keys.includes(key)), ...rest, ...last.filter((key) => keys.includes(key))]
  return Object.fromEntries(all.map((key) => [key, (part as Record<string, unknown>)[key]]))
}

const stepsText = (steps: readonly StepInput[]): object[] => steps.map((step) => ordered(withoutDefaults(step)))
const jobText = (job: JobInput): object => ordered({ ...withoutDefaults(job, Job), steps: stepsText(job.steps) })
const stageText = (stage: StageInput): object => {
  const { jobs = [], steps = [] } = stage
  return ordered({
    ...withoutDefaults(stage, Stage),
    ...(jobs.length > 0 ? { jobs: jobs.map(jobText) } : { steps: stepsText(steps) }),
  })
}

/** Stages as they are written: without defaults, in readable order. */
export const documentOfStages = (stages: readonly StageInput[]): { stages: object[] } => ({
  stages: stages.map(stageText),
})

export const toYaml = (stages: readonly StageInput[]): string =>
  stringify(documentOfStages(stages), { lineWidth: 0, blockQuote: 'literal' })

export type FromYaml = { stages: StageInput[] } | { problems: Problem[] }

/** Parses a definition; problems have line and column, both from 1, the syntax first. */
export function fromYaml(text: string): FromYaml {
  const lines = new LineCounter()
  const document = readDocument(text, lines)
  const at = (offset: number, words: string): Problem => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col, text: words }
  }
  if (document.errors.length > 0) return { problems: document.errors.map((error) => at(error.pos[0], error.message)) }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    return { problems: [at(0, error instanceof Error ? error.message : String(error))] }
  }
  const parsed = Definition.safeParse(value ?? {})
  // The text as it was written, without added defaults.
  if (parsed.success) return { stages: (value as { stages: StageInput[] }).stages }
  return { problems: parsed.error.issues.map((issue) => at(offsetOf(document, issue), words(issue, value))) }
}

/** The problems of a text besides its syntax, which the editor finds itself. */
export function problemsOfDefinition(text: string): Problem[] {
  if (readDocument(text).errors.length > 0) return []
  const read = fromYaml(text)
  return 'problems' in read ? read.problems : []
}

/** Messages for paths of the definition, such as `stages.0.steps.1.run`, at their places in the text. */
export function placesInText(text: string, said: ReadonlyMap<string, string>): Problem[] {
  if (said.size === 0) return []
  const lines = new LineCounter()
  const document = readDocument(text, lines)
  return [...said].map(([where, words]) => {
    const path = where.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
    const { line, col } = lines.linePos(offsetOf(document, { code: 'custom', path, message: words }))
    return { line, column: col, text: words }
  })
}

type Issue = z.core.$ZodIssue

function words(issue: Issue, value: unknown): string {
  const where = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') return t('pipelines-ui-yaml-unknown', { keys: issue.keys.join(', ') })
  const given = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined | null)?.[key],
    value,
  )
  const text = wordsOfIssue(issue, given === undefined)
  return where === '' ? text : `${where}: ${text}`
}
