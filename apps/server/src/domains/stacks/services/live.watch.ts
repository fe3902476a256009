import { type serviceTopic, stacksTopic } from '@gantry/contract/stacks/topics'
import { labels } from '../../../adapters/kube/labels.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { subscribe } from '../../../kernel/events/events.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { clusterOf, type Publish, publishChanges, type Stop } from '../../clusters/public.ts'
import { findService } from './services.store.ts'
import { findStack, type StackKey } from '../stacks/stacks.store.ts'

/** Publishes which services of a stack have changed pods, from the cache of its cluster. */
export async function watchStack(
  ctx: Ctx,
  key: StackKey,
  publish: (content: { serviceId: number } | { many: number }) => void,
  only?: number,
): Promise<Stop> {
  const stack = mustExist(await findStack(ctx.db, key))
  const cluster = await clusterOf(ctx, stack.envId)
  let { namespace } = stack
  // the stack may be moved to another namespace, if its own turns out to be somebody else's
  const unsubscribe = subscribe(ctx.events, stacksTopic, (content, { teamId }) => {
    if (teamId !== String(stack.teamId) || (content && content.stackId !== stack.id)) return
    findStack(ctx.db, stack.id).then(
      (now) => (namespace = now?.namespace ?? namespace),
      (error: unknown) => ctx.log.warn({ err: error }, 'a stack could not be read, it is read with its next change'),
    )
  })
  const stop = publishChanges(cluster, 'pods', publish, (change) => {
    const { row } = change
    const serviceId = Number(row.labels[labels.service])
    if (!(serviceId > 0) || (only ?? serviceId) !== serviceId || row.namespace !== namespace) return undefined
    if (change.type === 'changed' && change.previous.serving === row.serving && change.previous.status === row.status)
      return undefined
    return () => ({ serviceId })
  })
  return () => {
    stop()
    unsubscribe()
  }
}

/** Like watchStack, for one service. */
export async function watchService(ctx: Ctx, id: number, publish: Publish<typeof serviceTopic>): Promise<Stop> {
  const service = mustExist(await findService(ctx.db, id))
  return watchStack(ctx, service.stackId, publish, id)
}
