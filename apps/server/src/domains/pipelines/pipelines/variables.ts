import { secretsBytes, Variable } from '@gantry/contract/pipelines/parameters'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { keepSecret, open, openOr } from '../../../kernel/secrets/secrets.ts'
import { anyGlob } from '../triggers/globs.ts'

/** As stored: secret values are sealed. */
export const StoredVariables = z.array(Variable.extend({ value: z.string() }))
type Variables = Variable[]

/** Variables for answers: secret values are masked. */
export const maskedVariables = (stored: Variables): Variables =>
  stored.map((variable) => (variable.secret ? { ...variable, value: variable.value === '' ? '' : mask } : variable))

/** Variables to store: a masked secret keeps the value that is stored under its name. */
export function sealedVariables(ctx: Pick<Ctx, 'keys' | 'secrets'>, given: Variables, stored: Variables): Variables {
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

/**
 * A secret that can no longer be opened (its key is lost) counts as empty: others can be saved, and it can be replaced.
 */
function secretBytes(ctx: Pick<Ctx, 'keys' | 'secrets'>, { secret, value }: Variables[number]): number {
  if (!secret || value === '') return 0
  try {
    return Buffer.byteLength(open(ctx, value))
  } catch {
    return 0
  }
}

/**
 * The variables that a build may have: secret ones only for its branch, and not at all in the build of a fork's merge
 * request, whose author decides what runs. A build of a tag has no branch.
 */
export const variablesFor = (
  variables: Variables,
  { branch, mergeRequest }: { branch: string; mergeRequest: { fork: boolean } | null },
): Variables =>
  variables.filter(
    ({ secret, branches = [] }) =>
      !secret || (mergeRequest?.fork !== true && (branches.length === 0 || anyGlob(branches)(branch))),
  )

/** The plain variables of a build, and the values to mask in logs. */
export function openedVariables(
  ctx: Pick<Ctx, 'keys' | 'secrets'>,
  stored: Variables,
): { environment: { name: string; value: string; steps?: string[] }[]; secrets: string[] } {
  const environment = stored.map(({ name, value, secret, steps }) => ({
    name,
    value:
      secret && value !== ''
        ? openOr(ctx, value, () => new Fault('conflict', 'pipelines-secret-sealed', { name }))
        : value,
    ...(secret && steps && steps.length > 0 && { steps }),
  }))
  return { environment, secrets: environment.filter((_, at) => stored[at]?.secret).map(({ value }) => value) }
}

/**
 * Names from which a loader, a shell, git or a language runtime takes code, or the path of code, before the script's
 * first line runs; and names that the product sets for steps.
 */
const reserved = new RegExp(
  `^(${[
    'PATH|HOME|IFS|CI|GANTRY_.*|GIT_.*',
    'LD_.*|DYLD_.*',
    'ENV|CDPATH|PS4|SHELLOPTS|BASHOPTS|BASH_.*',
    'NODE_OPTIONS|NODE_PATH|PYTHON(PATH|HOME|STARTUP)|PERL5(LIB|OPT|DB)|RUBY(LIB|OPT)',
    'JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS',
  ].join('|')})$`,
)

/**
 * A parameter cannot have such a name, because a user who may only start builds chooses values, never what is executed.
 * A variable can, because its author writes the scripts too. A parameter stored earlier keeps its editor's default.
 */
export function refuseReserved(parameters: string[]): void {
  const name = parameters.find((one) => reserved.test(one))
  if (name !== undefined) throw new Fault('invalid', 'pipelines-parameter-reserved', { name })
}
