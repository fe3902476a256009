import { Cluster, clusters } from '@gantry/contract/clusters/clusters'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import type { Column } from '../../../ui/table/column.ts'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { numberColumn } from '../../../ui/table/number-column.ts'
import { CapacityText, UsageBars } from '../hosts/capacity.tsx'
import { ClusterName, Health } from './health.tsx'
import { clustersList } from './reads.ts'
import { useClusterActions } from './use-cluster-actions.tsx'
import styles from './clusters.module.css'

/** The health of clusters is pushed; their usage changes all the time, and is refetched at this interval. */
const every = 60_000

/** A team's clusters come in one list, by name; the list of all clusters is paged and sorted. */
const columns = (sort: boolean): readonly Column<Cluster>[] => [
  { key: 'name', title: t('clusters-ui-name'), sort, cell: (row) => <ClusterName cluster={row} /> },
  { key: 'health', title: t('clusters-ui-health'), sort, cell: (row) => <Health cluster={row} /> },
  {
    key: 'version',
    title: t('clusters-ui-version'),
    sort,
    wideOnly: true,
    cell: (row) => <span className={styles.word}>{row.version || '–'}</span>,
  },
  numberColumn('nodeNum', t('clusters-ui-nodes'), { sort, width: 80 }),
  {
    key: 'capacity',
    title: t('clusters-ui-capacity'),
    sort,
    wideOnly: true,
    cell: (row) => <CapacityText capacity={row.capacity} />,
  },
  { key: 'usage', title: t('clusters-ui-usage'), sort, cell: (row) => <UsageBars usage={row.usage} /> },
]

export function ClusterListPage() {
  return useMay(clusters.list) ? <AllClusters /> : <TeamClusters />
}

function useAdd() {
  const go = useGo()
  return { label: t('clusters-ui-add'), needs: to('cluster-add'), onClick: () => go(to('cluster-add')) }
}

function AllClusters() {
  const add = useAdd()
  const list = useListState(clustersList.name, clustersList.options)
  const query = useRead(clusters.list, { query: list.query }, { every })
  const { actionsOf, dialog } = useClusterActions()
  return (
    <ListPage
      title={t('route-resourcemanager-environments-new')}
      about={t('clusters-ui-about-all')}
      add={add}
      query={query}
      list={list}
      search={t('clusters-ui-search')}
      filters={[
        {
          name: 'health',
          label: t('clusters-ui-health'),
          options: [
            { value: '', label: t('ui-any') },
            ...Cluster.shape.health.options.map((value) => ({ value, label: t(`state-${value}`) })),
          ],
        },
      ]}
      rowKey={(row) => row.uuid}
      nameOf={(row) => row.name}
      columns={[
        ...columns(true),
        {
          key: 'teams',
          title: t('clusters-ui-teams'),
          wideOnly: true,
          cell: (row) =>
            row.sandbox ? t('clusters-ui-teams-every') : <Teams names={row.teams.map(({ name }) => name)} />,
        },
      ]}
      open={(row) => to('cluster-detail', { env_uuid: row.uuid })}
      actions={actionsOf}
      empty={{
        type: 6,
        title: t('clusters-ui-none'),
        memo: t('disabled' in add ? 'clusters-ui-none-team-memo' : 'clusters-ui-none-memo'),
      }}
    >
      {dialog}
    </ListPage>
  )
}

/** The number of teams that are named; the others are counted. */
const maxNamed = 3

function Teams({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="g-faint">{t('clusters-ui-teams-none')}</span>
  const rest = names.length - maxNamed
  return (
    <span title={names.join(', ')}>
      {names.slice(0, maxNamed).join(', ')}
      {rest > 0 && <span className="g-faint"> {t('ui-and-more', { count: rest })}</span>}
    </span>
  )
}

function TeamClusters() {
  const add = useAdd()
  const teamId = useTeamId()
  const query = useRead(clusters.ofTeam, { params: { teamId } }, { every })
  return (
    <ListPage
      title={t('route-resourcemanager-environments-new')}
      about={t('clusters-ui-about-team')}
      add={add}
      query={query}
      rowKey={(row) => row.uuid}
      columns={columns(false)}
      open={(row) => to('cluster-detail', { env_uuid: row.uuid })}
      empty={{ type: 6, title: t('clusters-ui-none'), memo: t('clusters-ui-none-team-memo') }}
    />
  )
}
