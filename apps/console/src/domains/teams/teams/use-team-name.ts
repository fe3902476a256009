import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../../api/hooks.ts'
import { useTeamId } from '../../../ui/link.tsx'

/** The name of a team, by default the open screen's; an ellipsis until it is known. */
export function useTeamName(of?: number): string {
  const open = useTeamId()
  return useRead(teams.get, { params: { id: of ?? open } }, { staleMs: 60_000 }).data?.name ?? '…'
}
