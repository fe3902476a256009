import { hosts, type Host } from '@gantry/contract/clusters/hosts'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { exactTime } from '../../ui/format.ts'
import { useListState } from '../../ui/list-state.ts'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Time } from '../../ui/time.tsx'

/** The one language that Kubernetes speaks. */
const kubernetes = 'en'

/** What the cluster tells of a host, the latest first. */
export function HostEvents({ host: { envUuid, name } }: { host: Host }) {
  const list = useListState('host-events', { pageSize: 20 })
  const { sort: _, ...rest } = list.query
  const query = useRead(hosts.events, { params: { env: envUuid, host: name }, query: rest }, { every: 10_000 })
  return (
    <ResourceTable
      label={t('hosts-ui-tab-events')}
      query={query}
      list={list}
      search={t('pods-ui-events-search')}
      rowKey={(row) => `${row.reason}/${row.first}/${row.last}/${row.message}`}
      columns={[
        { key: 'last', title: t('pods-ui-last'), width: 120, cell: (row) => <Time at={row.last} /> },
        {
          key: 'type',
          title: t('pods-ui-type'),
          width: 110,
          cell: ({ type }) => (
            <StateBadge
              state={type}
              tone={type === 'Warning' ? 'warn' : 'idle'}
              text={type === 'Warning' ? t('pods-ui-warning') : t('pods-ui-normal')}
            />
          ),
        },
        { key: 'reason', title: t('pods-ui-reason'), cell: (row) => <span lang={kubernetes}>{row.reason}</span> },
        {
          key: 'message',
          title: t('pods-ui-message'),
          cell: (row) => (
            <>
              <span lang={kubernetes}>{row.message}</span>
              {row.count > 1 && (
                <span
                  className="g-faint g-num"
                  title={t('pods-ui-times', { count: row.count, time: exactTime(row.first) })}
                >
                  {' '}
                  ×{row.count}
                </span>
              )}
            </>
          ),
        },
        {
          key: 'source',
          title: t('pods-ui-source'),
          wideOnly: true,
          cell: (row) => <span lang={kubernetes}>{row.source}</span>,
        },
      ]}
      empty={{ type: 'other', title: t('hosts-ui-events-none'), memo: t('hosts-ui-events-none-memo') }}
    />
  )
}
