import { type HelmRepository, helmRepositories } from '@gantry/contract/helm/repositories'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { confirm, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { Time } from '../../ui/time.tsx'
import { AssignTeamsDialog, RepositoryDialog } from './repository-dialogs.tsx'

export function RepositoryListPage() {
  const list = useListState('sys-helm')
  const query = useRead(helmRepositories.list, { query: list.query })
  const editing = useDialog<HelmRepository | 'new'>()
  const assigning = useDialog<HelmRepository>()
  const remove = useWrite(helmRepositories.remove, { done: 'delete-success', quiet: true })
  const readAll = useWrite(helmRepositories.readAll)
  const add = () => editing.show('new')
  const askRemove = (row: HelmRepository) =>
    confirm({
      title: t('helm-ui-delete-title', { name: row.name }),
      goes: [t('helm-ui-goes-index')],
      danger: true,
      ok: t('ui-delete'),
      run: () => remove.mutateAsync({ named: row.name, params: { id: row.id } }),
    })
  return (
    <Page
      title={t('route-sys-helm')}
      about={t('helm-ui-repositories-about')}
      actions={
        <>
          <Button
            icon="refresh"
            loading={readAll.isPending}
            onClick={() => readAll.mutate({}, { onSuccess: tellRead })}
          >
            {t('helm-ui-read-all')}
          </Button>
          <Button primary icon="add" onClick={add}>
            {t('helm-ui-add')}
          </Button>
        </>
      }
    >
      <ResourceTable
        label={t('route-sys-helm')}
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
          { key: 'charts', title: t('helm-ui-charts'), align: 'right', width: 80, cell: (row) => row.charts },
          { key: 'versions', title: t('helm-ui-versions'), align: 'right', width: 96, cell: (row) => row.versions },
          {
            key: 'teams',
            title: t('helm-ui-teams'),
            cell: ({ teams }) =>
              teams.length === 0 ? t('helm-ui-teams-none') : teams.map(({ name }) => name).join(', '),
          },
          { key: 'readAt', title: t('helm-ui-read'), cell: (row) => <Time at={row.readAt} />, wideOnly: true },
        ]}
        actions={(row) => [
          { key: 'assign', label: t('helm-ui-assign'), icon: 'team', onClick: () => assigning.show(row) },
          { key: 'edit', label: t('ui-edit'), icon: 'edit', onClick: () => editing.show(row) },
          { key: 'delete', label: t('ui-delete'), icon: 'delete', danger: true, onClick: () => void askRemove(row) },
        ]}
        empty={{
          type: 6,
          title: t('helm-ui-none'),
          memo: t('helm-ui-none-memo'),
          add: { label: t('helm-ui-add'), onClick: add },
        }}
      />
      {editing.open && (
        <RepositoryDialog {...(editing.open === 'new' ? {} : { repository: editing.open })} onClose={editing.hide} />
      )}
      {assigning.open && <AssignTeamsDialog repository={assigning.open} onClose={assigning.hide} />}
    </Page>
  )
}

/** Names a repository that could not be read; the others were read. */
function tellRead(read: readonly Pick<HelmRepository, 'name' | 'state'>[]): void {
  const failed = read.filter(({ state }) => state === 'failed').map(({ name }) => name)
  if (failed.length === 0) toast.ok(t('helm-ui-read-all-done'))
  else toast.warn(t('helm-ui-read-all-failed', { names: failed.join(', ') }))
}
