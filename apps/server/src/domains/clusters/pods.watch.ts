import { topics } from '@gantry/contract/push/topics'
import { uuid } from '@gantry/contract/ids'
import type { Cluster } from '../../adapters/kube/pool.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { clusterOf, mustUse } from './connect.service.ts'
import { paced } from './pace.ts'
import { stacksThere } from './pods.read.ts'
import { shownPod } from './pods.rows.ts'

type Tell = (content: unknown) => void

async function named(ctx: Ctx, env: string): Promise<Cluster> {
  if (!uuid.safeParse(env).success) throw new Fault('missing', 'resource-missing')
  return clusterOf(ctx, env)
}

/** Our stacks on a cluster, of one team or all, as they come and go. */
async function followStacks(ctx: Ctx, env: string, teamId: number | undefined) {
  const read = () => stacksThere(ctx.db, env, teamId === undefined ? {} : { teamId })
  let stacks = await read()
  let reading = false
  let wanted = false
  const again = async (): Promise<void> => {
    wanted = true
    if (reading) return
    reading = true
    try {
      while (wanted) {
        wanted = false
        stacks = await read()
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
  return { in: (namespace: string) => stacks.get(namespace), stop }
}

/**
 * Tells each change of a team's pods in a cluster, or of all, as `topics.pods` promises. Until the first list is whole nothing is told: its
 * rows are no changes.
 */
export async function followPods(ctx: Ctx, env: string, teamId: number | undefined, tell: Tell): Promise<() => void> {
  const cluster = await named(ctx, env)
  if (teamId !== undefined) await mustUse(ctx, env, teamId)
  const stacks = await followStacks(ctx, env, teamId)
  const lease = cluster.need('pods')
  const pace = paced(tell)
  lease.on(({ type, row }) => {
    if (lease.freshness().state === 'loading') return
    const stack = stacks.in(row.namespace)
    if (teamId !== undefined && !stack) return
    pace.say(() => (type === 'removed' ? { gone: row.uid } : { pod: shownPod(row, stack) }))
  })
  lease.onFreshness(() => pace.say(() => ({ many: lease.size() })))
  return () => {
    lease.release()
    pace.stop()
    stacks.stop()
  }
}

/** Tells which hosts of a cluster changed. */
export async function followHosts(ctx: Ctx, env: string, tell: Tell): Promise<() => void> {
  const cluster = await named(ctx, env)
  const lease = cluster.need('nodes')
  const pace = paced(tell)
  lease.on(({ row }) => {
    if (lease.freshness().state !== 'loading') pace.say(() => ({ host: row.name }))
  })
  lease.onFreshness(() => pace.say(() => ({ many: lease.size() })))
  return () => {
    lease.release()
    pace.stop()
  }
}
