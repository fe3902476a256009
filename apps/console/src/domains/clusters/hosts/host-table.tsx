import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts, hostSorts, type Host } from '@gantry/contract/clusters/hosts'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { useRead } from '../../../api/hooks.ts'
import type { Column } from '../../../ui/table/column.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import type { TableProps } from '../../../ui/table/resource-table.tsx'
import { emptyUnless } from '../pods/age-note.tsx'
import { hostFor, HostRoles, HostState, placeOf, Share } from './host-marks.tsx'
import { useHostActions } from './use-host-actions.tsx'
import { useHostBulk } from './use-host-bulk.tsx'
import styles from './hosts.module.css'

/** The usage of hosts changes all the time, and is refetched. */
const every = 15_000

const states = ['ready', 'not_ready', 'cordoned', 'maintenance', 'deleting'] as const

const uncounted = <span className="g-faint">–</span>

const columns = (): Column<Host>[] => [
  {
    key: 'name',
    title: t('hosts-ui-name'),
    sort: true,
    cell: (row) => (
      <span className="g-name">
        {row.name}
        <small>{row.ip}</small>
      </span>
    ),
  },
  { key: 'state', title: t('hosts-ui-state'), sort: true, cell: (row) => <HostState host={row} /> },
  { key: 'roles', title: t('hosts-ui-roles'), cell: (row) => <HostRoles host={row} /> },
  {
    key: 'podNum',
    title: t('hosts-ui-pods'),
    sort: true,
    align: 'right',
    cell: ({ podNum, allocatable: { pods } }) =>
      podNum === null ? uncounted : t('hosts-ui-pods-of', { count: podNum, total: pods }),
  },
  ...(['cpu', 'memory'] as const).map((resource) => ({
    key: resource,
    title: t(`hosts-ui-${resource}`),
    sort: true,
    cell: ({ requested, allocatable, used }: Host) =>
      requested === null ? (
        uncounted
      ) : (
        <Share
          label={t(`hosts-ui-${resource}`)}
          unit={t(`stacks-ui-unit-${resource}`)}
          requested={requested[resource]}
          total={allocatable[resource]}
          used={used?.[resource] ?? null}
        />
      ),
  })),
  {
    key: 'for',
    title: t('hosts-ui-for'),
    wideOnly: true,
    cell: hostFor,
  },
  {
    key: 'ingress',
    title: t('hosts-ui-ingress'),
    extra: true,
    cell: (row) => (row.ingress ? t('hosts-ui-ingress-yes') : <span className="g-faint">–</span>),
  },
  {
    key: 'version',
    title: t('hosts-ui-version'),
    sort: true,
    extra: true,
    // a host that was never ready has reported none
    cell: (row) => <span className={row.version ? styles.word : 'g-faint'}>{row.version || '–'}</span>,
  },
]

const clusterColumn = (): Column<Host> => ({
  key: 'envName',
  title: t('hosts-ui-cluster'),
  sort: true,
  cell: (row) => <span className={styles.word}>{row.envName}</span>,
})

/** The list of hosts, of one cluster or of all: the props of its table, and the dialogs to render. */
export function useHostTable(envUuid?: string) {
  const everywhere = useMay(clusters.list)
  const name = envUuid === undefined ? 'hosts' : 'cluster-hosts'
  const list = useListState(name, { filters: { state: '', envUuid: '' }, pageSize: 20 })
  const { sort, envUuid: chosen, ...rest } = list.query
  // The address may have a sort column of another tab, which is ignored here.
  const ordered = hostSorts.some((column) => sort === column || sort === `-${column}`)
  const of = envUuid ?? (typeof chosen === 'string' ? chosen : undefined)
  const query = useRead(
    hosts.list,
    {
      query: {
        ...rest,
        // Viewers of all clusters see all hosts, whichever team they are in.
        ...(of === undefined ? { all: everywhere ? 'true' : 'false' } : { envUuid: of }),
        ...(ordered ? { sort: String(sort) } : {}),
      },
    },
    { ...(of && { of: { env: of } }), every },
  )
  const { actionsOf, dialog } = useHostActions()
  const bulk = useHostBulk()
  const stale = query.data?.stale ?? []
  const table: Omit<TableProps<Host>, 'label'> = {
    query,
    list,
    search: t('hosts-ui-search'),
    filters: [
      {
        name: 'state',
        label: t('hosts-ui-state'),
        options: [
          { value: '', label: t('ui-any') },
          ...states.map((state) => ({
            value: state,
            label: t(`state-${state === 'not_ready' ? 'not-ready' : state}`),
          })),
        ],
      },
    ],
    rowKey: (row) => `${row.envUuid}/${row.uuid}`,
    nameOf: (row) => row.name,
    columns: envUuid === undefined ? columns().toSpliced(1, 0, clusterColumn()) : columns(),
    open: (row) => placeOf(row),
    actions: (row) => actionsOf(row),
    bulk,
    empty: emptyUnless(
      stale.some(({ message }) => message !== ''),
      {
        type: 6,
        title: t('hosts-ui-none'),
        memo: t(envUuid === undefined ? 'hosts-ui-none-memo' : 'hosts-ui-none-here-memo'),
      },
    ),
  }
  return { table, dialog, list, stale, nothing: query.data?.totalSize === 0 }
}
