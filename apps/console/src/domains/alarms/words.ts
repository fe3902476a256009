import type { AlarmMetric, Condition } from '@gantry/contract/alarms/conditions'
import type { AlarmRule } from '@gantry/contract/alarms/rules'
import { t } from '../../api/language.ts'
import { to, type To } from '../../ui/link.tsx'

/** A value in the unit of its metric. */
export const figure = (metric: AlarmMetric, value: number | null): string =>
  value === null ? '–' : metric.endsWith('_percent') ? `${Math.round(value * 10) / 10} %` : String(value)

/** `CPU (% of limit) > 80 for 5 min` */
export function conditionWords({ metric, operator, threshold, for: minutes }: Condition): string {
  const words = { metric: t(`alarms-ui-metric-${metric}`), operator, threshold }
  return minutes === 0
    ? t('alarms-ui-condition-words', words)
    : t('alarms-ui-condition-words-for', { ...words, minutes })
}

export const mapWords = ({
  resource,
  name,
  stackName,
}: Pick<AlarmRule['maps'][number], 'resource' | 'name' | 'stackName'>) =>
  resource === 'stack'
    ? t('alarms-ui-map-stack', { stack: name })
    : t('alarms-ui-map-service', { service: name, stack: stackName })

interface ServicePlace {
  envId: string
  stackId: number
  stackUuid: string
  stackName: string
  serviceId: number
  serviceName: string
  serviceType: string
}

/** The page of an alarm's service. */
export const toService = (teamId: number, of: ServicePlace): To =>
  to('containers', {
    team_id: teamId,
    env_id: of.envId,
    stack_id: of.stackId,
    stack_uuid: of.stackUuid,
    stack_name: of.stackName,
    service_id: of.serviceId,
    service_name: of.serviceName,
    service_type: of.serviceType,
    from: 'appcenter',
  })
