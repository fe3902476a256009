import type { Sized } from '@gantry/contract/stacks/demand'
import { ServiceSpec } from '@gantry/contract/stacks/spec'

const { replicas, resources } = ServiceSpec.shape

/** What decides the size of a service, out of a form that is being filled in; undefined while it is not yet right. */
export function sizedOf(values: unknown): Sized | undefined {
  const given = (values ?? {}) as { replicas?: unknown; resources?: unknown }
  const count = replicas.safeParse(given.replicas)
  const each = resources.safeParse(given.resources)
  return count.success && each.success ? { replicas: count.data, resources: each.data } : undefined
}
