import type { Condition } from '@gantry/contract/pipelines/conditions'
import { deployTypes, type Step } from '@gantry/contract/pipelines/definition'
import { anyGlob, anyPath } from '../triggers/globs.ts'

/** What conditions are about. */
export interface Facts {
  /** Empty for a tag, and for a fork's merge request: its author chooses how its branch is called. */
  branch: string
  tag: string
  /** Null where nobody knows. */
  changedPaths: readonly string[] | null
  parameters: Readonly<Record<string, string>>
  /** It is of a fork's merge request. */
  fork: boolean
  /** The outputs so far, by `step.KEY`. */
  outputs: ReadonlyMap<string, string>
}

/**
 * Steps that would use what a fork's merge request is not given: credentials of registries and servers, and the rights
 * of who saved its trigger.
 */
const trustedTypes: ReadonlySet<string> = new Set<Step['type']>([
  'image',
  'copy',
  ...deployTypes,
  'code-quality',
  'http',
  'mail',
  'pipeline',
])

/** Whether a build leaves out steps of a type because it is of a fork's merge request. */
export const isWithheld = (type: string, fork: boolean): boolean => fork && trustedTypes.has(type)

const one = (some: readonly string[], text: string): boolean => text !== '' && some.length > 0 && anyGlob(some)(text)

/** Whether what the trigger says of a build fulfils a condition: all but its result and the outputs of its steps. */
export function holdsFor(when: Condition | undefined, { branch, tag, changedPaths, parameters }: Facts): boolean {
  if (!when) return true
  const { branches, tags, paths, parameter } = when
  // a build of a tag has no branch, and the other way round: named together, either is enough
  const byRef = branches === undefined && tags === undefined
  if (!byRef && !one(branches ?? [], branch) && !one(tags ?? [], tag)) return false
  if (paths && changedPaths && !changedPaths.some(anyPath(paths))) return false
  return !parameter || parameter.in.includes(parameters[parameter.name] ?? '')
}

/** The same for a step: whether the trigger lets a build come to it. */
export const stepHolds = (step: Step, facts: Facts): boolean =>
  holdsFor(step.when, facts) && !isWithheld(step.type, facts.fork)

export const outputHolds = (when: Condition | undefined, outputs: ReadonlyMap<string, string>): boolean =>
  !when?.output || when.output.in.includes(outputs.get(when.output.name) ?? '')

export const resultHolds = (result: Condition['result'], failed: boolean): boolean =>
  result === 'always' || (result === 'failed') === failed

/** The result that a step waits for: its own word, else that of what it is in. */
export const resultOfStep = (step: Pick<Step, 'always' | 'when'>, around: Condition | undefined): Condition['result'] =>
  step.when?.result ?? (step.always ? 'always' : around?.result)
