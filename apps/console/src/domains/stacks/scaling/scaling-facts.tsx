import type { Scaling } from '@gantry/contract/stacks/scaling/autoscaling'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/detail.tsx'
import { Section } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { allows } from '../services/service-states.ts'

/** The state of a service's autoscaling, and the reason of its last change. */
export function ScalingFacts({ service }: { service: ServiceDetail }) {
  const { scaling } = service
  const resume = useWrite(services.resume, { done: 'option-success' })
  if (!scaling) return null
  const { teamId, envId, id, name, state } = service
  return (
    <Section
      title={t('stacks-ui-field-autoscaling')}
      actions={
        scaling.paused && (
          <Button
            small
            icon="refresh"
            needs={services.resume}
            loading={resume.isPending}
            disabled={!allows(state, 'scale') && t(`stacks-not-now-${state}`, { name })}
            onClick={() => resume.mutate({ named: name, params: { teamId, envId, id }, query: {} })}
          >
            {t('scaling-ui-resume')}
          </Button>
        )
      }
    >
      <div>
        {noteOf(scaling) !== undefined && <p className="g-note g-note-warn">{noteOf(scaling)}</p>}
        <Facts facts={factsOf(service, scaling)} />
      </div>
    </Section>
  )
}

/** Why it makes no decisions now, or not by usage. */
function noteOf({ paused, waits, trouble }: Scaling): string | undefined {
  if (paused) return t('scaling-ui-paused')
  if (waits) return t(`scaling-ui-waits-${waits}`)
  return trouble === '' ? undefined : trouble
}

function factsOf({ ready, replicas }: ServiceDetail, { min, least, max, cpu, memory, until, next, last }: Scaling) {
  const used = [
    ...(cpu === null ? [] : [t('scaling-ui-use-cpu', { percent: cpu })]),
    ...(memory === null ? [] : [t('scaling-ui-use-memory', { percent: memory })]),
  ]
  return [
    { label: t('stacks-ui-replicas'), value: t('scaling-ui-bounds', { ready, wished: replicas }) },
    {
      label: t('scaling-ui-between'),
      value: t(least === min ? 'scaling-ui-between-of' : 'scaling-ui-between-now', { min, max, least }),
    },
    ...(used.length > 0 ? [{ label: t('scaling-ui-use'), value: used.join(', ') }] : []),
    ...(until === null ? [] : [{ label: t('scaling-ui-until'), value: <Time at={until} /> }]),
    ...(next === null
      ? []
      : [
          {
            label: t('scaling-ui-next'),
            value: (
              <>
                <Time at={next.at} />, {t('scaling-ui-next-at', { count: next.instances })}
              </>
            ),
          },
        ]),
    {
      label: t('scaling-ui-last'),
      value:
        last === null ? (
          t('scaling-ui-last-none')
        ) : (
          <>
            <Time at={last.at} />, {t('scaling-ui-last-of', { from: last.from, to: last.to, why: last.why })}
          </>
        ),
    },
  ]
}
