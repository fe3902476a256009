import type { ServiceEvent } from '@gantry/contract/stacks/services'
import type { serviceEventsTopic } from '@gantry/contract/stacks/topics'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { EventRow } from '../../../adapters/kube/rows/cluster-rows.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { by, reversed } from '../../../kernel/in-order.ts'
import { clusterOf, type Publish, publishChanges, type Stop } from '../../clusters/public.ts'
import { serviceOfObject } from './event-owner.ts'
import { livePods } from '../services/live.service.ts'
import { serviceNames, servicePlace } from './events.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'

/**
 * Whether an event is about this service: by the label of a pod that exists, else by the object's name among those of
 * the stack's services.
 */
function isAbout(service: { id: number; name: string }, names: readonly string[], pods: readonly PodRow[] = []) {
  const holders = new Map(pods.map((pod) => [pod.uid, pod.labels[labels.service]]))
  return ({ about }: EventRow): boolean => {
    const holder = holders.get(about.uid)
    return holder === undefined ? serviceOfObject(names, about) === service.name : holder === String(service.id)
  }
}

/** Kubernetes' events of a service's workload, its pods and its claims, newest first. */
export async function eventsOf(
  ctx: Ctx,
  stack: StackRow,
  service: { id: number; name: string },
): Promise<z.infer<typeof ServiceEvent>[]> {
  const cluster = await clusterOf(ctx, stack.envId)
  const { rows, freshness } = await cluster.rows('events', stack.namespace, waits.rows)
  if (freshness.error) throw kubeFault(freshness.error)
  const { pods } = await livePods(ctx, stack)
  return rows
    .filter(isAbout(service, await serviceNames(ctx.db, stack.id), pods))
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

/** Publishes new events of a service. */
export async function watchServiceEvents(
  ctx: Ctx,
  id: number,
  publish: Publish<typeof serviceEventsTopic>,
): Promise<Stop> {
  const place = mustExist(await servicePlace(ctx.db, id))
  const { environment, namespace } = place
  const isIts = isAbout(place, await serviceNames(ctx.db, place.stackId))
  return publishChanges(await clusterOf(ctx, environment), 'events', publish, ({ type, row }) =>
    type === 'removed' || row.namespace !== namespace || !isIts(row) ? undefined : () => ({ serviceId: id }),
  )
}
