import { useUser } from '../../../api/session.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { scopeOf } from '../environments/reads.ts'

/** However much changes in a cluster, a page is not read more often. */
export const gatherMs = 1500

/** How a list of what clusters tell is read. Should a message be lost, it is no further behind than `every`. */
export const followed = { every: 60_000, gatherMs } as const

/** Of whoever is signed in, in the open team. */
export function useScope() {
  const { admin } = useUser()
  return scopeOf({ admin, teamId: useTeamId() })
}
