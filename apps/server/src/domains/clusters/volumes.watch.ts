import type { VolumeRow } from '../../adapters/kube/storage-rows.ts'
import type { Ctx } from '../../kernel/context.ts'
import { clusterNamed, followSeen, type Stop, type Tell, tellChanges } from './follow.ts'

/**
 * Tells which volumes of a cluster changed, and in which namespace a claim got or lost a pod. A team hears of what it claims and of what is
 * free, and once more of a volume that another team has claimed: it is free no longer.
 */
export async function followVolumes(ctx: Ctx, env: string, teamId: number | undefined, tell: Tell): Promise<Stop> {
  const cluster = await clusterNamed(ctx, env, teamId)
  const { sees, stop: stopSeeing } = await followSeen(ctx, env, teamId)
  const seen = ({ claim }: VolumeRow) => claim === undefined || sees(claim.namespace)
  const stopVolumes = tellChanges(cluster, 'volumes', tell, ({ row, previous }) =>
    seen(row) || (previous !== undefined && seen(previous)) ? () => ({ volume: row.name }) : undefined,
  )
  const stopPods = tellChanges(cluster, 'pods', tell, ({ type, row: { claims, namespace } }) =>
    type === 'changed' || claims.length === 0 || !sees(namespace) ? undefined : () => ({ claimsIn: namespace }),
  )
  return () => {
    stopVolumes()
    stopPods()
    stopSeeing()
  }
}
