import { z } from 'zod'
import { type Parameter, problemOfValue } from '@gantry/contract/pipelines/parameters'
import { mask } from '@gantry/contract/validators'

/** Whether the whole value matches the pattern. */
export type Matches = (pattern: string, value: string) => boolean

/** Loaded only if a parameter has a pattern: the engine is larger than the dialog. */
export async function matcherFor(parameters: readonly Parameter[]): Promise<Matches> {
  if (parameters.every(({ pattern }) => pattern === '')) return () => true
  const { RE2JS } = await import('re2js')
  return (pattern, value) => RE2JS.matches(pattern, value)
}

const value = z.string({ error: 'parameter-required' }).max(4096, 'value-too-long')

/** The values of these parameters, by the rules that the server checks again. */
export const parameterValues = (parameters: readonly Parameter[], matches: Matches) =>
  z.object(
    Object.fromEntries(
      parameters.map((one) => [
        one.name,
        // a form omits blank fields, and omitted ones are only checked if they are not optional
        (one.required ? value : value.optional()).superRefine((given = '', ctx) => {
          // the mask stands for the stored default
          if (one.kind === 'secret' && given === mask) return
          const problem = problemOfValue(one, given)
          if (problem) ctx.addIssue({ code: 'custom', message: problem })
          else if (given !== '' && one.pattern !== '' && !matches(one.pattern, given))
            ctx.addIssue({ code: 'custom', message: 'parameter-pattern', pattern: one.pattern } as never)
        }),
      ]),
    ),
  )
