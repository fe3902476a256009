import { ldap, type LdapServer } from '@gantry/contract/ldap/ldap'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { confirm, confirmDelete } from '../../ui/feedback/dialog.tsx'
import { bodyOf } from './body.ts'

/** Enabling, disabling and deleting a directory, each with its effects. */
export function useServerActions() {
  const on = useWrite(ldap.update, { done: 'option-success' })
  const off = useWrite(ldap.update, { done: 'option-success', quiet: true })
  const remove = useWrite(ldap.remove, {
    done: 'delete-success',
    quiet: true,
  })
  const change = (server: LdapServer, enabled: boolean) => ({
    params: { id: server.id },
    body: { ...bodyOf(server), enabled, revision: server.revision },
  })
  return {
    switchOn: (server: LdapServer) => on.mutate(change(server, true)),
    switchOff: (server: LdapServer) =>
      confirm({
        title: t('ldap-ui-off-title', { name: server.name }),
        text: t('ldap-ui-off-text', { count: server.users }),
        danger: true,
        ok: t('ldap-ui-off'),
        run: () => off.mutateAsync(change(server, false)),
      }),
    remove: (server: LdapServer) =>
      confirmDelete({
        title: t('ldap-ui-delete-title', { name: server.name }),
        text: t('ldap-ui-delete-text'),
        ...(server.users > 0 && {
          goes: [t('ldap-ui-delete-users', { count: server.users })],
          typed: server.name,
        }),
        run: () =>
          remove.mutateAsync({
            named: server.name,
            params: { id: server.id },
            query: { force: server.users > 0 ? 'true' : 'false' },
          }),
      }),
  }
}
