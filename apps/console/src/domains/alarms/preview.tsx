import type { AlarmRuleInput } from '@gantry/contract/alarms/rules'
import { services } from '@gantry/contract/stacks/services'
import type { z } from 'zod'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useTeamId } from '../../ui/link.tsx'
import type { Named } from './maps-field.tsx'
import { UseBesideThreshold } from '../monitoring/public.tsx'

interface PreviewProps {
  typed: Partial<z.input<typeof AlarmRuleInput>>
  known: readonly Named[]
}

/** A chart of the first condition that can be drawn, for the first service of the rule. */
export function Preview({ typed, known }: PreviewProps) {
  const condition = typed.rules?.find((one) => one?.metric?.endsWith('_percent') && typeof one.threshold === 'number')
  const map = typed.maps?.find(({ resource }) => resource === 'service')
  const place = known.find(({ resource, id }) => resource === 'service' && id === map?.id)
  if (!condition || !map || !place) return <p className="g-faint">{t('alarms-ui-preview-none')}</p>
  return <Drawn metric={condition.metric} threshold={condition.threshold} place={place} />
}

interface DrawnProps {
  metric: string
  threshold: number
  place: Named
}

function Drawn({ metric, threshold, place: { envId, id, name } }: DrawnProps) {
  const teamId = useTeamId()
  const { data } = useRead(services.get, { params: { teamId, envId, id } })
  const resource = metric === 'cpu_percent' ? 'cpu' : 'memory'
  if (!data) return null
  return (
    <UseBesideThreshold
      of={{ kind: 'team', teamId, env: envId, service: id, container: name }}
      resource={resource}
      limit={data.spec.resources[resource]}
      threshold={threshold}
      label={t('alarms-ui-preview-of', { metric: t(`alarms-ui-metric-${resource}_percent`), service: name })}
      thresholdName={t('alarms-ui-preview-threshold')}
    />
  )
}
