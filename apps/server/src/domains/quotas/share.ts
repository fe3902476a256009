import type { Amount } from '@gantry/contract/quotas/quotas'

export type Resource = 'cpu' | 'memory'

export interface Excess {
  resource: Resource
  /** Wanted, given already to others, and the most there may be: cores, or GiB. */
  wanted: number
  taken: number
  hard: number
}

export const resources: readonly Resource[] = ['cpu', 'memory']

/** The name of the ResourceQuota that holds a namespace to its share. */
export const shareName = 'gantry-share'

/** What does not fit when a share is added to what others have: the first resource that is too small. Null is no limit. */
export function excess(hard: Amount, taken: { cpu: number; memory: number }, wanted: Amount): Excess | undefined {
  for (const resource of resources) {
    const limit = hard[resource]
    if (limit === null) continue
    const share = wanted[resource] ?? Number.POSITIVE_INFINITY
    // sums of tenths are not exact; a thousandth of a core or of a GiB is nobody's share
    if (taken[resource] + share > limit + 0.001) return { resource, wanted: share, taken: taken[resource], hard: limit }
  }
  return undefined
}
