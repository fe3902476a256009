import type { Environment } from '@gantry/contract/clusters/environments'
import { pods } from '@gantry/contract/clusters/pods'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { exactTime } from '../../ui/format.ts'
import { useListState } from '../../ui/list-state.ts'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { AgeNote } from './age-note.tsx'
import { Narrowed, Narrowing } from './narrowing.tsx'
import './pods.css'

const everyMs = 10_000

/** The one language that Kubernetes speaks. */
const kubernetes = 'en'

/** What the cluster tells of its objects that one may see, the latest first. */
export function EventsTab({ environment }: { environment: Environment }) {
  const list = useListState('cluster-events', { filters: { type: '', namespace: '', kind: '' }, pageSize: 20 })
  // The order is the tab's own: another tab's column in the address is none of it.
  const { type, sort: _, ...rest } = list.query
  const query = useRead(
    pods.events,
    {
      params: { env: environment.uuid },
      query: { ...rest, ...(type === 'Warning' || type === 'Normal' ? { type } : {}) },
    },
    { every: everyMs },
  )
  return (
    <>
      <AgeNote age={query.data?.age} />
      <ResourceTable
        label={t('pods-ui-events')}
        query={query}
        list={list}
        search={t('pods-ui-events-search')}
        filters={[
          {
            name: 'type',
            label: t('pods-ui-type'),
            options: [
              { value: '', label: t('pods-ui-any') },
              { value: 'Warning', label: t('pods-ui-warning') },
              { value: 'Normal', label: t('pods-ui-normal') },
            ],
          },
        ]}
        toolbar={<Narrowed list={list} labels={{ namespace: t('pods-ui-namespace'), kind: t('pods-ui-object') }} />}
        rowKey={(row) => row.uid}
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
            key: 'object',
            title: t('pods-ui-object'),
            cell: (row) => (
              <div className="p-name">
                {row.name}
                <small>
                  <Narrowing value={row.kind} onChoose={(value) => list.setFilter('kind', value)} />
                </small>
              </div>
            ),
          },
          {
            key: 'namespace',
            title: t('pods-ui-namespace'),
            cell: (row) =>
              row.namespace === '' ? (
                <span className="g-faint">–</span>
              ) : (
                <Narrowing value={row.namespace} onChoose={(value) => list.setFilter('namespace', value)} />
              ),
          },
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
        empty={{ type: 'other', title: t('pods-ui-events-none'), memo: t('pods-ui-events-none-memo') }}
      />
    </>
  )
}
