import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { mask } from '@gantry/contract/validators'
import { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { open, seal } from '../../../kernel/secrets/secrets.ts'

type Opener = Pick<Ctx, 'keys' | 'secrets'>

const Entries = z.array(z.tuple([z.string(), z.string()]))

/** A Map, because users may choose names that every object has: `constructor`, `__proto__`. */
function valuesOf(ctx: Opener, sealed: string | null): Map<string, string> {
  const values = new Map(sealed === null ? [] : Entries.parse(Object.entries(JSON.parse(open(ctx, sealed)) as object)))
  for (const value of values.values()) ctx.secrets.add(value)
  return values
}

/**
 * Splits a specification into what may be shown, its secret variables masked, and their values, sealed. A masked one
 * keeps the value that `stored` has under its name.
 */
export function withoutSecrets(
  ctx: Opener,
  given: ServiceSpec,
  stored: string | null,
): { spec: ServiceSpec; secrets: string | null } {
  const before = valuesOf(ctx, stored)
  const values = given.environment
    .filter((variable) => variable.secret)
    .map(({ name, value }) => [name, value === mask ? (before.get(name) ?? '') : value] as const)
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
  ctx: Opener,
  { spec, secrets }: { spec: ServiceSpec; secrets: string | null },
): ServiceSpec {
  const values = valuesOf(ctx, secrets)
  return {
    ...spec,
    environment: spec.environment.map((variable) =>
      variable.secret ? { ...variable, value: values.get(variable.name) ?? '' } : variable,
    ),
  }
}
