import { firstRoles, roles, type Role } from '@gantry/contract/teams/roles'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { useUser } from '../../../api/session.ts'
import { viewAs } from '../../../api/view-as.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { numberColumn } from '../../../ui/table/number-column.ts'
import { type Action, deleteAction } from '../../../ui/table/row-actions.tsx'
import { CreateRoleDialog } from './create-role-dialog.tsx'
import { aboutOf } from './role-select.tsx'
import styles from './role-select.module.css'
import { useTeamName } from '../teams/use-team-name.ts'

/** The roles of a team; the permissions of each have a separate page. */
export function RoleListPage() {
  const teamId = useTeamId()
  const team = useTeamName()
  const go = useGo()
  const user = useUser()
  const leads = user.admin || user.teams.some(({ id, teamLeader }) => id === teamId && teamLeader)
  const query = useRead(roles.list, { params: { teamId } })
  /** The role to copy; null for a new one. */
  const creating = useDialog<Role | null>()
  const remove = useWrite(roles.remove, { done: 'delete-success-role', quiet: true })
  const addFirst = useWrite(roles.addFirst, { done: () => t('teams-ui-roles-first-done') })
  const lacksFirst =
    query.data !== undefined && !firstRoles.every((first) => query.data.some(({ name }) => name === first))
  const open = (role: Role) => to('team-role-edit', { team_id: teamId }, { role: role.id })
  const ask = (role: Role) =>
    confirmDelete({
      title: t('teams-ui-role-delete-title', { name: role.name }),
      run: () => remove.mutateAsync({ named: role.name, params: { teamId, roleId: role.id } }),
    })
  const look = async (role: Role) => {
    try {
      await viewAs(teamId, role.id)
      go(to('new-dashboard', { team_id: teamId }))
    } catch (error) {
      toast.error(error)
    }
  }
  const actions = (role: Role): readonly Action[] => [
    {
      key: 'permissions',
      label: t('route-team-role-edit'),
      icon: 'shield',
      needs: roles.permissions,
      onClick: () => go(open(role)),
    },
    {
      key: 'copy',
      label: t('roles-ui-copy'),
      icon: 'copy',
      needs: roles.create,
      onClick: () => creating.show(role),
    },
    {
      key: 'view-as',
      label: t('roles-ui-view-as'),
      icon: 'eye',
      disabled: !leads && t('view-as-leader-only'),
      onClick: () => void look(role),
    },
    deleteAction({
      needs: roles.remove,
      disabled: role.members > 0 && t('role-in-use', { name: role.name, count: role.members }),
      onClick: () => void ask(role),
    }),
  ]
  return (
    <ListPage
      title={t('route-team-roles')}
      about={t('teams-ui-roles-about', { team })}
      add={{ label: t('teams-ui-role-create'), needs: roles.create, onClick: () => creating.show(null) }}
      more={
        lacksFirst && (
          <Button
            needs={roles.addFirst}
            loading={addFirst.isPending}
            onClick={() => addFirst.mutate({ params: { teamId } })}
          >
            {t('teams-ui-roles-first')}
          </Button>
        )
      }
      query={query}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      columns={[
        {
          key: 'name',
          title: t('teams-ui-role'),
          cell: (row) => (
            <span>
              {row.name}
              <small className={styles.about}>{aboutOf(row)}</small>
            </span>
          ),
        },
        numberColumn('members', t('route-team-members'), { width: 120 }),
      ]}
      open={open}
      actions={actions}
      empty={{ type: 'other', title: t('teams-ui-roles-none'), memo: t('teams-ui-roles-none-memo') }}
    >
      {creating.open !== undefined && (
        <CreateRoleDialog
          teamId={teamId}
          copied={creating.open ?? undefined}
          all={query.data ?? []}
          onClose={creating.hide}
          onDone={(role) => go(open(role))}
        />
      )}
    </ListPage>
  )
}
