import { uuid } from '@gantry/contract/ids'
import { namespacesInUseTopic } from '@gantry/contract/clusters/topics'
import type { Many, Topic } from '@gantry/contract/topic'
import type { z } from 'zod'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import type { Change } from '../../../adapters/kube/rows/rows.ts'
import type { RowOf, ViewName } from '../../../adapters/kube/cache/views.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { subscribe } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf, mustUse } from '../clusters/connect.service.ts'
import { paced } from './pace.ts'
import { stacksThere } from '../pods/pods.read.ts'
import { type ClaimsSeen, claimsOf } from './visibility.read.ts'

/** Publishes to a topic's subscribers on this replica. */
export type Publish<T extends Topic> = (content: z.input<T['content']>) => void
export type Stop = () => void

/** For a topic with a scope: watches the objects of one team in a cluster, or (undefined) of all. */
export const scopedSource =
  <P>(watch: (ctx: Ctx, env: string, teamId: number | undefined, publish: P) => Promise<Stop>) =>
  (ctx: Ctx, { env, scope }: { env: string; scope: string }, publish: P): Promise<Stop> =>
    watch(ctx, env, scope === 'all' ? undefined : Number(scope), publish)

/** The cluster that a topic names, for a team that may use it, or (undefined) for callers who may see all of it. */
export async function clusterNamed(ctx: Ctx, env: string, teamId?: number): Promise<Cluster> {
  if (!uuid.safeParse(env).success) throw new Fault('missing', 'resource-missing')
  const cluster = await clusterOf(ctx, env)
  if (teamId !== undefined) await mustUse(ctx, env, teamId)
  return cluster
}

interface Watched<T> {
  now: () => T
  stop: Stop
}

/** What our tables contain about the stacks of one team or of all, kept up to date. */
async function watchRead<T>(ctx: Ctx, teamId: number | undefined, read: () => Promise<T>): Promise<Watched<T>> {
  let known = await read()
  let reading = false
  let wanted = false
  const again = async (): Promise<void> => {
    wanted = true
    if (reading) return
    reading = true
    try {
      while (wanted) {
        wanted = false
        known = await read()
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'the stacks of a cluster could not be read, they are read with the next change')
    } finally {
      reading = false
    }
  }
  const stop = subscribe(ctx.events, namespacesInUseTopic, (_content, of) => {
    if (teamId === undefined || of['teamId'] === String(teamId)) void again()
  })
  return { now: () => known, stop }
}

/** Our stacks on a cluster, of one team or of all. */
export async function watchStacks(ctx: Ctx, env: string, teamId: number | undefined) {
  const stacks = await watchRead(ctx, teamId, () => stacksThere(ctx.db, env, teamId === undefined ? {} : { teamId }))
  return { in: (namespace: string) => stacks.now().get(namespace), stop: stacks.stop }
}

/** The namespaces that decide which volumes of a cluster a team sees; undefined without a team, which sees all. */
export const watchClaims = async (
  ctx: Ctx,
  env: string,
  teamId: number | undefined,
): Promise<Watched<ClaimsSeen | undefined>> =>
  teamId === undefined
    ? { now: () => undefined, stop: () => undefined }
    : watchRead(ctx, teamId, () => claimsOf(ctx.db, env, [teamId]))

interface Seen {
  sees: (namespace: string) => boolean
  stop: Stop
}

/** The namespaces of a cluster that a team may see, kept up to date; without a team, all. */
export async function watchSeen(ctx: Ctx, env: string, teamId: number | undefined): Promise<Seen> {
  if (teamId === undefined) return { sees: () => true, stop: () => undefined }
  const stacks = await watchStacks(ctx, env, teamId)
  return { sees: (namespace) => stacks.in(namespace) !== undefined, stop: stacks.stop }
}

/**
 * Publishes changes of a cluster's rows, each kind at its own pace: {many: n} counts those beyond it, and {many: 0}
 * means that the freshness of the rows has changed. `contentOf` creates a message only when it is published; undefined
 * means none. Nothing is published until the first list is complete: its rows are no changes.
 */
export function publishChanges<Name extends ViewName, C>(
  cluster: Cluster,
  view: Name,
  publish: (content: C | z.infer<typeof Many>) => void,
  contentOf: (change: Change<RowOf<Name>>) => (() => NoInfer<C>) | undefined,
): Stop {
  const lease = cluster.need(view)
  const pace = paced(publish)
  lease.on((change) => {
    const content = lease.freshness().state === 'loading' ? undefined : contentOf(change)
    if (content) pace.publish(content)
  })
  lease.onFreshness(() => pace.publish(() => ({ many: 0 })))
  return () => {
    lease.release()
    pace.stop()
  }
}
