import { hosts } from '@gantry/contract/clusters/hosts'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { eventColumns } from '../pods/event-columns.tsx'
import { followed } from '../pods/follow.ts'

/** The cluster's events about a host, the latest first. */
export function HostEvents({ env, name }: { env: string; name: string }) {
  const list = useListState('host-events', { pageSize: 20 })
  const { sort: _, ...rest } = list.query
  const query = useRead(
    hosts.events,
    { params: { env, host: name }, query: rest },
    {
      ...followed,
      concerns: (change) => !('host' in change) || change.host === name,
    },
  )
  const columns = eventColumns()
  return (
    <ResourceTable
      label={t('hosts-ui-tab-events')}
      query={query}
      list={list}
      search={t('pods-ui-events-search')}
      rowKey={(row) => `${row.reason}/${row.first}/${row.last}/${row.message}`}
      columns={[columns.last, columns.type, columns.reason, columns.message, columns.source]}
      empty={{ type: 'other', title: t('hosts-ui-events-none'), memo: t('hosts-ui-events-none-memo') }}
    />
  )
}
