import { users, UserState, type User } from '@gantry/contract/users/users'
import { LoginType } from '@gantry/contract/auth/session'
import { t } from '../../api/language.ts'
import { systemRoleName } from '../../api/role-names.ts'
import { useUser } from '../../api/session.ts'
import { useRead } from '../../api/hooks.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { SecretDialog } from '../../ui/form/secret-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { Person } from './avatar.tsx'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { useUserActions, type Initial } from './use-user-actions.tsx'
import { userStateName, UserStanding } from './user-state.tsx'
import styles from './users.module.css'

const columns = (me: number): readonly Column<User>[] => [
  {
    key: 'userName',
    title: t('users-ui-user'),
    sort: true,
    cell: (row) => (
      <span>
        <Person user={row} />
        {row.id === me && <span className={styles.tag}>{t('users-ui-you')}</span>}
        {row.type !== 'IDENTITY' && <span className={styles.tag}>{t(`user-type-${row.type}`)}</span>}
        {row.admin && <span className={styles.tag}>{t('users-ui-admin')}</span>}
        {row.roles.map(({ id, name }) => (
          <span key={id} className={styles.tag}>
            {systemRoleName(name)}
          </span>
        ))}
      </span>
    ),
  },
  { key: 'email', title: t('users-ui-email'), wideOnly: true, cell: (row) => row.email },
  {
    key: 'state',
    title: t('users-ui-state'),
    cell: (row) => <UserStanding state={row.state} />,
  },
  {
    key: 'teams',
    title: t('users-ui-teams'),
    wideOnly: true,
    cell: (row) =>
      row.teams.map(({ name }) => name).join(', ') || <span className="g-faint">{t('users-ui-teams-none')}</span>,
  },
  {
    key: 'lastLoginAt',
    title: t('users-ui-last-login'),
    sort: true,
    wideOnly: true,
    cell: (row) =>
      row.lastLoginAt === null ? <span className="g-faint">{t('users-ui-never')}</span> : <Time at={row.lastLoginAt} />,
  },
]

const everything = { value: 'all', label: t('users-ui-all') }

/** Every user of the installation, for administrators. */
export function UserListPage() {
  const me = useUser()
  const list = useListState('sys-users', { pageSize: 20, filters: { state: 'all', type: 'all' } })
  const query = useRead(users.list, { query: list.query })
  const creating = useDialog()
  const importing = useDialog()
  const initial = useDialog<Initial>()
  const { actionsOf, bulk, dialog } = useUserActions(initial.show)
  return (
    <ListPage
      title={t('route-sys-users')}
      about={t('users-ui-about')}
      add={{ label: t('users-ui-create'), onClick: () => creating.show(true) }}
      more={
        <Button icon="upload" onClick={() => importing.show(true)}>
          {t('users-ui-import')}
        </Button>
      }
      query={query}
      list={list}
      search={t('users-ui-search')}
      filters={[
        {
          name: 'state',
          label: t('users-ui-state'),
          options: [everything, ...UserState.options.map((value) => ({ value, label: userStateName(value) }))],
        },
        {
          name: 'type',
          label: t('users-ui-type'),
          options: [everything, ...LoginType.options.map((value) => ({ value, label: t(`user-type-${value}`) }))],
        },
      ]}
      rowKey={(row) => row.id}
      nameOf={(row) => row.userName}
      columns={columns(me.id)}
      actions={actionsOf}
      bulk={bulk}
    >
      {creating.open && <CreateUserDialog onClose={creating.hide} onDone={initial.show} />}
      {importing.open && <ImportDialog onClose={importing.hide} />}
      {initial.open && (
        <SecretDialog
          title={t('users-ui-made-title', { name: initial.open.userName })}
          text={t('users-ui-made-text')}
          secret={initial.open.initialPassword}
          onClose={initial.hide}
        />
      )}
      {dialog}
    </ListPage>
  )
}
