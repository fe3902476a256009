import { useState } from 'react'
import { type Member, teams } from '@gantry/contract/teams/teams'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import type { Column } from '../../../ui/table/column.ts'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Person, UserStateBadge } from '../../users/public.tsx'
import { leaderRole, RoleSelect } from '../roles/role-select.tsx'
import { AddMembersDialog } from './add-members-dialog.tsx'
import { AssignRoleDialog } from './assign-role-dialog.tsx'
import styles from './members.module.css'

/** The origin of an automatic membership: `LDAP:1` is a directory, anything else a provider. */
const sourceOf = ({ grantedBy }: Pick<Member, 'grantedBy'>): string =>
  t(grantedBy.startsWith('LDAP:') ? 'teams-ui-source-directory' : 'teams-ui-source-provider')

const columns = (): readonly Column<Member>[] => [
  {
    key: 'userName',
    title: t('teams-ui-user'),
    sort: true,
    cell: (row) => (
      <span>
        <Person user={row} /> {row.state !== 'normal' && <UserStateBadge state={row.state} />}
      </span>
    ),
  },
  { key: 'email', title: t('teams-ui-email'), wideOnly: true, cell: (row) => row.email },
  { key: 'type', title: t('teams-ui-type'), wideOnly: true, cell: (row) => t(`user-type-${row.type}`) },
  { key: 'role', title: t('teams-ui-role'), cell: (row) => <RoleName member={row} /> },
]

interface MemberTableProps {
  teamId: number
  team: string
  /** Whether the dialog for adding is open; its button is on the page. */
  adding: ReturnType<typeof useDialog<true>>
}

export function MemberTable({ teamId: id, team, adding }: MemberTableProps) {
  const list = useListState('team-members', { pageSize: 20 })
  const query = useRead(teams.members, { params: { id }, query: list.query })
  const assigning = useDialog<Member>()
  const remove = useWrite(teams.removeMember, {
    done: 'delete-success',
    quiet: true,
  })
  const [role, setRole] = useState<number>()
  const ask = (member: Member) =>
    confirm({
      title: t('teams-ui-remove-title', { name: member.nickname || member.userName, team }),
      text: t('teams-ui-remove-text'),
      ...(member.grantedBy === '' ? {} : { warning: t('teams-ui-remove-granted', { source: sourceOf(member) }) }),
      danger: true,
      ok: t('teams-ui-remove'),
      run: () => remove.mutateAsync({ named: member.userName, params: { id, userId: member.id } }),
    })
  return (
    <>
      <ResourceTable
        label={t('route-team-members')}
        query={query}
        list={list}
        search={t('teams-ui-search-users')}
        rowKey={(row) => row.id}
        nameOf={(row) => row.nickname || row.userName}
        columns={columns()}
        actions={(row) => [
          {
            key: 'role',
            label: t('teams-ui-role-set'),
            icon: 'shield',
            needs: teams.assignRole,
            onClick: () => assigning.show(row),
          },
          {
            key: 'remove',
            label: t('teams-ui-remove'),
            icon: 'close',
            danger: true,
            needs: teams.removeMember,
            onClick: () => void ask(row),
          },
        ]}
        bulk={[
          {
            key: 'role',
            label: t('teams-ui-role-set'),
            needs: teams.assignRole,
            ask: <RoleSelect teamId={id} label={t('teams-ui-role')} value={role} onChange={setRole} />,
            blocked: role === undefined && t('teams-ui-role-choose'),
            run: (row) => call(teams.assignRole, { params: { id, userId: row.id }, body: role ?? leaderRole }),
          },
          {
            key: 'remove',
            label: t('teams-ui-remove'),
            needs: teams.removeMember,
            danger: true,
            ask: t('teams-ui-remove-many', { team }),
            run: (row) => call(teams.removeMember, { params: { id, userId: row.id } }),
          },
        ]}
        empty={{
          type: 'other',
          title: t('teams-ui-members-none'),
          add: { label: t('teams-ui-add'), needs: teams.addMembers, onClick: () => adding.show(true) },
        }}
      />
      {adding.open && <AddMembersDialog teamId={id} team={team} onClose={adding.hide} />}
      {assigning.open && <AssignRoleDialog teamId={id} member={assigning.open} onClose={assigning.hide} />}
    </>
  )
}

function RoleName({ member }: { member: Member }) {
  return (
    <span>
      {member.teamLeader ? (
        <span className={styles.leader}>{t('teams-ui-leader')}</span>
      ) : (
        member.roleName || <span className="g-faint">{t('teams-ui-role-none')}</span>
      )}
      {member.grantedBy !== '' && (
        <small className={styles.source} title={t('teams-ui-granted-help')}>
          {sourceOf(member)}
        </small>
      )}
    </span>
  )
}
