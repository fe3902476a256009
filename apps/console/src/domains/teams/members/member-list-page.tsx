import { teams } from '@gantry/contract/teams/teams'
import { t } from '../../../api/language.ts'
import { useAsked } from '../../../ui/asked.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useAskedTeam, useTeamName } from '../teams/use-team-name.ts'
import { MemberTable } from './member-table.tsx'

/** The members of the open team; with `?team_id` those of another one, without switching to it. */
export function MemberListPage() {
  const open = useTeamId()
  const id = useAskedTeam() ?? open
  const team = useTeamName(id)
  const adding = useDialog()
  useAsked('create', () => adding.show(true))
  return (
    <Page
      title={t('route-team-members')}
      about={t('teams-ui-members-about', { team })}
      actions={
        <Button primary icon="add" needs={teams.addMembers} onClick={() => adding.show(true)}>
          {t('teams-ui-add')}
        </Button>
      }
    >
      <MemberTable teamId={id} team={team} adding={adding} />
    </Page>
  )
}
