import { type AlarmEvent, alarmRules } from '@gantry/contract/alarms/rules'
import { t } from '../../api/language.ts'
import { useRead } from '../../api/hooks.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { GoTo, useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import type { Column } from '../../ui/table/column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { conditionWords, figure, toService } from './words.ts'

/** An event is shown like the state to which it led. */
const stateOf: Record<AlarmEvent['kind'], string> = {
  fired: 'firing',
  resolved: 'ok',
  'no-data': 'no-data',
  back: 'ok',
  acknowledged: 'confirmed',
}

/** The columns of events; `service` is an additional column if there are several services. */
export const eventColumns = (...service: Column<AlarmEvent>[]): Column<AlarmEvent>[] => [
  timeColumn('at', t('alarms-ui-at')),
  {
    key: 'kind',
    title: t('alarms-ui-what'),
    cell: (row) => (
      <>
        <StateBadge state={stateOf[row.kind]} text={t(`alarms-ui-kind-${row.kind}`)} />
        {row.by !== '' && <span className="g-faint"> {row.by}</span>}
      </>
    ),
  },
  ...service,
  { key: 'condition', title: t('alarms-ui-conditions'), cell: (row) => conditionWords(row.condition) },
  { key: 'value', title: t('alarms-ui-value'), cell: (row) => figure(row.condition.metric, row.value) },
  { key: 'rule', title: t('alarms-ui-rule'), cell: (row) => row.ruleName },
  { key: 'told', title: t('alarms-ui-told'), cell: (row) => row.told.join(', ') || '–', wideOnly: true },
]

/** The events of a team's alarms, newest first. */
export function HistoryTable() {
  const teamId = useTeamId()
  const list = useListState('alarm-history', { pageSize: 20 })
  const query = useRead(alarmRules.history, { params: { team_id: teamId }, query: list.query })
  return (
    <ResourceTable
      label={t('alarms-ui-tab-history')}
      query={query}
      list={list}
      search={t('alarms-ui-history-search')}
      rowKey={(row) => row.id}
      nameOf={(row) => row.ruleName}
      columns={eventColumns({
        key: 'service',
        title: t('alarms-ui-service'),
        cell: (row) => (
          <GoTo to={toService(teamId, row)}>
            {t('alarms-ui-map-service', { service: row.serviceName, stack: row.stackName })}
          </GoTo>
        ),
      })}
      empty={{ type: 1, title: t('alarms-ui-history-none'), memo: t('alarms-ui-history-none-memo') }}
    />
  )
}
