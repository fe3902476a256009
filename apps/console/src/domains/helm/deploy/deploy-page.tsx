import { charts } from '@gantry/contract/helm/charts'
import { helmRepositories, type UsableRepository } from '@gantry/contract/helm/repositories'
import { releases } from '@gantry/contract/helm/releases'
import { Select } from 'antd'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { to, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { useChosen } from './chosen.ts'
import { DeployForm } from './deploy-form.tsx'

/** First the choice of a chart, then its values and target. */
export function DeployPage() {
  const teamId = useTeamId()
  const query = useRead(helmRepositories.all, { query: { tenantId: teamId } })
  const [chosen] = useChosen()
  return (
    <Page
      title={t('route-helm-deploy')}
      about={t('helm-ui-deploy-about')}
      crumbs={[{ label: t('route-helm-list'), to: to('helm-list', { team_id: teamId }) }]}
    >
      <Loaded query={query}>
        {(repositories) =>
          chosen.release === '' ? <NewRelease repositories={repositories} /> : <Upgrade repositories={repositories} />
        }
      </Loaded>
    </Page>
  )
}

function NewRelease({ repositories }: { repositories: readonly UsableRepository[] }) {
  const [{ repo, chart, version }] = useChosen()
  const repository = repositories.find(({ id }) => String(id) === repo) ?? repositories[0]
  if (!repository)
    return <EmptyState type={6} title={t('helm-ui-no-repositories')} memo={t('helm-ui-no-repositories-memo')} />
  if (chart === '' || version === '') return <ChartList repositories={repositories} repository={repository} />
  return <DeployForm key={`${repository.id} ${chart}`} repository={repository} chart={chart} version={version} />
}

/** The release's own chart, in the chosen version, at first its present one. */
function Upgrade({ repositories }: { repositories: readonly UsableRepository[] }) {
  const tenantId = useTeamId()
  const [chosen] = useChosen()
  const query = useRead(
    releases.get,
    { params: { id: Number(chosen.release), tenantId }, query: { cluster: chosen.cluster } },
    { staleMs: Infinity },
  )
  return (
    <Loaded query={query}>
      {(release) => {
        const repository = repositories.find(({ id }) => id === release.repositoryId)
        if (!repository)
          return <EmptyState type={6} title={t('helm-ui-no-repositories')} memo={t('helm-ui-no-repositories-memo')} />
        const version = chosen.version === '' ? release.version : chosen.version
        return (
          <DeployForm
            key={release.id}
            repository={repository}
            chart={release.chart}
            version={version}
            release={release}
          />
        )
      }}
    </Loaded>
  )
}

interface ChartListProps {
  repositories: readonly UsableRepository[]
  repository: UsableRepository
}

function ChartList({ repositories, repository }: ChartListProps) {
  const teamId = useTeamId()
  const [, choose] = useChosen()
  const list = useListState('helm-charts')
  const params = { repoId: repository.id, tenantId: teamId }
  const query = useRead(charts.list, { params, query: list.query })
  return (
    <>
      <div className="g-bar">
        <Select
          aria-label={t('helm-ui-repository')}
          prefix={<span className="g-faint">{t('helm-ui-repository')}</span>}
          value={repository.id}
          popupMatchSelectWidth={false}
          options={repositories.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => choose({ repo: String(id) })}
        />
      </div>
      {repository.state === 'failed' && <p className="g-note">{t('helm-ui-stale')}</p>}
      <ResourceTable
        label={t('helm-ui-charts')}
        query={query}
        list={list}
        search={t('helm-ui-search-charts')}
        rowKey={(row) => row.name}
        nameOf={(row) => row.name}
        open={(row) =>
          to('helm-deploy', { team_id: teamId }, { repo: repository.id, chart: row.name, version: row.version })
        }
        columns={[
          {
            key: 'name',
            title: t('helm-ui-chart'),
            sort: true,
            cell: (row) => (row.deprecated ? `${row.name} (${t('helm-ui-deprecated')})` : row.name),
          },
          { key: 'version', title: t('helm-ui-version'), cell: (row) => row.version },
          { key: 'appVersion', title: t('helm-ui-app-version'), cell: (row) => row.appVersion, wideOnly: true },
          { key: 'description', title: t('helm-ui-description'), cell: (row) => row.description, wideOnly: true },
        ]}
        empty={{ type: 1, title: t('helm-ui-no-charts'), memo: t('helm-ui-no-charts-memo') }}
      />
    </>
  )
}
