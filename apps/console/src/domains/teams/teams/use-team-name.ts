import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../../api/hooks.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'

/** The name of a team, by default the open screen's; an ellipsis until it is known. */
export function useTeamName(of?: number): string {
  const open = useTeamId()
  return useRead(teams.get, { params: { id: of ?? open } }, { staleMs: 60_000 }).data?.name ?? '…'
}

/** The team in `?team_id`, which is shown without switching to it; undefined without the parameter. */
export function useAskedTeam(): number | undefined {
  const [{ team_id: teamId }] = useUrlState({ team_id: '' })
  return /^[1-9]\d{0,8}$/.test(teamId) ? Number(teamId) : undefined
}
