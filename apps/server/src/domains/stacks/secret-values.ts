import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { open, seal } from '../../kernel/secrets.ts'

type HasKeys = Pick<Ctx, 'keys'>

const Values = z.record(z.string(), z.string())

const valuesOf = (ctx: HasKeys, sealed: string | null): Record<string, string> =>
  sealed === null ? {} : Values.parse(JSON.parse(open(ctx, sealed)))

/**
 * Parts a specification into what may be shown, its secret variables masked, and their values, sealed. A masked one keeps the value
 * that `stored` has under its name.
 */
export function withoutSecrets(
  ctx: HasKeys,
  given: ServiceSpec,
  stored: string | null,
): { spec: ServiceSpec; secrets: string | null } {
  const before = valuesOf(ctx, stored)
  const values = given.environment
    .filter((variable) => variable.secret)
    .map(({ name, value }) => [name, value === mask ? (before[name] ?? '') : value] as const)
  return {
    spec: {
      ...given,
      environment: given.environment.map((variable) =>
        variable.secret ? { ...variable, value: variable.value === '' ? '' : mask } : variable,
      ),
    },
    secrets: values.length === 0 ? null : seal(ctx, JSON.stringify(Object.fromEntries(values))),
  }
}

/** The specification with the values of its secret variables: only for the cluster. */
export function withSecrets(
  ctx: HasKeys,
  { spec, secrets }: { spec: ServiceSpec; secrets: string | null },
): ServiceSpec {
  const values = valuesOf(ctx, secrets)
  return {
    ...spec,
    environment: spec.environment.map((variable) =>
      variable.secret ? { ...variable, value: values[variable.name] ?? '' } : variable,
    ),
  }
}
