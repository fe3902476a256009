import type { FieldProblem } from '@gantry/contract/envelope'
import { type Parameter, problemOfValue } from '@gantry/contract/pipelines/parameters'
import { mask } from '@gantry/contract/validators'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { RE2JS } from 're2js'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { keepSecret, seal, maskSealed } from '../../../kernel/secrets/secrets.ts'
import { refuseReserved } from './variables.ts'

/** Parameters for answers: the defaults of secrets are masked. */
export const maskedParameters = (stored: Parameter[]): Parameter[] =>
  stored.map((one) => (one.kind === 'secret' ? { ...one, defaultValue: maskSealed(one.defaultValue) } : one))

/** Parameters to store: a masked default keeps the value that is stored under its name. */
export const sealedParameters = (ctx: Ctx, given: Parameter[], stored: Parameter[]): Parameter[] =>
  given.map((one) => {
    if (one.kind !== 'secret') return one
    const before = stored.find(({ name, kind }) => name === one.name && kind === 'secret')
    return { ...one, defaultValue: keepSecret(ctx, one.defaultValue, before?.defaultValue ?? null, true) ?? '' }
  })

/** RE2 takes linear time for every pattern. */
const matches = (pattern: string, value: string): boolean => RE2JS.matches(pattern, value)

/** Refuses a pattern that RE2 cannot read, and a default that no build could be triggered with. */
export function refuseUnsound(parameters: readonly Parameter[]): void {
  for (const { name, pattern, ...one } of parameters) {
    if (pattern !== '') {
      try {
        RE2JS.compile(pattern)
      } catch {
        throw new Fault('invalid', 'pipelines-parameter-pattern-invalid', { name, pattern })
      }
    }
    const { kind, defaultValue } = one
    // the mask stands for a stored default, which was checked when it was stored
    if (defaultValue === '' || (kind === 'secret' && defaultValue === mask)) continue
    if (problemOfValue(one, defaultValue) || (pattern !== '' && !matches(pattern, defaultValue)))
      throw new Fault('invalid', 'pipelines-parameter-default', { name })
  }
}

/** A build's values for answers: those of secrets are masked. */
export const maskedValues = (values: Record<string, string>, secrets: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secrets.includes(name) ? maskSealed(value) : value]),
  )

interface BuildParameters {
  /** By name; secret values are sealed. */
  parameters: Record<string, string>
  /** The names of the sealed ones. */
  secrets: string[]
}

/**
 * The parameters of a build: the given values, else the defaults. The mask stands for the default of a secret. Refuses
 * invalid values, with a problem for each.
 */
export function parametersOfBuild(
  ctx: Ctx,
  declared: readonly Parameter[],
  given: Record<string, string>,
): BuildParameters {
  const names = Object.keys(given)
  refuseReserved(names)
  const unknown = names.find((name) => !declared.some((one) => one.name === name))
  if (unknown !== undefined) throw new Fault('invalid', 'pipelines-parameter-unknown', { name: unknown })
  const problems: FieldProblem[] = []
  const parameters: Record<string, string> = {}
  for (const one of declared) {
    const { name, kind, pattern, defaultValue } = one
    const value = given[name]
    const isSecret = kind === 'secret'
    const stored = value === undefined || (isSecret && value === mask)
    const filled = stored ? defaultValue : value
    const refused = (key: PhraseKey) =>
      problems.push({ path: `parameters.${name}`, key, text: say(ctx.lang, key, { name, pattern }) })
    const problem = stored && isSecret && filled !== '' ? undefined : problemOfValue(one, filled)
    if (problem) refused(problem)
    else if (!stored && filled !== '' && pattern !== '' && !matches(pattern, filled)) refused('parameter-pattern')
    if (isSecret && !stored) ctx.told.add(filled)
    parameters[name] = isSecret && !stored && filled !== '' ? seal(ctx, filled) : filled
  }
  const [first] = problems
  if (first) throw new Fault('invalid', 'pipelines-parameters-wrong', { problems: saidOf(problems) }, problems)
  return { parameters, secrets: declared.filter(({ kind }) => kind === 'secret').map(({ name }) => name) }
}

/** One text for callers that cannot show each problem at its field, such as a log or a git host. */
const saidOf = (problems: FieldProblem[]): string =>
  problems.map(({ path, text }) => `${path.slice('parameters.'.length)}: ${text}`).join('; ')
