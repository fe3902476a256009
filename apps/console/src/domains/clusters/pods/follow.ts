import { useUser } from '../../../api/session.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { scopeOf } from '../clusters/reads.ts'

/** Lists of cluster data are refetched at this interval, in case a message was lost. */
export const followed = { every: 60_000 } as const

/** The scope of the signed-in user in the open team. */
export function useScope() {
  const { admin } = useUser()
  return scopeOf({ admin, teamId: useTeamId() })
}
