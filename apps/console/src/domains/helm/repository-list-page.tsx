import { type HelmRepository, helmRepositories } from '@gantry/contract/helm/repositories'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { AssignTeamsDialog, RepositoryDialog } from './repository-dialogs.tsx'

export function RepositoryListPage() {
  const list = useListState('sys-helm')
  const query = useRead(helmRepositories.list, { query: list.query })
  const editing = useDialog<HelmRepository | 'new'>()
  const assigning = useDialog<HelmRepository>()
  const remove = useWrite(helmRepositories.remove, { done: 'delete-success', quiet: true })
  const readAll = useWrite(helmRepositories.readAll)
  const askRemove = (row: HelmRepository) =>
    confirmDelete({
      title: t('helm-ui-delete-title', { name: row.name }),
      goes: [t('helm-ui-goes-index')],
      run: () => remove.mutateAsync({ named: row.name, params: { id: row.id } }),
    })
  return (
    <ListPage
      title={t('route-sys-helm')}
      about={t('helm-ui-repositories-about')}
      add={{ label: t('helm-ui-add'), onClick: () => editing.show('new') }}
      more={
        <Button icon="refresh" loading={readAll.isPending} onClick={() => readAll.mutate({}, { onSuccess: tellRead })}>
          {t('helm-ui-read-all')}
        </Button>
      }
      query={query}
      list={list}
      search={t('helm-ui-search')}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      columns={[
        { key: 'name', title: t('helm-ui-name'), sort: true, cell: (row) => row.name },
        { key: 'url', title: t('helm-ui-url'), cell: (row) => <Copyable text={row.url} />, wideOnly: true },
        {
          key: 'state',
          title: t('helm-ui-state'),
          cell: (row) => (
            <>
              <StateBadge state={row.state} text={t(`helm-ui-state-${row.state}`)} />
              {row.problem !== '' && <div className="g-faint">{row.problem}</div>}
            </>
          ),
        },
        numberColumn('charts', t('helm-ui-charts'), { width: 80 }),
        numberColumn('versions', t('helm-ui-versions'), { width: 96 }),
        {
          key: 'teams',
          title: t('helm-ui-teams'),
          cell: ({ teams }) =>
            teams.length === 0 ? t('helm-ui-teams-none') : teams.map(({ name }) => name).join(', '),
        },
        timeColumn('readAt', t('helm-ui-read'), { wideOnly: true }),
      ]}
      actions={(row) => [
        { key: 'assign', label: t('helm-ui-assign'), icon: 'team', onClick: () => assigning.show(row) },
        editAction({ onClick: () => editing.show(row) }),
        deleteAction({ onClick: () => void askRemove(row) }),
      ]}
      empty={{ type: 6, title: t('helm-ui-none'), memo: t('helm-ui-none-memo') }}
    >
      {editing.open && (
        <RepositoryDialog {...(editing.open === 'new' ? {} : { repository: editing.open })} onClose={editing.hide} />
      )}
      {assigning.open && <AssignTeamsDialog repository={assigning.open} onClose={assigning.hide} />}
    </ListPage>
  )
}

/** Names a repository that could not be read; the others were read. */
function tellRead(read: readonly Pick<HelmRepository, 'name' | 'state'>[]): void {
  const failed = read.filter(({ state }) => state === 'failed').map(({ name }) => name)
  if (failed.length === 0) toast.ok(t('helm-ui-read-all-done'))
  else toast.warn(t('helm-ui-read-all-failed', { names: failed.join(', ') }))
}
