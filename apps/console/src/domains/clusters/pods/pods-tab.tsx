import { pods, type Pod } from '@gantry/contract/clusters/pods'
import { type ReadOptions, useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import type { Column } from '../../../ui/table/column.ts'
import { bytes, count } from '../../../ui/format.ts'
import { GoTo } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { AgeNote, emptyUnless, isUntold } from './age-note.tsx'
import { followed, useScope } from './follow.ts'
import { Narrowed, Narrowing } from './narrowing.tsx'
import { eventsOf, logOf, PodStatus } from './pod-marks.tsx'
import { isPodSort, podsInput, podsList } from '../clusters/reads.ts'
import styles from './pods.module.css'

const none = <span className="g-faint">–</span>

const columns = (env: string, setFilter: (name: string, value: string) => void, eventsSeen: boolean): Column<Pod>[] => [
  {
    key: 'name',
    min: 320,
    mono: true,
    title: t('pods-ui-name'),
    sort: true,
    cell: (row) => {
      const log = logOf(row, env)
      return (
        <div className={styles.name}>
          {log ? (
            <GoTo to={log} title={t('pods-ui-log-of', { name: row.name })}>
              {row.name}
            </GoTo>
          ) : (
            row.name
          )}
          {row.stack && (
            <small>
              {row.stack.name}
              {row.stack.service && ` / ${row.stack.service.name}`}
            </small>
          )}
        </div>
      )
    },
  },
  {
    key: 'namespace',
    min: 128,
    mono: true,
    title: t('pods-ui-namespace'),
    sort: true,
    cell: (row) => <Narrowing value={row.namespace} onChoose={(value) => setFilter('namespace', value)} />,
  },
  {
    key: 'status',
    title: t('pods-ui-status'),
    sort: true,
    cell: (row) =>
      eventsSeen ? (
        <GoTo to={eventsOf(row, env)} title={t('pods-ui-events-of', { name: row.name })}>
          <PodStatus pod={row} />
          <span className="g-hidden"> {t('pods-ui-events-of', { name: row.name })}</span>
        </GoTo>
      ) : (
        <PodStatus pod={row} />
      ),
  },
  {
    key: 'ready',
    title: t('pods-ui-ready'),
    sort: true,
    align: 'right',
    cell: (row) => `${row.ready}/${row.containers}`,
  },
  {
    key: 'restarts',
    title: t('pods-ui-restarts'),
    sort: true,
    align: 'right',
    cell: (row) => (row.restarts > 0 ? <b className={styles.warn}>{count(row.restarts)}</b> : 0),
  },
  {
    key: 'host',
    min: 96,
    mono: true,
    title: t('pods-ui-host'),
    sort: true,
    cell: (row) =>
      row.host === '' ? none : <Narrowing value={row.host} onChoose={(value) => setFilter('host', value)} />,
  },
  {
    key: 'ip',
    mono: true,
    extra: true,
    title: t('pods-ui-ip'),
    sort: true,
    cell: (row) => row.ip || none,
  },
  {
    key: 'cpu',
    title: t('pods-ui-cpu'),
    sort: true,
    align: 'right',
    extra: true,
    cell: (row) => (row.cpu === 0 ? none : t('pods-ui-cores', { count: count(row.cpu) })),
  },
  {
    key: 'memory',
    title: t('pods-ui-memory'),
    sort: true,
    align: 'right',
    extra: true,
    cell: (row) => (row.memory === 0 ? none : bytes(row.memory * 2 ** 30)),
  },
  timeColumn('createdAt', t('pods-ui-age'), { sort: true }),
]

/**
 * Updates a changed pod on the page; anything else is read again. If the page is `ordered`, by a filter or a column, a
 * change may also move the row.
 */
const updated =
  (ordered: boolean): NonNullable<ReadOptions<typeof pods.list>['apply']> =>
  (change, data) => {
    if (!('pod' in change) || !data.items.some(({ uid }) => uid === change.pod.uid)) return undefined
    const items = data.items.map((row) => (row.uid === change.pod.uid ? change.pod : row))
    return { data: { ...data, items }, whole: !ordered }
  }

interface PodsTabProps {
  env: string
  /** Only pods of this host. */
  host?: string
}

/** The cluster's pods that the user may see, live. */
export function PodsTab({ env, host }: PodsTabProps) {
  const eventsSeen = useMay(pods.events)
  const list = useListState(host === undefined ? podsList.cluster : podsList.host, podsList.options)
  const input = podsInput(env, list.query, host)
  const ordered = list.narrowed || isPodSort(list.sort) || host !== undefined
  const query = useRead(pods.list, input, { ...followed, of: { scope: useScope() }, apply: updated(ordered) })
  const statuses = (query.data?.statuses ?? []).map(({ status, count: n }) => ({
    value: status,
    label: t('pods-ui-status-count', { status, count: count(n) }),
  }))
  const chosen = list.filters['status'] ?? ''
  if (chosen !== '' && !statuses.some(({ value }) => value === chosen)) statuses.push({ value: chosen, label: chosen })
  return (
    <>
      <AgeNote age={query.data?.age} nothing={query.data?.totalSize === 0} />
      <ResourceTable
        label={t('pods-ui-pods')}
        query={query}
        list={list}
        search={t('pods-ui-search')}
        filters={[
          {
            name: 'status',
            label: t('pods-ui-status'),
            options: [{ value: '', label: t('ui-any') }, ...statuses],
          },
        ]}
        toolbar={<Narrowed list={list} labels={{ namespace: t('pods-ui-namespace'), host: t('pods-ui-host') }} />}
        rowKey={(row) => row.uid}
        nameOf={(row) => row.name}
        columns={columns(env, list.setFilter, eventsSeen).filter(({ key }) => host === undefined || key !== 'host')}
        empty={emptyUnless(isUntold(query.data?.age), {
          type: 6,
          title: t('pods-ui-none'),
          memo: t('pods-ui-none-memo'),
        })}
      />
    </>
  )
}
