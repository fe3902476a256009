import { Delivery, webhooks } from '@gantry/contract/webhooks/webhooks'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { scrollStop } from '../../ui/focus/scroll-stop.ts'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { DeliveryState } from './delivery-state.tsx'

const states = ['all', ...Delivery.shape.state.options] as const

/** The messages to a webhook, and the answers of its receiver. */
export function DeliveryTable({ id }: { id: number }) {
  const list = useListState('webhook-deliveries', { filters: { state: 'all' } })
  const query = useRead(webhooks.deliveries, { params: { id }, query: list.query })
  const again = useWrite(webhooks.redeliver, {
    done: 'update-success',
  })
  return (
    <ResourceTable
      label={t('webhooks-ui-deliveries')}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => row.uuid}
      filters={[
        {
          name: 'state',
          label: t('webhooks-ui-state'),
          options: states.map((value) => ({
            value,
            label: value === 'all' ? t('webhooks-ui-all-states') : t(`webhooks-ui-state-${value}`),
          })),
        },
      ]}
      columns={[
        { key: 'event', title: t('webhooks-ui-event'), cell: (row) => <Message delivery={row} /> },
        { key: 'state', title: t('webhooks-ui-state'), width: 120, cell: (row) => <DeliveryState state={row.state} /> },
        { key: 'answer', title: t('webhooks-ui-answer'), cell: (row) => row.problem || (row.status ?? '–') },
        numberColumn('attempts', t('webhooks-ui-attempts'), { width: 80 }),
        timeColumn('createdAt', t('webhooks-ui-at'), { wideOnly: true }),
      ]}
      actions={(row) => [
        {
          key: 'again',
          label: t('webhooks-ui-again'),
          icon: 'refresh',
          onClick: () => again.mutate({ named: row.uuid, params: { id, deliveryId: row.id } }),
        },
      ]}
      empty={{
        type: 1,
        title: t('webhooks-ui-deliveries-none'),
        memo: t('webhooks-ui-deliveries-none-memo'),
      }}
    />
  )
}

const Message = ({ delivery: { event, body } }: { delivery: Delivery }) => (
  <details>
    <summary>{t(`notifications-event-${event}`)}</summary>
    <pre ref={scrollStop} aria-label={t('webhooks-ui-body')}>
      {body}
    </pre>
  </details>
)
