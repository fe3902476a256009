import type { VolumeRow } from '../../adapters/kube/storage-rows.ts'
import type { Ctx } from '../../kernel/context.ts'
import { clusterNamed, followClaims, type Stop, type Tell, tellChanges } from './follow.ts'
import { seesVolume } from './volumes.rows.ts'

/**
 * Tells which volumes of a cluster changed, and in which namespace a claim got or lost a pod. A team hears of what it claims, of what its
 * stacks left and of what is free, and once more of a volume that another team has claimed: it is free no longer.
 */
export async function followVolumes(ctx: Ctx, env: string, teamId: number | undefined, tell: Tell): Promise<Stop> {
  const cluster = await clusterNamed(ctx, env, teamId)
  const { now: seen, stop: stopSeeing } = await followClaims(ctx, env, teamId)
  const sees = (row: VolumeRow) => {
    const claims = seen()
    return claims === undefined || seesVolume(row, claims)
  }
  const stopVolumes = tellChanges(cluster, 'volumes', tell, ({ row, previous }) =>
    sees(row) || (previous !== undefined && sees(previous)) ? () => ({ volume: row.name }) : undefined,
  )
  const stopPods = tellChanges(cluster, 'pods', tell, ({ type, row: { claims, namespace } }) =>
    type === 'changed' || claims.length === 0 || seen()?.now.has(namespace) === false
      ? undefined
      : () => ({ claimsIn: namespace }),
  )
  return () => {
    stopVolumes()
    stopPods()
    stopSeeing()
  }
}
