import type { ServiceEvent } from '@gantry/contract/stacks/services'
import type { z } from 'zod'
import { eventRow } from '../../adapters/kube/cluster-rows.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import type { Ctx } from '../../kernel/context.ts'
import { clusterOf } from '../clusters/public.ts'
import type { StackRow } from './stacks.store.ts'

/** Kubernetes' events of a service's deployment, replica sets and pods, newest first. */
export async function eventsOf(ctx: Ctx, stack: StackRow, service: string): Promise<z.infer<typeof ServiceEvent>[]> {
  try {
    const { kube } = await clusterOf(ctx, stack.envId)
    const { items } = await kube.list(kinds.events, { namespace: stack.namespace }, { limit: 500 })
    return items
      .map(eventRow)
      .filter(({ about }) => about.name === service || about.name.startsWith(`${service}-`))
      .map((event) => ({
        type: event.type,
        reason: event.reason,
        message: event.message,
        object: `${event.about.kind}/${event.about.name}`,
        count: event.count,
        lastAt: event.last,
      }))
      .sort((a, b) => b.lastAt.localeCompare(a.lastAt))
  } catch (error) {
    throw kubeFault(error)
  }
}
