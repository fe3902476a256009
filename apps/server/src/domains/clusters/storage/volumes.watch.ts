import type { volumesTopic } from '@gantry/contract/clusters/topics'
import type { VolumeRow } from '../../../adapters/kube/rows/storage-rows.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { clusterNamed, type Publish, publishChanges, type Stop, watchClaims } from '../live/watch.ts'
import { seesVolume } from './volumes.rows.ts'

/**
 * Publishes which volumes of a cluster changed, and in which namespace a claim gained or lost a pod. A team hears of
 * volumes that it claims, that its stacks left or that are free, and once more when another team claims a free one.
 */
export async function watchVolumes(
  ctx: Ctx,
  env: string,
  teamId: number | undefined,
  publish: Publish<typeof volumesTopic>,
): Promise<Stop> {
  const cluster = await clusterNamed(ctx, env, teamId)
  const { now: seen, stop: stopSeeing } = await watchClaims(ctx, env, teamId)
  const sees = (row: VolumeRow) => {
    const claims = seen()
    return claims === undefined || seesVolume(row, claims)
  }
  const stopVolumes = publishChanges(cluster, 'volumes', publish, ({ row, previous }) =>
    sees(row) || (previous !== undefined && sees(previous)) ? () => ({ volume: row.name }) : undefined,
  )
  const stopPods = publishChanges(cluster, 'pods', publish, ({ type, row: { claims, namespace } }) =>
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
