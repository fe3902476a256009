import { registries, type Registry } from '@gantry/contract/images/registries'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { to, useTeamId } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { RegistryDialog } from './registry-dialog.tsx'

export function RegistryListPage() {
  const teamId = useTeamId()
  const query = useRead(registries.list, { params: { teamId } })
  const editing = useDialog<Registry | 'new'>()
  const verify = useWrite(registries.verify, { done: (_data, { named = '' }) => `${named}: ${t('check-success')}` })
  const remove = useWrite(registries.remove, { done: 'delete-success', quiet: true })

  const askRemove = (registry: Registry) =>
    confirmDelete({
      title: t('images-ui-delete-title', { name: registry.name }),
      text: t('images-ui-delete-text'),
      run: () => remove.mutateAsync({ named: registry.name, params: { teamId, registryId: registry.id } }),
    })

  return (
    <ListPage
      title={t('route-thirdparty-registry')}
      about={t('images-ui-about')}
      add={{ label: t('images-ui-add'), needs: registries.create, onClick: () => editing.show('new') }}
      query={query}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={(row) => to('thirdparty-repos', {}, { registryId: row.id })}
      columns={[
        { key: 'name', title: t('images-ui-name'), cell: (row) => row.name },
        { key: 'url', title: t('images-ui-url'), cell: (row) => <Copyable text={row.url} /> },
        { key: 'username', title: t('images-ui-username'), cell: (row) => row.username || t('images-ui-anonymous') },
        { key: 'owner', title: t('images-ui-owner'), cell: ownerOf },
        timeColumn('createdAt', t('images-ui-created-at'), { wideOnly: true }),
      ]}
      actions={(row) => {
        const shared =
          (row.teamId === null && t('images-ui-shared-only')) ||
          (row.harborId !== null && t('images-registry-of-harbor', { name: row.name }))
        return [
          {
            key: 'verify',
            label: t('images-ui-verify'),
            icon: 'link',
            needs: registries.verify,
            disabled: shared,
            onClick: () => verify.mutate({ named: row.name, body: bodyOf(row) }),
          },
          editAction({ needs: registries.update, disabled: shared, onClick: () => editing.show(row) }),
          deleteAction({ needs: registries.remove, disabled: shared, onClick: () => void askRemove(row) }),
        ]
      }}
      empty={{ type: 6, title: t('images-ui-none'), memo: t('images-ui-none-memo') }}
    >
      {editing.open && (
        <RegistryDialog {...(editing.open === 'new' ? {} : { registry: editing.open })} onClose={editing.hide} />
      )}
    </ListPage>
  )
}

const bodyOf = ({ id, url, username, password }: Registry) => ({ id, url, username, password })

function ownerOf(registry: Registry): string {
  if (registry.sandbox) return t('images-ui-simulated')
  if (registry.harborId !== null) return t('route-sys-harbor')
  return registry.teamId === null ? t('images-ui-shared') : t('images-ui-own')
}
