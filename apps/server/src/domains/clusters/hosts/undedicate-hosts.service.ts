import { labels } from '../../../adapters/kube/labels.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { writeSystemAuditRow } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { clusterAt } from '../clusters/connect.service.ts'
import { type Addressed, addresses } from '../clusters/clusters.store.ts'
import { removeUndedication } from './undedicate-hosts.store.ts'
import { undedications } from './undedications.ts'

/** False if the team may use the cluster again. */
async function undedicateAll(ctx: Ctx, cluster: Addressed, teamId: number, round: Round): Promise<boolean> {
  const { kube } = clusterAt(ctx, cluster)
  for await (const { items } of kube.pages(kinds.nodes, { labels: `${labels.dedicated}=${teamId}` })) {
    for (const { metadata, spec } of items) {
      // checked after the hosts were listed: a host dedicated since, because the team may use the cluster again, stays
      // dedicated
      if (!(await round.mayWrite())) return false
      const name = metadata?.name ?? ''
      await kube.merge(
        kinds.nodes,
        { name },
        {
          // the list of taints is replaced as a whole, so only if it is still the one that was read
          metadata: { labels: { [labels.dedicated]: null }, resourceVersion: metadata?.resourceVersion },
          spec: { taints: (spec?.taints ?? []).filter(({ key }) => key !== labels.dedicated) },
        },
      )
      await writeSystemAuditRow(ctx, {
        action: 'host.dedicate',
        by: undedications.name,
        object: name,
        before: { teamId },
        after: { teamId: null },
      })
    }
  }
  return true
}

/** A cluster that does not answer is retried until it does. */
async function undedicateHosts(
  ctx: Ctx,
  { environment, team_id: teamId }: { environment: string; team_id: number },
  round: Round,
): Promise<number> {
  const [cluster] = await addresses(ctx.db, environment)
  if (!cluster) return 0
  try {
    if (await undedicateAll(ctx, cluster, teamId, round))
      await round.note((ctx) => removeUndedication(ctx.db, environment, teamId))
    return 0
  } catch (error) {
    if (!isKube(error)) throw error
    ctx.log.warn({ err: error, environment }, 'hosts of a cluster are still kept for a team that may not use it')
    return 30_000
  }
}

export const undedicationReconciler = reconciler(undedications, undedicateHosts)
