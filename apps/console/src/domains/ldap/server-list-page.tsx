import { ldap, type LdapServer } from '@gantry/contract/ldap/ldap'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { numberColumn } from '../../ui/table/number-column.ts'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { Time } from '../../ui/time.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { useServerActions } from './use-server-actions.ts'
import styles from './ldap.module.css'

export function ServerListPage() {
  const go = useGo()
  const query = useRead(ldap.list, {})
  const importing = useDialog<LdapServer>()
  const { switchOn, switchOff, remove } = useServerActions()
  const edit = (row: LdapServer) => to('sys-ldap-edit', {}, { ldap_id: row.id })
  return (
    <ListPage
      title={t('route-sys-ldap')}
      about={t('ldap-ui-about')}
      add={{ label: t('ldap-ui-add'), onClick: () => go(to('sys-ldap-edit', {})) }}
      query={query}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={edit}
      columns={[
        { key: 'name', title: t('ldap-ui-name'), cell: (row) => row.name },
        { key: 'url', title: t('ldap-ui-url'), cell: (row) => <Copyable text={row.url} /> },
        numberColumn('users', t('ldap-ui-users-count')),
        { key: 'state', title: t('ldap-ui-state'), cell: (row) => <ServerState server={row} /> },
        {
          key: 'checked',
          title: t('ldap-ui-checked'),
          cell: (row) => <Time at={row.lastCheckedAt} />,
          wideOnly: true,
        },
      ]}
      actions={(row) => [
        {
          key: 'import',
          label: t('ldap-ui-import'),
          icon: 'search',
          disabled: !row.enabled && t('ldap-ui-state-off'),
          onClick: () => importing.show(row),
        },
        editAction({ onClick: () => go(edit(row)) }),
        row.enabled
          ? { key: 'off', label: t('ldap-ui-off'), icon: 'pause', onClick: () => void switchOff(row) }
          : { key: 'on', label: t('ldap-ui-on'), icon: 'play', onClick: () => switchOn(row) },
        deleteAction({ onClick: () => void remove(row) }),
      ]}
      empty={{ title: t('ldap-ui-none'), memo: t('ldap-ui-none-memo') }}
    >
      {importing.open && <ImportDialog server={importing.open} onClose={importing.hide} />}
    </ListPage>
  )
}

/** Whether the directory works; if not, why. */
function ServerState({ server }: { server: LdapServer }) {
  if (!server.enabled) return <StateBadge state="off" text={t('ldap-ui-state-off')} />
  if (server.problem !== '')
    return (
      <div className={styles.state}>
        <StateBadge state="failing" text={t('ldap-ui-state-failing')} />
        <p>{server.problem}</p>
      </div>
    )
  if (server.lastCheckedAt === null) return <StateBadge state="new" text={t('ldap-ui-state-new')} />
  return <StateBadge state="on" text={t('ldap-ui-state-on')} />
}
