import { type Harbor, harbors } from '@gantry/contract/harbor/servers'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { to } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { HarborDialog } from './harbor-dialog.tsx'

/** The Harbors of the platform, beside its registries. */
export function HarborServers() {
  const query = useRead(harbors.list)
  const editing = useDialog<Harbor | 'new'>()
  const verify = useWrite(harbors.verify, {
    done: ({ version }, { named = '' }) => `${named}: ${t('check-success')} (${version})`,
  })
  const prefer = useWrite(harbors.makeDefault, { done: 'option-success' })
  const remove = useWrite(harbors.remove, { done: 'delete-success', quiet: true })
  const add = () => editing.show('new')
  const askRemove = ({ id, name }: Harbor) =>
    confirmDelete({
      title: t('harbor-ui-delete-title', { name }),
      text: t('harbor-ui-delete-text'),
      run: () => remove.mutateAsync({ named: name, params: { id } }),
    })
  return (
    <Section
      title={t('route-sys-harbor')}
      about={t('harbor-ui-servers-about')}
      actions={
        <Button icon="add" onClick={add}>
          {t('harbor-ui-add')}
        </Button>
      }
    >
      <ResourceTable
        label={t('route-sys-harbor')}
        query={query}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        open={(row) => to('sys-harbor', { harbor_id: row.id })}
        columns={[
          { key: 'name', title: t('harbor-ui-name'), cell: nameOf },
          { key: 'url', title: t('harbor-ui-url'), cell: (row) => <Copyable text={row.url} /> },
          { key: 'version', title: t('harbor-ui-version'), width: 104, cell: (row) => row.version || '–' },
          numberColumn('projects', t('harbor-ui-assigned'), { width: 132 }),
          { key: 'teams', title: t('harbor-ui-teams'), cell: teamsOf, wideOnly: true },
        ]}
        actions={(row) => {
          const simulated = row.sandbox && t('harbor-ui-simulated-only')
          return [
            {
              key: 'default',
              label: t('harbor-ui-make-default'),
              icon: 'check',
              disabled: row.isDefault && t('harbor-ui-is-default'),
              onClick: () => prefer.mutate({ named: row.name, params: { id: row.id } }),
            },
            {
              key: 'verify',
              label: t('harbor-ui-verify'),
              icon: 'link',
              onClick: () => verify.mutate({ named: row.name, body: bodyOf(row) }),
            },
            editAction({ disabled: simulated, onClick: () => editing.show(row) }),
            deleteAction({ disabled: simulated, onClick: () => void askRemove(row) }),
          ]
        }}
        empty={{ type: 6, title: t('harbor-ui-none'), memo: t('harbor-ui-none-memo') }}
      />
      {editing.open && (
        <HarborDialog {...(editing.open === 'new' ? {} : { harbor: editing.open })} onClose={editing.hide} />
      )}
    </Section>
  )
}

const bodyOf = ({ id, url, username, password }: Harbor) => ({ id, url, username, password })

const nameOf = ({ name, isDefault, sandbox }: Harbor): string =>
  [name, ...(sandbox ? [t('harbor-ui-simulated')] : []), ...(isDefault ? [t('harbor-ui-default')] : [])].join(' · ')

const teamsOf = ({ teams }: Harbor): string =>
  teams.length === 0 ? t('harbor-ui-teams-none') : teams.map(({ name }) => name).join(', ')
