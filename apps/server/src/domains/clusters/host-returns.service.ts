import * as kinds from '../../adapters/kube/resources.ts'
import { leaveSystemRow } from '../../kernel/audit.ts'
import type { Ctx } from '../../kernel/context.ts'
import { clusterAt } from './connect.service.ts'
import { hostReturns } from './host-returns.queue.ts'
import { endReturn, type HostReturn, isOwed, owedReturns } from './host-returns.store.ts'
import { dedicatedKey } from './hosts.rows.ts'

async function returnOf(ctx: Ctx, owed: HostReturn): Promise<void> {
  const { uuid, teamId } = owed
  const { kube } = clusterAt(ctx, owed)
  for await (const { items } of kube.pages(kinds.nodes, { labels: `${dedicatedKey}=${teamId}` })) {
    // Asked after the hosts: one that is kept for the team since, because it may use the cluster again, stays its own.
    if (!(await isOwed(ctx.db, uuid, teamId))) return
    for (const { metadata, spec } of items) {
      const name = metadata?.name ?? ''
      await kube.merge(
        kinds.nodes,
        { name },
        {
          // the list of taints is replaced whole: only where it is still the one that was read
          metadata: { labels: { [dedicatedKey]: null }, resourceVersion: metadata?.resourceVersion },
          spec: { taints: (spec?.taints ?? []).filter(({ key }) => key !== dedicatedKey) },
        },
      )
      await leaveSystemRow(ctx, {
        action: 'host.dedicate',
        by: hostReturns.name,
        object: name,
        before: { teamId },
        after: { teamId: null },
      })
    }
  }
  await endReturn(ctx.db, uuid, teamId)
}

/** All at once, so that a dead cluster delays no other; one that does not answer is asked again until it does. */
export async function returnHosts(ctx: Ctx): Promise<void> {
  const waits = (environment: string) => (error: unknown) =>
    ctx.log.warn({ err: error, environment }, 'hosts of a cluster are still kept for a team that may not use it')
  await Promise.all((await owedReturns(ctx.db)).map((owed) => returnOf(ctx, owed).catch(waits(owed.uuid))))
}
