import type { Ctx } from '../../kernel/context.ts'
import { clusterNamed, followSeen, type Stop, type Tell, tellChanges } from './follow.ts'

/**
 * Tells by what an events page narrows its list whenever something happens in a cluster, to a team in its namespaces only. That a
 * cluster forgets an event after its hour is no news.
 */
export async function followEvents(ctx: Ctx, env: string, teamId: number | undefined, tell: Tell): Promise<Stop> {
  const cluster = await clusterNamed(ctx, env, teamId)
  const { sees, stop: stopSeeing } = await followSeen(ctx, env, teamId)
  const stop = tellChanges(cluster, 'events', tell, ({ type, row }) => {
    if (type === 'removed' || !sees(row.namespace)) return undefined
    return () => ({ event: { type: row.type, namespace: row.about.namespace || row.namespace, kind: row.about.kind } })
  })
  return () => {
    stop()
    stopSeeing()
  }
}

/** Tells which hosts of a cluster something happened to. */
export async function followHostEvents(ctx: Ctx, env: string, tell: Tell): Promise<Stop> {
  return tellChanges(await clusterNamed(ctx, env), 'events', tell, ({ type, row: { about } }) =>
    type === 'removed' || about.kind !== 'Node' ? undefined : () => ({ host: about.name }),
  )
}
