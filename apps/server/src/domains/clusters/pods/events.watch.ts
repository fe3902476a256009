import type { eventsTopic, hostEventsTopic } from '@gantry/contract/clusters/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { clusterNamed, type Publish, publishChanges, type Stop, watchSeen } from '../live/watch.ts'

/**
 * Publishes the fields by which an events page filters its list whenever an event occurs in a cluster, to a team for
 * its namespaces only. The expiry of an event after an hour is not published.
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

/** Publishes which hosts of a cluster have new events. */
export async function watchHostEvents(ctx: Ctx, env: string, publish: Publish<typeof hostEventsTopic>): Promise<Stop> {
  return publishChanges(await clusterNamed(ctx, env), 'events', publish, ({ type, row: { about } }) =>
    type === 'removed' || about.kind !== 'Node' ? undefined : () => ({ host: about.name }),
  )
}
