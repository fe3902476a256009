import { useUser } from '../../../api/session.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { scopeOf } from '../environments/reads.ts'

/** A list of cluster data, where a message is lost, is this much behind at most. */
export const followed = { every: 60_000 } as const

/** Of whoever is signed in, in the open team. */
export function useScope() {
  const { admin } = useUser()
  return scopeOf({ admin, teamId: useTeamId() })
}
