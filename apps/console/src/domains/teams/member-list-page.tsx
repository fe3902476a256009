import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/dialog.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { MemberTable } from './member-table.tsx'
import { useTeamName } from './use-team-name.ts'

/** The members of the open team; with `?team_id` of another one, which is not switched to. */
export function MemberListPage() {
  const open = useTeamId()
  const [{ team_id: asked }] = useUrlState({ team_id: '' })
  const id = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : open
  const team = useTeamName(id)
  const adding = useDialog()
  return (
    <Page
      title={t('route-team-members')}
      about={t('teams-ui-members-about', { team })}
      actions={
        <Button primary icon="add" needs="team_member_create" onClick={() => adding.show(true)}>
          {t('teams-ui-add')}
        </Button>
      }
    >
      <MemberTable teamId={id} team={team} adding={adding} />
    </Page>
  )
}
