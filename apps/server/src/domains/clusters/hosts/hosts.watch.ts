import type { hostsTopic } from '@gantry/contract/clusters/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { clusterNamed, type Publish, publishChanges, type Stop } from '../live/watch.ts'

/** Publishes which hosts of a cluster changed. */
export async function watchHosts(ctx: Ctx, env: string, publish: Publish<typeof hostsTopic>): Promise<Stop> {
  return publishChanges(await clusterNamed(ctx, env), 'nodes', publish, ({ row }) => () => ({ host: row.name }))
}
