import { type PlatformRegistry, platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { to } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { HarborServers } from '../harbor/public.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { PlatformRegistryDialog } from './registry-dialog.tsx'

/** The registries of the platform, and the teams that they are assigned to. */
export function PlatformRegistryPage() {
  const query = useRead(platformRegistries.list)
  const editing = useDialog<PlatformRegistry | 'new'>()
  const assigning = useDialog<PlatformRegistry>()
  const verify = useWrite(registries.verify, { done: (_data, { named = '' }) => `${named}: ${t('check-success')}` })
  const remove = useWrite(platformRegistries.remove, {
    done: 'delete-success',
    quiet: true,
  })
  const askRemove = ({ id, name }: PlatformRegistry) =>
    confirmDelete({
      title: t('images-ui-delete-title', { name }),
      text: t('images-ui-delete-text'),
      run: () => remove.mutateAsync({ named: name, params: { id } }),
    })
  return (
    <ListPage
      title={t('route-sys-registry')}
      about={t('images-ui-platform-about')}
      add={{ label: t('images-ui-add'), onClick: () => editing.show('new') }}
      query={query}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={(row) => to('sys-registry-repo', { registry_id: row.id })}
      columns={[
        { key: 'name', title: t('images-ui-name'), cell: (row) => row.name },
        { key: 'url', title: t('images-ui-url'), cell: (row) => <Copyable text={row.url} /> },
        { key: 'username', title: t('images-ui-username'), cell: (row) => row.username || t('images-ui-anonymous') },
        { key: 'teams', title: t('images-ui-teams'), cell: teamsOf },
        timeColumn('createdAt', t('images-ui-created-at'), { wideOnly: true }),
      ]}
      actions={(row) => {
        const simulated = row.sandbox && t('images-ui-simulated-only')
        return [
          {
            key: 'assign',
            label: t('images-ui-assign'),
            icon: 'team',
            disabled: simulated,
            onClick: () => assigning.show(row),
          },
          {
            key: 'verify',
            label: t('images-ui-verify'),
            icon: 'link',
            disabled: simulated,
            onClick: () => verify.mutate({ named: row.name, body: bodyOf(row) }),
          },
          editAction({ disabled: simulated, onClick: () => editing.show(row) }),
          deleteAction({ disabled: simulated, onClick: () => void askRemove(row) }),
        ]
      }}
      empty={{ type: 6, title: t('images-ui-none'), memo: t('images-ui-platform-none-memo') }}
    >
      {editing.open && (
        <PlatformRegistryDialog
          {...(editing.open === 'new' ? {} : { registry: editing.open })}
          onClose={editing.hide}
        />
      )}
      <HarborServers />
      {assigning.open && <AssignDialog registry={assigning.open} onClose={assigning.hide} />}
    </ListPage>
  )
}

const bodyOf = ({ id, url, username, password }: PlatformRegistry) => ({ id, url, username, password })

function teamsOf({ sandbox, teams }: PlatformRegistry): string {
  if (sandbox) return t('images-ui-teams-all')
  return teams.length === 0 ? t('images-ui-teams-none') : teams.map(({ name }) => name).join(', ')
}
