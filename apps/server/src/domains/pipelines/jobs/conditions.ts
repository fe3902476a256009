import type { Condition } from '@gantry/contract/pipelines/conditions'
import type { Step } from '@gantry/contract/pipelines/definition'

/** What conditions are about. */
export interface Facts {
  branch: string
  tag: string
  /** Null where nobody knows. */
  changedPaths: readonly string[] | null
  parameters: Readonly<Record<string, string>>
  /** The outputs so far, by `step.KEY`. */
  outputs: ReadonlyMap<string, string>
}

const patterns = new Map<string, RegExp>()

/** `*` stands for any text without a slash, `**` for any text, `?` for one character. */
export function matches(pattern: string, text: string): boolean {
  let known = patterns.get(pattern)
  if (!known) {
    const source = pattern.replaceAll(/\*\*\/?|[*?]|[^*?]+/g, (part) => {
      if (part === '*') return '[^/]*'
      if (part === '?') return '[^/]'
      if (part === '**') return '.*'
      return part === '**/' ? '(.*/)?' : part.replaceAll(/[.+^${}()|[\]\\/-]/g, '\\$&')
    })
    known = new RegExp(`^${source}$`, 's')
    if (patterns.size > 1000) patterns.clear()
    patterns.set(pattern, known)
  }
  return known.test(text)
}

const one = (some: readonly string[], text: string): boolean =>
  text !== '' && some.some((pattern) => matches(pattern, text))

/** Whether what the trigger says of a build fulfils a condition: all but its result and the outputs of its steps. */
export function holdsFor(when: Condition | undefined, { branch, tag, changedPaths, parameters }: Facts): boolean {
  if (!when) return true
  const { branches, tags, paths, parameter } = when
  // a build of a tag has no branch, and the other way round: named together, either is enough
  const byRef = branches === undefined && tags === undefined
  if (!byRef && !one(branches ?? [], branch) && !one(tags ?? [], tag)) return false
  if (paths && changedPaths && !changedPaths.some((path) => one(paths, path))) return false
  return !parameter || parameter.in.includes(parameters[parameter.name] ?? '')
}

export const outputHolds = (when: Condition | undefined, outputs: ReadonlyMap<string, string>): boolean =>
  !when?.output || when.output.in.includes(outputs.get(when.output.name) ?? '')

export const resultHolds = (result: Condition['result'], failed: boolean): boolean =>
  result === 'always' || (result === 'failed') === failed

/** The result that a step waits for: its own word, else that of what it is in. */
export const resultOfStep = (step: Pick<Step, 'always' | 'when'>, around: Condition | undefined): Condition['result'] =>
  step.when?.result ?? (step.always ? 'always' : around?.result)
