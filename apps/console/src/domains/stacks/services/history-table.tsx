import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'

/** The requests to a service, including refused ones, newest first. */
export function HistoryTable({ service: { teamId, envId, id } }: { service: ServiceDetail }) {
  const list = useListState('service-history', { pageSize: 20 })
  const query = useRead(
    revisions.audit,
    { params: { teamId, envId, id }, query: { requestPage: list.page, pageSize: list.pageSize } },
    { of: { serviceId: id } },
  )
  return (
    <ResourceTable
      label={t('stacks-ui-history')}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      columns={[
        { key: 'at', title: t('stacks-ui-when'), cell: (row) => <Time at={row.startTime} /> },
        { key: 'action', title: t('stacks-ui-history-action'), cell: (row) => row.action },
        { key: 'by', title: t('stacks-ui-by'), cell: (row) => row.username },
        {
          key: 'result',
          title: t('stacks-ui-history-result'),
          cell: (row) =>
            row.result === 1 ? (
              <StateBadge state="success" />
            ) : (
              <span className="g-title">
                <StateBadge state="failed" />
                <span className="g-faint">{row.reason}</span>
              </span>
            ),
        },
      ]}
      empty={{ type: 'other', title: t('stacks-ui-history-none') }}
    />
  )
}
