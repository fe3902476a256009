import { secretsBytes, Variable } from '@gantry/contract/pipelines/definition'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { keepSecret, open } from '../../kernel/secrets.ts'

/** As stored: the value of a secret is sealed. */
export const StoredVariables = z.array(Variable.extend({ value: z.string() }))
type Variables = Variable[]

/** What reads answer: secrets masked. */
export const maskedVariables = (stored: Variables): Variables =>
  stored.map((variable) => (variable.secret ? { ...variable, value: variable.value === '' ? '' : mask } : variable))

/** What to store: a masked secret keeps the value that is stored under its name. */
export function sealedVariables(ctx: Pick<Ctx, 'keys'>, given: Variables, stored: Variables): Variables {
  const sealed = given.map((variable) => {
    if (!variable.secret) return variable
    const before = stored.find((one) => one.name === variable.name && one.secret)
    return { ...variable, value: keepSecret(ctx, variable.value, before?.value ?? null, true) ?? '' }
  })
  const bytes = sealed.reduce((sum, variable) => sum + secretBytes(ctx, variable), 0)
  if (bytes > secretsBytes)
    throw new Fault('invalid', 'pipelines-secrets-too-long', {
      size: Math.ceil(bytes / 1024),
      limit: secretsBytes / 1024,
    })
  return sealed
}

/** A secret that cannot be opened any more (its key is lost) takes nothing: the others can be saved, and it written anew. */
function secretBytes(ctx: Pick<Ctx, 'keys'>, { secret, value }: Variables[number]): number {
  if (!secret || value === '') return 0
  try {
    return Buffer.byteLength(open(ctx, value))
  } catch {
    return 0
  }
}

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
