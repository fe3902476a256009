import { systemRoles, type SystemRole } from '@gantry/contract/teams/roles'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { systemRoleName } from '../../../api/role-names.ts'
import { confirmDelete } from '../../../ui/feedback/dialog.tsx'
import { to, useGo } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { numberColumn } from '../../../ui/table/number-column.ts'
import { type Action, deleteAction } from '../../../ui/table/row-actions.tsx'

/** Roles that apply in every team. Their permissions are on separate pages, their holders in the list of users. */
export function SystemRoleListPage() {
  const go = useGo()
  const query = useRead(systemRoles.list)
  const remove = useWrite(systemRoles.remove, {
    done: 'delete-success-role',
    quiet: true,
  })
  const open = (role: SystemRole) => to('sys-role-edit', {}, { role: role.id })
  const ask = (role: SystemRole) =>
    confirmDelete({
      title: t('roles-ui-system-delete-title', { name: role.name }),
      run: () => remove.mutateAsync({ named: role.name, params: { roleId: role.id } }),
    })
  const actions = (role: SystemRole): readonly Action[] => [
    { key: 'permissions', label: t('route-sys-role-edit'), icon: 'shield', onClick: () => go(open(role)) },
    {
      key: 'copy',
      label: t('roles-ui-copy'),
      icon: 'copy',
      onClick: () => go(to('sys-role-edit', {}, { from: role.id })),
    },
    deleteAction({
      disabled: role.builtIn
        ? t('system-role-built-in', { name: systemRoleName(role.name) })
        : role.users > 0 && t('system-role-in-use', { name: role.name, count: role.users }),
      onClick: () => void ask(role),
    }),
  ]
  return (
    <ListPage
      title={t('route-sys-roles')}
      about={t('roles-ui-system-about')}
      add={{ label: t('roles-ui-system-create'), onClick: () => go(to('sys-role-edit')) }}
      query={query}
      rowKey={(row) => row.id}
      nameOf={(row) => systemRoleName(row.name)}
      columns={[
        {
          key: 'name',
          title: t('teams-ui-role'),
          cell: (row) => (
            <>
              {systemRoleName(row.name)}
              {row.builtIn && <span className="g-faint"> {t('roles-ui-built-in')}</span>}
            </>
          ),
        },
        {
          key: 'permissions',
          title: t('roles-ui-permissions'),
          align: 'right',
          width: 120,
          cell: (row) => row.permissions.length,
        },
        numberColumn('users', t('teams-ui-users'), { width: 120 }),
      ]}
      open={open}
      actions={actions}
    />
  )
}
