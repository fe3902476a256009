import { pods } from '@gantry/contract/clusters/pods'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { AgeNote, emptyUnless, isUntold } from './age-note.tsx'
import { eventColumns } from './event-columns.tsx'
import { followed, useScope } from './follow.ts'
import { Narrowed, Narrowing } from './narrowing.tsx'
import styles from './pods.module.css'

const narrowings = ['type', 'namespace', 'kind'] as const

/** The cluster's events about objects that the user may see, the latest first. */
export function EventsTab({ env }: { env: string }) {
  const scope = useScope()
  const list = useListState('cluster-events', { filters: { type: '', namespace: '', kind: '' }, pageSize: 20 })
  // Ignores the address's sort column, which may belong to another tab.
  const { type, sort: _, ...rest } = list.query
  const query = useRead(
    pods.events,
    {
      params: { env },
      query: { ...rest, ...(type === 'Warning' || type === 'Normal' ? { type } : {}) },
    },
    {
      of: { scope },
      ...followed,
      concerns: (change) =>
        !('event' in change) || narrowings.every((by) => !list.filters[by] || list.filters[by] === change.event[by]),
    },
  )
  const columns = eventColumns()
  return (
    <>
      <AgeNote age={query.data?.age} nothing={query.data?.totalSize === 0} />
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
              { value: '', label: t('ui-any') },
              { value: 'Warning', label: t('pods-ui-warning') },
              { value: 'Normal', label: t('pods-ui-normal') },
            ],
          },
        ]}
        toolbar={<Narrowed list={list} labels={{ namespace: t('pods-ui-namespace'), kind: t('pods-ui-object') }} />}
        rowKey={(row) => row.uid}
        columns={[
          columns.last,
          columns.type,
          columns.reason,
          {
            key: 'object',
            title: t('pods-ui-object'),
            cell: (row) => (
              <div className={styles.name}>
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
          columns.message,
          columns.source,
        ]}
        empty={emptyUnless(isUntold(query.data?.age), {
          type: 'other',
          title: t('pods-ui-events-none'),
          memo: t('pods-ui-events-none-memo'),
        })}
      />
    </>
  )
}
