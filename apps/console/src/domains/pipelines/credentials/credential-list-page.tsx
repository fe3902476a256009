import { credentials, type Credential } from '@gantry/contract/pipelines/credentials'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { count } from '../../../ui/format.ts'
import { to, useTeamId } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { CredentialDialog } from './credential-dialog.tsx'

/** The credentials that repositories of the team's pipelines can use. */
export function CredentialListPage() {
  const teamId = useTeamId()
  const list = useListState('cd-credentials')
  const query = useRead(credentials.list, { params: { teamId }, query: list.query })
  const editing = useDialog<Credential | 'new'>()
  const remove = useWrite(credentials.remove, { done: 'delete-success', quiet: true })

  const askRemove = (credential: Credential) =>
    confirmDelete({
      title: t('pipelines-ui-credential-delete-title', { name: credential.name }),
      goes: [t('pipelines-ui-credential-goes')],
      run: () => remove.mutateAsync({ named: credential.name, params: { teamId, credentialId: credential.id } }),
    })

  return (
    <ListPage
      title={t('route-cd-credentials')}
      about={t('pipelines-ui-credentials-about')}
      crumbs={[{ label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') }]}
      add={{
        label: t('pipelines-ui-credential-create'),
        needs: credentials.create,
        onClick: () => editing.show('new'),
      }}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      search={t('pipelines-ui-search')}
      columns={[
        { key: 'name', title: t('pipelines-ui-name'), cell: (row) => row.name },
        {
          key: 'kind',
          title: t('pipelines-ui-credential-kind'),
          cell: (row) => t(`pipelines-ui-credential-${row.kind}`),
        },
        {
          key: 'host',
          title: t('pipelines-ui-credential-host'),
          cell: (row) => <span className="g-mono">{row.host}</span>,
        },
        {
          key: 'pipelineNum',
          title: t('route-pipeline-v1-list'),
          align: 'right',
          width: 112,
          cell: (row) => count(row.pipelineNum),
        },
        {
          key: 'description',
          title: t('pipelines-ui-description'),
          cell: (row) => row.description || '–',
          wideOnly: true,
        },
        timeColumn('updatedAt', t('pipelines-ui-updated-at'), { wideOnly: true }),
      ]}
      actions={(row) => [
        editAction({ needs: credentials.update, onClick: () => editing.show(row) }),
        deleteAction({
          needs: credentials.remove,
          disabled: row.pipelineNum > 0 && t('pipelines-ui-credential-used', { count: row.pipelineNum }),
          onClick: () => void askRemove(row),
        }),
      ]}
      empty={{ type: 1, title: t('pipelines-ui-no-credentials'), memo: t('pipelines-ui-no-credentials-memo') }}
    >
      {editing.open && (
        <CredentialDialog {...(editing.open === 'new' ? {} : { credential: editing.open })} onClose={editing.hide} />
      )}
    </ListPage>
  )
}
