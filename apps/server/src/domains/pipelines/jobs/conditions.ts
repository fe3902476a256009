import type { Condition } from '@gantry/contract/pipelines/conditions'
import { deployTypes, type Step } from '@gantry/contract/pipelines/definition'
import { anyGlob, anyPath } from '../triggers/globs.ts'

/** What conditions are evaluated on. */
export interface Facts {
  /** Empty for a tag, and for a fork's merge request, because its author chooses the branch's name. */
  branch: string
  tag: string
  /** Null if unknown. */
  changedPaths: readonly string[] | null
  parameters: Readonly<Record<string, string>>
  /** Whether the build is of a fork's merge request. */
  fork: boolean
  /** The outputs so far, by `step.KEY`. */
  outputs: ReadonlyMap<string, string>
}

/**
 * Steps that would use what a fork's merge request is not given: credentials of registries and servers, and the
 * permissions of the user who saved its trigger.
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

/** Whether a build leaves out steps of this type because it is of a fork's merge request. */
export const isWithheld = (type: string, fork: boolean): boolean => fork && trustedTypes.has(type)

const one = (some: readonly string[], text: string): boolean => text !== '' && some.length > 0 && anyGlob(some)(text)

/** Whether the trigger's facts fulfil a condition; the result and the outputs of steps are not considered. */
export function holdsFor(when: Condition | undefined, { branch, tag, changedPaths, parameters }: Facts): boolean {
  if (!when) return true
  const { branches, tags, paths, parameter } = when
  // a build has either a branch or a tag: if both are conditions, one is enough
  const byRef = branches === undefined && tags === undefined
  if (!byRef && !one(branches ?? [], branch) && !one(tags ?? [], tag)) return false
  if (paths && changedPaths && !changedPaths.some(anyPath(paths))) return false
  return !parameter || parameter.in.includes(parameters[parameter.name] ?? '')
}

/** The same for a step, which a fork's build may leave out. */
export const stepHolds = (step: Step, facts: Facts): boolean =>
  holdsFor(step.when, facts) && !isWithheld(step.type, facts.fork)

export const outputHolds = (when: Condition | undefined, outputs: ReadonlyMap<string, string>): boolean =>
  !when?.output || when.output.in.includes(outputs.get(when.output.name) ?? '')

export const resultHolds = (result: Condition['result'], failed: boolean): boolean =>
  result === 'always' || (result === 'failed') === failed

/** The result that a step waits for: its own condition's, else that of what contains it. */
export const resultOfStep = (step: Pick<Step, 'always' | 'when'>, around: Condition | undefined): Condition['result'] =>
  step.when?.result ?? (step.always ? 'always' : around?.result)
