import type { Amount } from '@gantry/contract/quotas/quotas'

export type Resource = 'cpu' | 'memory'

export interface Excess {
  resource: Resource
  /** Wanted, allocated to others, and the limit; in cores or GiB. */
  wanted: number
  taken: number
  hard: number
}

export const resources: readonly Resource[] = ['cpu', 'memory']

/** Name of the ResourceQuota that limits a namespace to its share. */
export const shareName = 'gantry-share'

/** The first resource for which a share does not fit beside the others'. Null means no limit. */
export function excess(hard: Amount, taken: { cpu: number; memory: number }, wanted: Amount): Excess | undefined {
  for (const resource of resources) {
    const limit = hard[resource]
    if (limit === null) continue
    const share = wanted[resource] ?? Number.POSITIVE_INFINITY
    // sums of tenths are not exact in floating point; a thousandth of a core or GiB is tolerated
    if (taken[resource] + share > limit + 0.001) return { resource, wanted: share, taken: taken[resource], hard: limit }
  }
  return undefined
}
