import { waits } from '../../adapters/kube/waits.ts'
import type { QuotaRow as LiveRow } from '../../adapters/kube/rows/cluster-rows.ts'
import { bytes, milliCores } from '../../adapters/kube/rows/quantity.ts'
import type { Ctx } from '../../kernel/context.ts'
import { clusterOf } from '../clusters/public.ts'
import { namespaceShares, type ShareRow } from './namespaces.read.ts'
import { shareName } from './share.ts'

/** In cores and GiB. */
export interface Usage {
  cpu: number
  memory: number
}

const gib = 2 ** 30

const usedOf = ({ used }: LiveRow): Usage => ({
  cpu: milliCores(used['limits.cpu']) / 1000,
  memory: bytes(used['limits.memory']) / gib,
})

/**
 * By namespace, as the cluster counts it; undefined while it does not answer. A namespace not counted yet uses nothing.
 */
async function usedThere(ctx: Ctx, clusterId: string): Promise<ReadonlyMap<string, Usage> | undefined> {
  const { rows, freshness } = await (await clusterOf(ctx, clusterId)).rows('quotas', undefined, waits.figure)
  if (freshness.state !== 'live') return undefined
  return new Map(rows.filter(({ name }) => name === shareName).map((row) => [row.namespace, usedOf(row)]))
}

type Place = Pick<ShareRow, 'envUuid' | 'namespace'>
export type UsedIn = (place: Place) => Usage | null

const nothing: Usage = { cpu: 0, memory: 0 }

/** The usage in each of these namespaces; null while the cluster does not answer. Clusters are read concurrently. */
export async function usedIn(ctx: Ctx, places: readonly Place[]): Promise<UsedIn> {
  const clusterIds = [...new Set(places.map(({ envUuid }) => envUuid))]
  const found = new Map(await Promise.all(clusterIds.map(async (one) => [one, await usedThere(ctx, one)] as const)))
  return ({ envUuid, namespace }) => {
    const there = found.get(envUuid)
    return there ? (there.get(namespace) ?? nothing) : null
  }
}

interface Pair {
  envUuid: string
  team: { id: number }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** The usage of a team's pods on a cluster, for each of these pairs. */
export async function usedByTeams<P extends Pair>(
  ctx: Ctx,
  pairs: readonly P[],
): Promise<(P & { used: Usage | null })[]> {
  const shares = await namespaceShares(ctx.db, { teamIds: [...new Set(pairs.map(({ team }) => team.id))] })
  const wanted = new Set(pairs.map(({ envUuid }) => envUuid))
  const used = await usedIn(
    ctx,
    shares.filter(({ envUuid }) => wanted.has(envUuid)),
  )
  return pairs.map((pair) => {
    const sum = { ...nothing }
    for (const share of shares) {
      if (share.teamId !== pair.team.id || share.envUuid !== pair.envUuid) continue
      const one = used(share)
      if (one === null) return { ...pair, used: null }
      sum.cpu += one.cpu
      sum.memory += one.memory
    }
    return { ...pair, used: { cpu: rounded(sum.cpu), memory: rounded(sum.memory) } }
  })
}
