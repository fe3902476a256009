import { releases, ReleaseState as States } from '@gantry/contract/helm/releases'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { ReleasePage } from './release-page.tsx'
import { ReleaseState } from './release-state.tsx'

/** A team's releases, or with `?release` and its cluster one of them. */
export function ReleaseListPage() {
  const [{ release, cluster }] = useUrlState({ release: '', cluster: '' })
  return release === '' ? <ReleaseList /> : <ReleasePage id={Number(release)} cluster={cluster} />
}

function ReleaseList() {
  const teamId = useTeamId()
  const go = useGo()
  const list = useListState('helm-list', { filters: { state: 'all' } })
  const query = useRead(releases.list, { params: { tenantId: teamId }, query: list.query })
  const add = {
    label: t('helm-ui-deploy'),
    needs: releases.deploy,
    onClick: () => go(to('helm-deploy', { team_id: teamId })),
  }
  return (
    <ListPage
      title={t('route-helm-list')}
      about={t('helm-ui-releases-about')}
      add={add}
      query={query}
      list={list}
      search={t('helm-ui-search-releases')}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={(row) => to('helm-list', { team_id: teamId }, { release: row.id, cluster: row.cluster })}
      filters={[
        {
          name: 'state',
          label: t('helm-ui-state'),
          options: [
            { value: 'all', label: t('helm-ui-any-state') },
            ...States.options.map((value) => ({ value, label: t(`helm-ui-release-state-${value}`) })),
          ],
        },
      ]}
      columns={[
        { key: 'name', title: t('helm-ui-release'), sort: true, cell: (row) => row.name },
        {
          key: 'state',
          title: t('helm-ui-state'),
          cell: (row) => (
            <>
              <ReleaseState state={row.state} />
              {row.message !== '' && <div className="g-faint">{row.message}</div>}
            </>
          ),
        },
        { key: 'chart', title: t('helm-ui-chart'), cell: (row) => `${row.chart} ${row.version}` },
        { key: 'stack', title: t('helm-ui-stack'), cell: (row) => row.stack },
        { key: 'cluster', title: t('helm-ui-cluster'), cell: (row) => row.clusterName, wideOnly: true },
        timeColumn('updatedAt', t('helm-ui-updated'), { sort: true, wideOnly: true }),
      ]}
      empty={{ type: 1, title: t('helm-ui-releases-none'), memo: t('helm-ui-releases-none-memo') }}
    />
  )
}
