import type { FieldProblem } from '@gantry/contract/envelope'
import type { Condition } from '@gantry/contract/pipelines/conditions'
import type { Step } from '@gantry/contract/pipelines/definition'
import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { canMatch } from '@gantry/contract/pipelines/path-pattern'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Lang } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'

/** A text of a document, at its path. */
interface Part {
  kind: keyof typeof rules
  text: string
  path: string
}

/** Refused when somebody writes it. A value stored before the rule existed is read, runs and may be kept. */
const rules = {
  /** Names are parts of paths by which logs and results are found. */
  name: { isWrong: (text: string) => text === '.' || text === '..', key: 'name-dots' },
  /** Shells set no other names, and drop them from the environment of their children. */
  variable: { isWrong: (text: string) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(text), key: 'variable-name-shell' },
  pattern: { isWrong: (text: string) => !canMatch(text), key: 'glob-path-never' },
} as const satisfies Record<string, { isWrong: (text: string) => boolean; key: PhraseKey }>

const variables = (list: readonly { name: string }[], at: string): Part[] =>
  list.map(({ name }, index) => ({ kind: 'variable', text: name, path: `${at}.${index}.name` }))

const condition = (when: Condition | undefined, at: string): Part[] =>
  (when?.paths ?? []).map((text, index) => ({ kind: 'pattern', text, path: `${at}.when.paths.${index}` }))

const commonParts = ({ name, when }: { name: string; when?: Condition | undefined }, at: string): Part[] => [
  { kind: 'name', text: name, path: `${at}.name` },
  ...condition(when, at),
]

const steps = (list: readonly Step[], at: string): Part[] =>
  list.flatMap((step, index) => [
    ...commonParts(step, `${at}.steps.${index}`),
    ...(step.type === 'script' ? variables(step.environment, `${at}.steps.${index}.environment`) : []),
  ])

function* partsOf({ variables: own = [], parameters = [], definition }: Partial<PipelineDocument>): Generator<Part> {
  yield* variables(own, 'variables')
  yield* variables(parameters, 'parameters')
  for (const [index, stage] of (definition?.stages ?? []).entries()) {
    const at = `stages.${index}`
    yield* commonParts(stage, at)
    yield* steps(stage.steps, at)
    for (const [index, job] of stage.jobs.entries()) {
      const inJob = `${at}.jobs.${index}`
      yield* commonParts(job, inJob)
      for (const name of Object.keys(job.matrix?.axes ?? {}))
        yield { kind: 'variable', text: name, path: `${inJob}.matrix.axes.${name}` }
      yield* steps(job.steps, inJob)
    }
  }
}

const wrongIn = (document: Partial<PipelineDocument>): Part[] =>
  [...partsOf(document)].filter(({ kind, text }) => rules[kind].isWrong(text))

/** Refuses wrong names and patterns, each at its field, unless `before` has them already. */
export function refuseWrongNames(
  lang: Lang,
  given: Partial<PipelineDocument>,
  before: Partial<PipelineDocument> = {},
): void {
  const stored = new Set(wrongIn(before).map(({ kind, text }) => `${kind} ${text}`))
  const wrong = wrongIn(given).filter(({ kind, text }) => !stored.has(`${kind} ${text}`))
  const [first] = wrong
  if (!first) return
  const problems = wrong.map(({ kind, text, path }): FieldProblem => {
    const { key } = rules[kind]
    return { path, key, text: say(lang, key, { name: text }) }
  })
  throw new Fault('invalid', rules[first.kind].key, { name: first.text }, problems)
}
