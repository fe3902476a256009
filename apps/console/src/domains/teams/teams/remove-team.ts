import { teams, type Team } from '@gantry/contract/teams/teams'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirmDelete } from '../../../ui/feedback/dialog.tsx'

/** Confirms and deletes; the server's refusal names what the team still owns. */
export function useRemoveTeam(): (team: Team) => Promise<boolean> {
  const remove = useWrite(teams.remove, { done: 'delete-success', quiet: true })
  return (team) =>
    confirmDelete({
      title: t('teams-ui-delete-title', { name: team.name }),
      goes: [
        t('teams-ui-delete-members', { count: team.userNum }),
        t('teams-ui-delete-roles'),
        t('teams-ui-delete-tokens'),
      ],
      text: t('teams-ui-delete-text'),
      typed: 'ok',
      run: () => remove.mutateAsync({ named: team.name, params: { id: team.id }, query: { confirm: team.name } }),
    })
}
