import type { eventsTopic, hostEventsTopic } from '@gantry/contract/clusters/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { clusterNamed, type Publish, publishChanges, type Stop, watchSeen } from '../live/watch.ts'

/**
 * Publishes by what an events page narrows its list whenever something happens in a cluster, to a team in its namespaces only. That a
 * cluster forgets an event after its hour is no news.
 */
export async function watchEvents(
  ctx: Ctx,
  env: string,
  teamId: number | undefined,
  publish: Publish<typeof eventsTopic>,
): Promise<Stop> {
  const cluster = await clusterNamed(ctx, env, teamId)
  const { sees, stop: stopSeeing } = await watchSeen(ctx, env, teamId)
  const stop = publishChanges(cluster, 'events', publish, ({ type, row }) => {
    if (type === 'removed' || !sees(row.namespace)) return undefined
    return () => ({ event: { type: row.type, namespace: row.about.namespace || row.namespace, kind: row.about.kind } })
  })
  return () => {
    stop()
    stopSeeing()
  }
}

/** Publishes which hosts of a cluster something happened to. */
export async function watchHostEvents(ctx: Ctx, env: string, publish: Publish<typeof hostEventsTopic>): Promise<Stop> {
  return publishChanges(await clusterNamed(ctx, env), 'events', publish, ({ type, row: { about } }) =>
    type === 'removed' || about.kind !== 'Node' ? undefined : () => ({ host: about.name }),
  )
}
