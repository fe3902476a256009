import { alarmRules } from '@gantry/contract/alarms/rules'
import { setRevision } from '@gantry/contract/revision'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { z } from 'zod'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useLacking } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { Locked } from '../../ui/feedback/locked.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { eventColumns } from './history-table.tsx'
import { figure } from './words.ts'

const paramsOf = ({ teamId, envId, stackId, id }: ServiceDetail) => ({ t: teamId, e: envId, s: stackId, svc: id })

/** The alarm rules that watch a service, and their states for it. */
export function ServiceAlarmsTab({ service }: { service: ServiceDetail }) {
  const needs = alarmRules.ofService
  if (useLacking()(needs) !== undefined) return <Locked needs={needs} />
  return (
    <>
      <ServiceRules service={service} />
      <ServiceHistory service={service} />
    </>
  )
}

function ServiceRules({ service }: { service: ServiceDetail }) {
  const { teamId } = service
  const params = paramsOf(service)
  const go = useGo()
  const query = useRead(alarmRules.ofService, { params })
  const adding = useDialog()
  const unbind = useWrite(alarmRules.unbindService, { done: 'option-success' })
  const own = query.data?.filter(({ via }) => via === 'service').map(({ ruleId }) => ruleId) ?? []
  const needs = alarmRules.bindService
  return (
    <Section
      title={t('alarms-ui-tab-rules')}
      about={t('alarms-ui-service-rules-about')}
      actions={
        <>
          <Button icon="add" needs={needs} onClick={() => adding.show(true)}>
            {t('alarms-ui-service-add')}
          </Button>
          <Button
            icon="alarm"
            needs={needs}
            onClick={() => go(to('rule-create', { team_id: teamId }, { service: service.id, ...placeOf(service) }))}
          >
            {t('route-rule-create')}
          </Button>
        </>
      }
    >
      <ResourceTable
        label={t('alarms-ui-tab-rules')}
        query={query}
        rowKey={(row) => `${row.ruleId} ${row.via}`}
        nameOf={(row) => row.name}
        open={(row) => to('rule-edit', { team_id: teamId }, { rule: row.ruleId })}
        columns={[
          { key: 'name', title: t('alarms-ui-name'), cell: (row) => <RuleName rule={row} /> },
          {
            key: 'state',
            title: t('alarms-ui-state'),
            cell: (row) =>
              row.states.map(({ condition, metric, state, value }) => (
                <div key={condition}>
                  <StateBadge state={state} /> <span className="g-quiet">{t(`alarms-ui-metric-${metric}`)}</span>{' '}
                  <span className="g-num">{figure(metric, value)}</span>
                </div>
              )),
          },
          {
            key: 'via',
            title: t('alarms-ui-watches'),
            cell: (row) => t(row.via === 'stack' ? 'alarms-ui-service-by-stack' : 'alarms-ui-service-by-itself'),
          },
        ]}
        actions={(row) => [
          {
            key: 'unbind',
            label: t('alarms-ui-service-unbind'),
            icon: 'close',
            needs,
            disabled: row.via === 'stack' && t('alarms-ui-service-by-stack-kept'),
            onClick: () => unbind.mutate({ named: row.name, params: { ...params, ruleId: row.ruleId } }),
          },
        ]}
        empty={{ type: 1, title: t('alarms-ui-service-none'), memo: t('alarms-ui-service-none-memo') }}
      />
      {adding.open && <AddDialog service={service} own={own} onClose={adding.hide} />}
    </Section>
  )
}

const RuleName = ({ rule: { name, enabled } }: { rule: { name: string; enabled: boolean } }) => (
  <>
    {name} {!enabled && <span className="g-tag">{t('alarms-ui-off')}</span>}
  </>
)

/** The query by which the form of a new rule knows the service. */
const placeOf = ({ name, stackName, envId }: ServiceDetail) => ({ name, stack: stackName, env: envId })

const Added = z.object({ rule: z.number('field-required') })

/** Adds the service to an existing rule. */
function AddDialog({ service, own, onClose }: { service: ServiceDetail; own: readonly number[]; onClose: () => void }) {
  const bind = useWrite(alarmRules.bindService, { done: 'option-success', quiet: true })
  return (
    <FormDialog
      title={t('alarms-ui-service-add')}
      onClose={onClose}
      schema={Added}
      submit={t('ui-confirm')}
      onSubmit={async ({ rule }) => {
        const maps = [...new Set([...own, rule])]
        const body = { maps, revision: setRevision(own) }
        await bind.mutateAsync({ named: service.name, params: paramsOf(service), body })
      }}
    >
      <Field name="rule" label={t('alarms-ui-rule')}>
        <RemoteSelect
          endpoint={alarmRules.list}
          input={{ params: { id: service.teamId } }}
          pageSize={10}
          option={({ id, name }) => ({ value: id, label: name })}
        />
      </Field>
    </FormDialog>
  )
}

function ServiceHistory({ service }: { service: ServiceDetail }) {
  const list = useListState('service-alarms', { pageSize: 10 })
  const { requestPage, pageSize } = list.query
  const query = useRead(alarmRules.serviceHistory, { params: paramsOf(service), query: { requestPage, pageSize } })
  return (
    <Section title={t('alarms-ui-tab-history')}>
      <ResourceTable
        label={t('alarms-ui-tab-history')}
        query={query}
        list={list}
        rowKey={(row) => row.id}
        nameOf={(row) => row.ruleName}
        columns={eventColumns()}
        empty={{ type: 1, title: t('alarms-ui-history-none'), memo: t('alarms-ui-history-none-memo') }}
      />
    </Section>
  )
}
