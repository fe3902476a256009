import type { ClusterScope } from '@gantry/contract/push/topics'
import { useUser } from '../../api/session.ts'
import { useTeamId } from '../../ui/link.tsx'

/** However much changes in a cluster, a page is not read more often. */
export const gatherMs = 1500

/** How a list of what clusters tell is read. Should a message be lost, it is no further behind than `every`. */
export const followed = { every: 60_000, gatherMs } as const

/** Whose things of a cluster one hears of. */
export const scopeOf = ({ admin, teamId }: { admin: boolean; teamId: number }): ClusterScope => (admin ? 'all' : teamId)

export function useScope(): ClusterScope {
  const { admin } = useUser()
  return scopeOf({ admin, teamId: useTeamId() })
}
