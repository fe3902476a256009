import { uuid } from '@gantry/contract/ids'
import { topics } from '@gantry/contract/push/topics'
import type { Cluster } from '../../adapters/kube/pool.ts'
import type { Change } from '../../adapters/kube/rows.ts'
import type { RowOf, ViewName } from '../../adapters/kube/views.ts'
import type { Topic } from '../../http/push.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { clusterOf, mustUse } from './connect.service.ts'
import { paced } from './pace.ts'
import { stacksThere } from './pods.read.ts'
import { type ClaimsSeen, claimsOf } from './reach.read.ts'

export type Tell = (content: unknown) => void
export type Stop = () => void

/**
 * What happens to one kind of things in a cluster, from this replica's memory: to administrators all of it; to a team what it sees, for as
 * long as one holds the permission there and it is a cluster of theirs.
 */
export const scopedTopics = (
  kind: string,
  permission: string,
  follow: (ctx: Ctx, env: string, teamId: number | undefined, tell: Tell) => Promise<Stop>,
): Topic[] => [
  {
    pattern: `${kind}/:env/all`,
    access: 'admin',
    source: (ctx, { env = '' }, tell) => follow(ctx, env, undefined, tell),
  },
  {
    pattern: `${kind}/:env/:teamId`,
    access: [
      { team: 'teamId', permission },
      { owner: 'environment', by: 'env', permission },
    ],
    source: (ctx, { env = '', teamId }, tell) => follow(ctx, env, Number(teamId), tell),
  },
]

/** The cluster that a topic names, for a team that may use it, or (undefined) for who sees all of it. */
export async function clusterNamed(ctx: Ctx, env: string, teamId?: number): Promise<Cluster> {
  if (!uuid.safeParse(env).success) throw new Fault('missing', 'resource-missing')
  const cluster = await clusterOf(ctx, env)
  if (teamId !== undefined) await mustUse(ctx, env, teamId)
  return cluster
}

interface Followed<T> {
  now: () => T
  stop: Stop
}

/** What our tables say of the stacks of one team or of all, as these come and go. */
async function followRead<T>(ctx: Ctx, teamId: number | undefined, read: () => Promise<T>): Promise<Followed<T>> {
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
  const concerned =
    teamId === undefined
      ? (topic: string) => topic.startsWith('stacks/')
      : (topic: string) => topic === topics.stacks(teamId)
  const stop = ctx.events.follow(({ topic }) => void (concerned(topic) && again()))
  return { now: () => known, stop }
}

/** Our stacks on a cluster, of one team or all. */
export async function followStacks(ctx: Ctx, env: string, teamId: number | undefined) {
  const stacks = await followRead(ctx, teamId, () => stacksThere(ctx.db, env, teamId === undefined ? {} : { teamId }))
  return { in: (namespace: string) => stacks.now().get(namespace), stop: stacks.stop }
}

/** By which namespaces of a cluster a team sees volumes; of no team: all (undefined). */
export const followClaims = async (
  ctx: Ctx,
  env: string,
  teamId: number | undefined,
): Promise<Followed<ClaimsSeen | undefined>> =>
  teamId === undefined
    ? { now: () => undefined, stop: () => undefined }
    : followRead(ctx, teamId, () => claimsOf(ctx.db, env, [teamId]))

interface Seen {
  sees: (namespace: string) => boolean
  stop: Stop
}

/** The namespaces of a cluster that a team sees, as its stacks come and go; of no team: all. */
export async function followSeen(ctx: Ctx, env: string, teamId: number | undefined): Promise<Seen> {
  if (teamId === undefined) return { sees: () => true, stop: () => undefined }
  const stacks = await followStacks(ctx, env, teamId)
  return { sees: (namespace) => stacks.in(namespace) !== undefined, stop: stacks.stop }
}

/** What is told of a change, made only when it is told; undefined: nothing. */
type Said<Row> = (change: Change<Row>) => (() => unknown) | undefined

/**
 * Tells changes of a cluster's rows, each kind at its own pace: {many: n} are those beyond it, and {many: 0} says that how current the rows
 * are has changed. Until the first list is whole nothing is told: its rows are no changes.
 */
export function tellChanges<Name extends ViewName>(
  cluster: Cluster,
  view: Name,
  tell: Tell,
  said: Said<RowOf<Name>>,
): Stop {
  const lease = cluster.need(view)
  const pace = paced(tell)
  lease.on((change) => {
    const content = lease.freshness().state === 'loading' ? undefined : said(change)
    if (content) pace.say(content)
  })
  lease.onFreshness(() => pace.say(() => ({ many: 0 })))
  return () => {
    lease.release()
    pace.stop()
  }
}
