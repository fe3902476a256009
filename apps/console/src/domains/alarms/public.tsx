import { alarmRules } from '@gantry/contract/alarms/rules'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useLacking } from '../../api/session.ts'
import { t } from '../../api/language.ts'
import { useRead } from '../../api/hooks.ts'
import { later } from '../../ui/feedback/later.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { GoTo, to } from '../../ui/link.tsx'
import { figure } from './words.ts'

/** The alarm rules of a service and their history; lazy, because the service's page does not need them at first. */
export const ServiceAlarmsTab = later(
  async () => (await import('./service-alarms.tsx')).ServiceAlarmsTab,
  <Skeleton rows={8} />,
)

/** The firing alarms of a service; renders nothing without any. */
export function ServiceAlarms({ service }: { service: ServiceDetail }) {
  const lacks = useLacking()(alarmRules.ofService)
  return lacks === undefined ? <Firing service={service} /> : null
}

function Firing({ service: { teamId, envId, stackId, id } }: { service: ServiceDetail }) {
  const params = { t: teamId, e: envId, s: stackId, svc: id }
  const query = useRead(alarmRules.ofService, { params })
  const firing = (query.data ?? []).flatMap(({ ruleId, name, states }) =>
    states.filter(({ state }) => state === 'firing').map((one) => ({ ...one, ruleId, name })),
  )
  if (firing.length === 0) return null
  return (
    <div role="status" aria-label={t('alarms-ui-service-alarms')}>
      {firing.map((one) => (
        <p
          key={`${one.ruleId} ${one.condition}`}
          className={one.severity === 'critical' ? 'g-note g-note-bad' : 'g-note g-note-warn'}
        >
          <GoTo to={to('rule-edit', { team_id: teamId }, { rule: one.ruleId })}>
            {t('alarms-ui-service-fires', {
              rule: one.name,
              condition: t(`alarms-ui-metric-${one.metric}`),
              value: figure(one.metric, one.value),
            })}
          </GoTo>
        </p>
      ))}
    </div>
  )
}
