import type { ServiceSummary } from '@gantry/contract/stacks/services'
import { type AccessLine, statusClasses, ways } from '@gantry/contract/stacks/ways'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { duration, zonedTime } from '../../../ui/format.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from './outward.module.css'

/** Requests come without an event. */
const every = 10_000

/** Who called a service from outside, by the log of its controller. */
export function AccessLog({ service: { teamId, envId, id } }: { service: ServiceSummary }) {
  const list = useListState('access-log', { pageSize: 50, filters: { status: 'all' } })
  const query = useRead(
    ways.accessLog,
    { params: { teamId, envId, id }, query: list.query },
    { every, of: { serviceId: id } },
  )
  const { why = '', since = '' } = query.data ?? {}
  // An empty table beside it would say that nobody called.
  if (why !== '')
    return (
      <p className="g-note g-note-warn" role="status">
        {why}
      </p>
    )
  return (
    <div className={styles.overview}>
      {query.data && <p className="g-faint">{t('access-log-ui-about', { since: zonedTime(since) })}</p>}
      <ResourceTable<AccessLine>
        label={t('access-log-ui')}
        query={query}
        list={list}
        search={t('access-log-ui-search')}
        filters={[
          {
            name: 'status',
            label: t('access-log-ui-status'),
            options: ['all', ...statusClasses].map((value) => ({
              value,
              label: value === 'all' ? t('ui-any') : value,
            })),
          },
        ]}
        rowKey={(row) => `${row.at} ${row.client} ${row.method} ${row.path}`}
        columns={[
          {
            key: 'request',
            title: t('access-log-ui-request'),
            min: 200,
            cell: (row) => (
              <span className="g-mono" translate="no">
                {row.method} {row.host}
                {row.path}
              </span>
            ),
          },
          {
            key: 'status',
            title: t('access-log-ui-status'),
            cell: (row) => <span className={`g-num ${row.status >= 500 ? 'g-bad' : ''}`}>{row.status}</span>,
          },
          { key: 'time', title: t('access-log-ui-time'), cell: (row) => <Time at={row.at} /> },
          {
            key: 'duration',
            title: t('access-log-ui-duration'),
            cell: (row) => <span className="g-num">{row.duration === null ? '–' : duration(row.duration)}</span>,
            wideOnly: true,
          },
          {
            key: 'client',
            title: t('access-log-ui-client'),
            cell: (row) => <span className="g-mono">{row.client}</span>,
            wideOnly: true,
          },
          {
            key: 'service',
            title: t('access-log-ui-service'),
            cell: (row) => <span className="g-mono">{row.service || '–'}</span>,
            wideOnly: true,
          },
        ]}
        empty={{ title: t('access-log-ui-none'), memo: t('access-log-ui-none-memo') }}
      />
    </div>
  )
}
