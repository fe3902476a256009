import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../api/hooks.ts'
import { useTeamId } from '../../ui/link.tsx'

/** The name of the open screen's team; an ellipsis until it is known. */
export function useTeamName(): string {
  const id = useTeamId()
  return useRead(teams.get, { params: { id } }, { staleMs: 60_000 }).data?.name ?? '…'
}
