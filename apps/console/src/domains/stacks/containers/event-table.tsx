import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { eventColumns, followed } from '../../clusters/public.tsx'

/** Kubernetes' events about a service's objects, newest first. */
export function EventTable({ service: { teamId, envId, id } }: { service: ServiceDetail }) {
  const list = useListState('service-events', { pageSize: 50 })
  const query = useRead(
    services.events,
    { params: { teamId, envId, serviceId: id }, query: { requestPage: list.page, pageSize: list.pageSize } },
    { of: { serviceId: id }, ...followed },
  )
  const columns = eventColumns()
  return (
    <ResourceTable
      label={t('stacks-ui-events')}
      query={query}
      list={list}
      rowKey={(row) => `${row.object}/${row.reason}/${row.lastAt}/${row.message}`}
      columns={[
        { ...columns.last, cell: (row) => <Time at={row.lastAt} /> },
        columns.type,
        { ...columns.reason, width: 160 },
        {
          key: 'object',
          title: t('pods-ui-object'),
          wideOnly: true,
          cell: (row) => <span className="g-nowrap">{row.object}</span>,
        },
        columns.message,
      ]}
      empty={{
        type: 'other',
        title: t('stacks-ui-events-none'),
        memo: t('stacks-ui-events-none-memo'),
      }}
    />
  )
}
