import type { ServiceEvent } from '@gantry/contract/stacks/services'
import type { serviceEventsTopic } from '@gantry/contract/stacks/topics'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import type { EventRow } from '../../../adapters/kube/rows/cluster-rows.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { by, reversed } from '../../../kernel/in-order.ts'
import { clusterOf, type Publish, publishChanges, type Stop } from '../../clusters/public.ts'
import { servicePlace } from './services.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'

/** Whether it is about a service's deployment, its replica sets or its pods: they begin with the service's name. */
const isAbout =
  (service: string) =>
  ({ about: { name } }: EventRow): boolean =>
    name === service || name.startsWith(`${service}-`)

/** Kubernetes' events of a service's deployment, replica sets and pods, newest first. */
export async function eventsOf(ctx: Ctx, stack: StackRow, service: string): Promise<z.infer<typeof ServiceEvent>[]> {
  const cluster = await clusterOf(ctx, stack.envId)
  const { rows, freshness } = await cluster.rows('events', stack.namespace, waits.rows)
  if (freshness.error) throw kubeFault(freshness.error)
  return rows
    .filter(isAbout(service))
    .sort(reversed(by(({ last }) => last)))
    .map((event) => ({
      type: event.type,
      reason: event.reason,
      message: event.message,
      object: `${event.about.kind}/${event.about.name}`,
      count: event.count,
      lastAt: event.last,
    }))
}

/** Publishes when there are new events of a service. */
export async function watchServiceEvents(
  ctx: Ctx,
  id: number,
  publish: Publish<typeof serviceEventsTopic>,
): Promise<Stop> {
  const place = await servicePlace(ctx.db, id)
  if (!place) throw new Fault('missing', 'resource-missing')
  const { name, environment, namespace } = place
  const isIts = isAbout(name)
  return publishChanges(await clusterOf(ctx, environment), 'events', publish, ({ type, row }) =>
    type === 'removed' || row.namespace !== namespace || !isIts(row) ? undefined : () => ({ serviceId: id }),
  )
}
