import { useUser } from '../../../api/session.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { scopeOf } from '../environments/reads.ts'

/** The minimum time between two reads, however much changes in a cluster. */
export const gatherMs = 1500

/** How a list of cluster data is refetched. If a message is lost, it is at most `every` behind. */
export const followed = { every: 60_000, gatherMs } as const

/** Of whoever is signed in, in the open team. */
export function useScope() {
  const { admin } = useUser()
  return scopeOf({ admin, teamId: useTeamId() })
}
