import { ldap, type LdapServer } from '@gantry/contract/ldap/ldap'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Form } from '../../ui/form/form.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { bodyOf, isPlain } from './body.ts'
import { ServerFields } from './server-fields.tsx'
import { TestButton } from './test-button.tsx'

const initialServer = {
  startTls: true,
  userFilter: '(objectClass=person)',
  userNameAttribute: 'uid',
  nicknameAttribute: 'cn',
  emailAttribute: 'mail',
  groupMemberAttribute: 'member',
  createAtLogin: true,
  enabled: true,
  mappings: [],
}

/** The directory in `?ldap_id`; without it, a new one. */
export function ServerPage() {
  const [{ ldap_id: ldapId }] = useUrlState({ ldap_id: '' })
  // a form in use does not follow others' changes
  const query = useRead(ldap.list, {}, { staleMs: Infinity })
  const id = Number(ldapId)
  return (
    <Loaded query={query}>
      {(servers) => {
        const server = servers.find((one) => one.id === id)
        if (ldapId !== '' && !server) return <EmptyState title={t('ldap-ui-missing')} />
        return <ServerForm key={server?.id ?? 'new'} {...(server && { server })} />
      }}
    </Loaded>
  )
}

function ServerForm({ server }: { server?: LdapServer }) {
  const go = useGo()
  const back = to('sys-ldap')
  const initial = server ? bodyOf(server) : initialServer
  const [plain, setPlain] = useState(() => isPlain(initial))
  const writes = { quiet: true } as const
  const create = useWrite(ldap.create, { ...writes, done: 'add-success' })
  const update = useWrite(ldap.update, { ...writes, done: 'save-success' })
  return (
    <Page
      title={server?.name ?? t('ldap-ui-add')}
      about={t('ldap-ui-edit-about')}
      crumbs={[{ label: t('route-sys-ldap'), to: back }]}
      narrow
    >
      <Form
        schema={ldap.create.body}
        initial={initial}
        submit={t('ui-save')}
        onCancel={() => go(back)}
        foot={<TestButton {...(server && { id: server.id })} />}
        onChange={(values) => setPlain(isPlain(values))}
        onSubmit={async (body) => {
          if (server)
            await update.mutateAsync({ params: { id: server.id }, body: { ...body, revision: server.revision } })
          else await create.mutateAsync({ body })
          go(back)
        }}
      >
        <ServerFields plain={plain} />
      </Form>
    </Page>
  )
}
