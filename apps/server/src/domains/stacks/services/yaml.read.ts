import { stringify } from 'yaml'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { namespaceObject, networkPolicy, placeOf, resourceQuota } from '../reconcile/namespace-objects.ts'
import { servicesOf } from './services.store.ts'
import { workloadTypes } from './workload-types.ts'
import { findStack, type StackKey } from '../stacks/stacks.store.ts'

/** The objects of a stack in its cluster, without the values of secrets. */
export async function stackYaml(ctx: Ctx, key: StackKey): Promise<{ yaml: string }> {
  const stack = await findStack(ctx.db, key)
  if (!stack) throw new Fault('missing', 'resource-missing')
  const of = placeOf(stack)
  const services = await servicesOf(ctx.db, stack.id)
  const objects = [
    namespaceObject(of),
    resourceQuota(of, stack),
    networkPolicy(of),
    ...services.flatMap((service) =>
      workloadTypes[service.type]
        .objects({ ...of, ...service }, service.spec)
        .flatMap(({ object }) => (object && object.kind !== 'Secret' ? [object] : [])),
    ),
  ]
  return { yaml: objects.map((object) => stringify(object)).join('---\n') }
}
