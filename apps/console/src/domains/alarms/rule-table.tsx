import { type AlarmRule, alarmRules, AlarmState } from '@gantry/contract/alarms/rules'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { exactTime } from '../../ui/format.ts'
import { GoTo, to, useGo, useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { Time } from '../../ui/time.tsx'
import { SilenceDialog } from './silence-dialog.tsx'
import { conditionWords, figure, mapWords, toService } from './words.ts'

const states = ['all', ...AlarmState.options] as const
const maxNamed = 2

/** The first few names, and the number of the others. */
const some = (all: readonly string[]): string =>
  [
    all.slice(0, maxNamed).join(', '),
    ...(all.length > maxNamed ? [t('ui-and-more', { count: all.length - maxNamed })] : []),
  ].join(' ')

function State({ rule }: { rule: AlarmRule }) {
  const { silencedUntil, silencedBy } = rule
  const by = rule.states[0]?.acknowledgedBy ?? ''
  return (
    <>
      <StateBadge state={rule.state} />
      {silencedUntil !== null && (
        <span
          className="g-tag"
          title={t('alarms-ui-silenced-until', { time: exactTime(silencedUntil), name: silencedBy })}
        >
          {t('alarms-ui-silenced')}
        </span>
      )}
      {by !== '' && <span className="g-faint"> {t('alarms-ui-acknowledged', { name: by })}</span>}
    </>
  )
}

/** The last value of the worst state, with a link to its service. */
function Worst({ teamId, rule: { states } }: { teamId: number; rule: AlarmRule }) {
  const [worst] = states
  if (!worst) return '–'
  return (
    <>
      {figure(worst.metric, worst.value)} <GoTo to={toService(teamId, worst)}>{worst.serviceName}</GoTo>
    </>
  )
}

export function RuleTable() {
  const teamId = useTeamId()
  const go = useGo()
  const list = useListState('monitorRule', { filters: { state: 'all' } })
  const query = useRead(alarmRules.list, { params: { id: teamId }, query: list.query })
  const silencing = useDialog<AlarmRule>()
  const remove = useWrite(alarmRules.remove, { done: 'delete-success', quiet: true })
  const silence = useWrite(alarmRules.silence, { done: 'option-success' })
  const acknowledge = useWrite(alarmRules.acknowledge, { done: 'option-success' })
  const add = {
    label: t('route-rule-create'),
    needs: alarmRules.create,
    onClick: () => go(to('rule-create', { team_id: teamId })),
  }
  const edit = (row: AlarmRule) => to('rule-edit', { team_id: teamId }, { rule: row.id })
  const askRemove = ({ name }: AlarmRule) =>
    confirmDelete({
      title: t('alarms-ui-delete-title', { name }),
      run: () => remove.mutateAsync({ named: name, params: { team_id: teamId, name } }),
    })
  const silenceOf = (row: AlarmRule) =>
    row.silencedUntil === null
      ? { label: t('alarms-ui-silence'), onClick: () => silencing.show(row) }
      : {
          label: t('alarms-ui-silence-end'),
          onClick: () => silence.mutate({ named: row.name, params: { alert_id: row.id }, body: { minutes: 0 } }),
        }
  return (
    <>
      <ResourceTable
        label={t('alarms-ui-tab-rules')}
        query={query}
        list={list}
        search={t('alarms-ui-search')}
        filters={[
          {
            name: 'state',
            label: t('alarms-ui-state'),
            options: states.map((value) => ({
              value,
              label: value === 'all' ? t('alarms-ui-all-states') : t(`state-${value}`),
            })),
          },
        ]}
        toolbar={
          <Button primary icon="add" needs={add.needs} onClick={add.onClick}>
            {add.label}
          </Button>
        }
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        open={edit}
        columns={[
          { key: 'name', title: t('alarms-ui-name'), sort: true, cell: (row) => row.name },
          { key: 'state', title: t('alarms-ui-state'), sort: true, min: 132, cell: (row) => <State rule={row} /> },
          {
            key: 'since',
            title: t('alarms-ui-since'),
            sort: true,
            cell: (row) => (row.since === null ? '–' : <Time at={row.since} />),
          },
          { key: 'value', title: t('alarms-ui-value'), cell: (row) => <Worst teamId={teamId} rule={row} /> },
          {
            key: 'maps',
            title: t('alarms-ui-watches'),
            cell: (row) => some(row.maps.map(mapWords)) || t('alarms-ui-watches-nothing'),
          },
          {
            key: 'conditions',
            title: t('alarms-ui-conditions'),
            cell: (row) => some(row.conditions.map(conditionWords)),
            wideOnly: true,
          },
          {
            key: 'channels',
            title: t('alarms-ui-tells'),
            cell: (row) => row.channels.map(({ name }) => name).join(', ') || t('alarms-ui-tells-nobody'),
            wideOnly: true,
          },
        ]}
        actions={(row) => [
          ...(row.states.some(({ state, acknowledgedBy }) => state === 'firing' && acknowledgedBy === '')
            ? [
                {
                  key: 'acknowledge',
                  label: t('alarms-ui-acknowledge'),
                  icon: 'check' as const,
                  needs: alarmRules.acknowledge,
                  onClick: () => acknowledge.mutate({ named: row.name, params: { alert_id: row.id } }),
                },
              ]
            : []),
          editAction({ needs: alarmRules.update, onClick: () => go(edit(row)) }),
          { key: 'silence', icon: 'pause', needs: alarmRules.silence, ...silenceOf(row) },
          deleteAction({ needs: alarmRules.remove, onClick: () => void askRemove(row) }),
        ]}
        empty={{ type: 1, title: t('alarms-ui-none'), memo: t('alarms-ui-none-memo'), add }}
      />
      {silencing.open && <SilenceDialog rule={silencing.open} onClose={silencing.hide} />}
    </>
  )
}
