import type { Amount } from '@gantry/contract/quotas/quotas'

export type Resource = 'cpu' | 'memory'

export interface Excess {
  resource: Resource
  /** Wanted, already allocated to others, and the limit: cores, or GiB. */
  wanted: number
  taken: number
  hard: number
}

export const resources: readonly Resource[] = ['cpu', 'memory']

/** The name of the ResourceQuota that limits a namespace to its share. */
export const shareName = 'gantry-share'

/** The first resource in which a share does not fit beside those of others. Null means no limit. */
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
