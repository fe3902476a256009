import { Variable } from '@gantry/contract/pipelines/definition'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { keepSecret, open } from '../../kernel/secrets.ts'

/** As stored: the value of a secret is sealed. */
export const StoredVariables = z.array(Variable.extend({ value: z.string() }))
type Variables = Variable[]

/** What reads answer: secrets masked. */
export const maskedVariables = (stored: Variables): Variables =>
  stored.map((variable) => (variable.secret ? { ...variable, value: variable.value === '' ? '' : mask } : variable))

/** What to store: a masked secret keeps the value that is stored under its name. */
export const sealedVariables = (ctx: Pick<Ctx, 'keys'>, given: Variables, stored: Variables): Variables =>
  given.map((variable) => {
    if (!variable.secret) return variable
    const before = stored.find((one) => one.name === variable.name && one.secret)
    return { ...variable, value: keepSecret(ctx, variable.value, before?.value ?? null, true) ?? '' }
  })

/** For a build: values in the clear, and those that no log may show. */
export function openedVariables(
  ctx: Pick<Ctx, 'keys'>,
  stored: Variables,
): { environment: { name: string; value: string }[]; secrets: string[] } {
  const environment = stored.map(({ name, value, secret }) => ({
    name,
    value: secret && value !== '' ? open(ctx, value) : value,
  }))
  return { environment, secrets: environment.filter((_, at) => stored[at]?.secret).map(({ value }) => value) }
}
