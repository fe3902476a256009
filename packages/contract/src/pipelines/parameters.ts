import { z } from 'zod'
import { envKey, refName, text } from '../validators.ts'

export const ParameterKind = z.enum(['text', 'number', 'choice', 'boolean', 'branch', 'secret'])
export type ParameterKind = z.infer<typeof ParameterKind>

const value = z.string().max(4096, 'value-too-long')

/**
 * A value that is set when a build is triggered. All values are texts: a number in decimal notation, `true` or `false`,
 * the name of a branch. A secret's default is encrypted at rest and returned as the mask.
 */
export const Parameter = z
  .strictObject({
    name: envKey,
    description: text(1000, 'description-too-long').default(''),
    kind: ParameterKind.default('text'),
    /** A build is refused if the value is empty. */
    required: z.boolean().default(false),
    /** The values of a choice. */
    values: z.array(z.string().trim().max(4096, 'value-too-long')).max(100, 'list-too-long').default([]),
    /** For a text or a secret: a regular expression (RE2) that the whole value must match. */
    pattern: z.string().max(200, 'pattern-too-long').default(''),
    defaultValue: value.default(''),
  })
  .refine(
    ({ kind, values }) =>
      kind !== 'choice' || (values.length > 0 && !values.includes('') && new Set(values).size === values.length),
    { message: 'parameter-values', path: ['values'] },
  )
export type Parameter = z.infer<typeof Parameter>

export type ParameterProblem =
  | 'parameter-required'
  | 'parameter-number'
  | 'parameter-boolean'
  | 'parameter-choice'
  | 'branch-invalid'

const number = /^-?\d+(\.\d+)?$/
const branch = refName('branch')

/** The problem of a build's value for the parameter, apart from its pattern; an empty value is one if required. */
export function problemOfValue(
  { kind, required, values }: Pick<Parameter, 'kind' | 'required' | 'values'>,
  given: string,
): ParameterProblem | undefined {
  if (given === '') return required ? 'parameter-required' : undefined
  if (kind === 'number' && !number.test(given)) return 'parameter-number'
  if (kind === 'boolean' && given !== 'true' && given !== 'false') return 'parameter-boolean'
  if (kind === 'choice' && !values.includes(given)) return 'parameter-choice'
  if (kind === 'branch' && !branch.safeParse(given).success) return 'branch-invalid'
  return undefined
}

const scope = (max: number) =>
  z.array(z.string().trim().min(1).max(max, 'value-too-long')).max(50, 'list-too-long').optional()

/** A variable of a build's environment. A secret is encrypted at rest and masked in logs and answers. */
export const Variable = z.strictObject({
  name: envKey,
  value: z.string().max(32_768, 'value-too-long'),
  secret: z.boolean().default(false),
  /** For a secret: globs of the branches whose builds get it, and names of the steps. Empty: all of them. */
  branches: scope(255),
  steps: scope(60),
})
export type Variable = z.infer<typeof Variable>

/**
 * Limit of all secret variables of a pipeline, or of a group, in bytes of UTF-8: about ten kubeconfigs. An agent
 * searches every output of a step for each of them, in all spellings.
 */
export const secretsBytes = 64 * 1024
