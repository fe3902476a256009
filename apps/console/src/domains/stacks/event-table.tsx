import { topics } from '@gantry/contract/push/topics'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { t } from '../../api/language.ts'
import { useListState } from '../../ui/list-state.ts'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { isSettled } from './service-states.ts'
import { useFollowed } from './use-followed.ts'

/** The one language that Kubernetes speaks. */
const kubernetes = 'en'

/** What Kubernetes has to say about a service's objects, newest first. */
export function EventTable({ service }: { service: ServiceDetail }) {
  const { teamId, envId, id } = service
  const list = useListState('service-events', { pageSize: 50 })
  const query = useFollowed(
    services.events,
    { params: { teamId, envId, serviceId: id }, query: { requestPage: list.page, pageSize: list.pageSize } },
    topics.service(id),
    () => isSettled(service),
  )
  return (
    <ResourceTable
      label={t('stacks-ui-events')}
      query={query}
      list={list}
      rowKey={(row) => `${row.object}/${row.reason}/${row.lastAt}/${row.message}`}
      columns={[
        { key: 'last', title: t('stacks-ui-event-last'), width: 120, cell: (row) => <Time at={row.lastAt} /> },
        {
          key: 'type',
          title: t('stacks-ui-event-type'),
          width: 120,
          cell: (row) => (
            <StateBadge state={row.type} tone={row.type === 'Warning' ? 'warn' : 'idle'} text={typeWord(row.type)} />
          ),
        },
        {
          key: 'reason',
          title: t('stacks-ui-event-reason'),
          width: 160,
          cell: (row) => <span lang={kubernetes}>{row.reason}</span>,
        },
        {
          key: 'object',
          title: t('stacks-ui-event-object'),
          wideOnly: true,
          cell: (row) => <span className="s-nowrap">{row.object}</span>,
        },
        {
          key: 'message',
          title: t('stacks-ui-event-message'),
          cell: (row) => (
            <>
              <span lang={kubernetes}>{row.message}</span>
              {row.count > 1 && <span className="g-faint g-num"> ×{row.count}</span>}
            </>
          ),
        },
      ]}
      empty={{
        type: 'other',
        title: t('stacks-ui-events-none'),
        memo: t('stacks-ui-events-none-memo'),
      }}
    />
  )
}

const typeWord = (type: string): string =>
  type === 'Warning' ? t('stacks-ui-event-warning') : type === 'Normal' ? t('state-normal') : type
