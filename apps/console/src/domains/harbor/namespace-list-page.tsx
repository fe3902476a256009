import { type Namespace, namespaces } from '@gantry/contract/harbor/projects'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { confirm } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { to, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { publicityOf } from './project-list.tsx'
import { RenewRights } from './renew-rights.tsx'

/** The projects that the team has in Harbors, and all repositories in them. */
export const NamespaceListPage = () => (
  <Page
    title={t('route-registry-namespace')}
    about={t('harbor-ui-namespaces-about')}
    actions={<RenewRights />}
    tabs={[
      { key: 'projects', label: t('harbor-ui-projects'), content: () => <Namespaces /> },
      { key: 'repositories', label: t('harbor-ui-repositories'), content: () => <Repositories /> },
    ]}
  >
    {null}
  </Page>
)

function Namespaces() {
  const teamId = useTeamId()
  const list = useListState('registry-namespace')
  const query = useRead(namespaces.list, { params: { tenantId: teamId }, query: list.query })
  const sync = useWrite(namespaces.sync, { done: 'sync-success' })
  const remove = useWrite(namespaces.remove, { done: 'delete-success', quiet: true })
  const askRemove = ({ id, name }: Namespace) =>
    confirm({
      title: t('harbor-ui-namespace-remove-title', { name }),
      text: t('harbor-ui-namespace-remove-text'),
      danger: true,
      ok: t('harbor-ui-namespace-remove'),
      run: () => remove.mutateAsync({ named: name, params: { tenantId: teamId, namespaceId: id } }),
    })
  return (
    <ResourceTable
      label={t('route-registry-namespace')}
      query={query}
      list={list}
      search={t('harbor-ui-project-search')}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={(row) =>
        to('registry-repositories', {
          namespace_id: row.id,
          harbor_id: row.harborId,
          project_id: row.projectId,
          from_type: 'namespace',
        })
      }
      columns={[
        { key: 'name', title: t('harbor-ui-project'), sort: true, cell: (row) => row.name, mono: true },
        { key: 'harbor', title: t('route-sys-harbor'), sort: true, cell: (row) => row.harborName },
        {
          key: 'prefix',
          title: t('harbor-ui-prefix'),
          cell: (row) => <Copyable text={`${row.host}/${row.name}/`} />,
          wideOnly: true,
        },
        { key: 'public', title: t('harbor-ui-publicity'), width: 112, cell: publicityOf },
        {
          key: 'repositories',
          title: t('harbor-ui-repositories'),
          align: 'right',
          width: 112,
          cell: (row) => row.repositories ?? '–',
        },
        {
          key: 'pull',
          title: t('harbor-ui-pull'),
          cell: (row) => (
            <>
              <StateBadge state={row.pull} text={t(`harbor-ui-pull-${row.pull}`)} />
              {row.problem !== '' && <div className="g-faint">{row.problem}</div>}
            </>
          ),
        },
        timeColumn('readAt', t('harbor-ui-read'), { wideOnly: true }),
      ]}
      actions={(row) => [
        {
          key: 'sync',
          label: t('harbor-ui-sync'),
          icon: 'refresh',
          needs: namespaces.sync,
          onClick: () => sync.mutate({ params: { team: teamId, harbor: row.harborId } }),
        },
        {
          key: 'remove',
          label: t('harbor-ui-namespace-remove'),
          icon: 'delete',
          danger: true,
          needs: namespaces.remove,
          onClick: () => void askRemove(row),
        },
      ]}
      empty={{ type: 6, title: t('harbor-ui-namespaces-none'), memo: t('harbor-ui-namespaces-none-memo') }}
    />
  )
}

function Repositories() {
  const teamId = useTeamId()
  const list = useListState('registry-namespace-repositories')
  const query = useRead(
    namespaces.repos,
    { params: { teamId }, query: list.query },
    { of: (data) => data?.items.map(({ harborId }) => ({ harborId })) ?? [] },
  )
  return (
    <>
      {query.data?.silent.map(({ name, problem }) => (
        <p key={name} className="g-note g-note-bad">
          {t('harbor-ui-silent', { name, problem })}
        </p>
      ))}
      <ResourceTable
        label={t('harbor-ui-repositories')}
        query={query}
        list={list}
        search={t('harbor-ui-repository-search')}
        rowKey={(row) => `${row.harborId}/${row.name}`}
        nameOf={(row) => row.name}
        open={(row) =>
          to(
            'registry-tags',
            {
              namespace_id: row.namespaceId,
              harbor_id: row.harborId,
              project_id: row.projectId,
              from_type: 'repositories',
            },
            { repo: row.name },
          )
        }
        columns={[
          { key: 'name', title: t('harbor-ui-repository'), cell: (row) => row.name, mono: true },
          { key: 'harbor', title: t('route-sys-harbor'), cell: (row) => row.harborName },
          numberColumn('artifacts', t('harbor-ui-images'), { width: 96 }),
          numberColumn('pulls', t('harbor-ui-pulls'), { width: 96 }),
          timeColumn('updatedAt', t('harbor-ui-updated'), { wideOnly: true }),
        ]}
        empty={{ type: 6, title: t('harbor-ui-repositories-none'), memo: t('harbor-ui-repositories-none-memo') }}
      />
    </>
  )
}
