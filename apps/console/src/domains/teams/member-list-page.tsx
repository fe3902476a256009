import { topics } from '@gantry/contract/push/topics'
import { teams, type Member } from '@gantry/contract/teams/teams'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useLive } from '../../api/use-push.ts'
import { Button } from '../../ui/button.tsx'
import { confirm, useDialog } from '../../ui/dialog.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { AddMembersDialog } from './add-members-dialog.tsx'
import { AssignRoleDialog } from './assign-role-dialog.tsx'
import { useTeamName } from './use-team-name.ts'
import './teams.css'

/** Who belongs to a team, and as what. */
export function MemberListPage() {
  const id = useTeamId()
  const team = useTeamName()
  const list = useListState('team-members', { pageSize: 20 })
  const query = useLive(teams.members, { params: { id }, query: list.query }, topics.team(id))
  const adding = useDialog()
  const assigning = useDialog<Member>()
  const remove = useWrite(teams.removeMember, {
    refreshes: [teams.members, teams.others, teams.get],
    done: 'delete-success',
    quiet: true,
  })
  const ask = (member: Member) =>
    confirm({
      title: t('teams-ui-remove-title', { name: member.nickname, team }),
      text: t('teams-ui-remove-text'),
      danger: true,
      ok: t('teams-ui-remove'),
      run: () => remove.mutateAsync({ params: { id, userId: member.id } }),
    })
  const add = { label: t('teams-ui-add'), needs: 'team_member_create', onClick: () => adding.show(true) }
  return (
    <Page
      title={t('route-team-members')}
      about={t('teams-ui-members-about', { team })}
      actions={
        <Button primary icon="add" needs={add.needs} onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <ResourceTable
        label={t('route-team-members')}
        query={query}
        list={list}
        search={t('teams-ui-search-users')}
        rowKey={(row) => row.id}
        nameOf={(row) => row.nickname}
        columns={[
          {
            key: 'userName',
            title: t('teams-ui-user'),
            sort: true,
            cell: (row) => (
              <>
                {row.nickname} <span className="t-quiet">{row.userName}</span>
              </>
            ),
          },
          { key: 'email', title: t('teams-ui-email'), wideOnly: true, cell: (row) => row.email },
          { key: 'type', title: t('teams-ui-type'), wideOnly: true, cell: (row) => t(`user-type-${row.type}`) },
          { key: 'role', title: t('teams-ui-role'), cell: (row) => <RoleName member={row} /> },
        ]}
        actions={(row) => [
          {
            key: 'role',
            label: t('teams-ui-role-set'),
            icon: 'shield',
            needs: 'team_member_edit',
            onClick: () => assigning.show(row),
          },
          {
            key: 'remove',
            label: t('teams-ui-remove'),
            icon: 'close',
            danger: true,
            needs: 'team_member_delete',
            onClick: () => void ask(row),
          },
        ]}
        empty={{ type: 'other', title: t('teams-ui-members-none'), add }}
      />
      {adding.open && <AddMembersDialog teamId={id} team={team} onClose={adding.hide} />}
      {assigning.open && <AssignRoleDialog teamId={id} member={assigning.open} onClose={assigning.hide} />}
    </Page>
  )
}

function RoleName({ member }: { member: Member }) {
  if (member.teamLeader) return <span className="t-leader">{t('teams-ui-leader')}</span>
  return member.roleName === '' ? <span className="g-faint">{t('teams-ui-role-none')}</span> : member.roleName
}
