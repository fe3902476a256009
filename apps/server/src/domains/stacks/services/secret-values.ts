import type { Outward } from '@gantry/contract/stacks/outward'
import { instancesOf } from '@gantry/contract/stacks/scaling/autoscaling'
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

/** Replaces the private keys of certificates. */
function withEachKey(outward: Outward, replaced: (key: string, value: string) => string): Outward {
  const certified = <T extends { host: string; key: string }>(one: T): T => ({
    ...one,
    key: replaced(`tls ${one.host}`, one.key),
  })
  if (outward.type === 'lb' && outward.certificates)
    return { ...outward, certificates: outward.certificates.map(certified) }
  if (outward.type !== 'ingress') return outward
  const hosts = outward.hosts.map((one) =>
    one.tls ? { ...one, tls: { ...one.tls, key: replaced(`tls ${one.host}`, one.tls.key) } } : one,
  )
  return { ...outward, hosts }
}

/**
 * A specification with every secret value replaced. Each has a unique key: that of a variable is its name, which
 * contains neither a space nor a slash.
 */
export const withEachSecret = (spec: ServiceSpec, replaced: (key: string, value: string) => string): ServiceSpec => {
  const variables = (of: ServiceSpec['environment'], above: string) =>
    of.map((one) => (one.secret ? { ...one, value: replaced(`${above}${one.name}`, one.value) } : one))
  return {
    ...spec,
    environment: variables(spec.environment, ''),
    ...(spec.files && {
      files: spec.files.map((file) =>
        file.secret ? { ...file, content: replaced(`file ${file.path}`, file.content) } : file,
      ),
    }),
    ...(spec.containers && {
      containers: spec.containers.map((one) => ({ ...one, environment: variables(one.environment, `${one.name}/`) })),
    }),
    ...(spec.outward && { outward: withEachKey(spec.outward, replaced) }),
  }
}

/**
 * Splits a specification into the visible part, with masked secrets, and their values, sealed. A masked secret keeps
 * the value that `stored` has under its key.
 */
export function withoutSecrets(
  ctx: Opener,
  given: ServiceSpec,
  stored: string | null,
): { spec: ServiceSpec; secrets: string | null } {
  const before = valuesOf(ctx, stored)
  const values: [string, string][] = []
  const spec = withEachSecret(given, (key, value) => {
    values.push([key, value === mask ? (before.get(key) ?? '') : value])
    return value === '' ? '' : mask
  })
  return { spec, secrets: values.length === 0 ? null : seal(ctx, JSON.stringify(Object.fromEntries(values))) }
}

/** The specification with the values of its secrets; only for the cluster. */
export function withSecrets(
  ctx: Opener,
  { spec, secrets }: { spec: ServiceSpec; secrets: string | null },
): ServiceSpec {
  const values = valuesOf(ctx, secrets)
  return withEachSecret(spec, (key) => values.get(key) ?? '')
}

/** The specification for creating objects: with the values of secrets and the wanted number of instances. */
export const asWanted = (
  ctx: Opener,
  service: { spec: ServiceSpec; secrets: string | null; instances: number | null },
): ServiceSpec => ({ ...withSecrets(ctx, service), replicas: instancesOf(service.spec, service.instances) })

/** Whether a specification has secret values, which a revision must have stored to be restorable. */
export function hasSecrets(spec: ServiceSpec): boolean {
  let found = false
  withEachSecret(spec, (_key, value) => {
    if (value !== '') found = true
    return value
  })
  return found
}

/** Whether two sealed sets have the same values. */
export function sameSecrets(ctx: Opener, one: string | null, other: string | null): boolean {
  const [a, b] = [valuesOf(ctx, one), valuesOf(ctx, other)]
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}
