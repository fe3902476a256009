import { monitoring, type Expression } from '@gantry/contract/monitoring/metrics'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { useGo } from '../../../ui/link.tsx'
import { fewestHours, misfits, sizeKeys, sizesFor, usedBy } from '../spec/sizes.ts'
import { toUpgrade } from '../stacks/places.ts'
import { allows } from './service-states.ts'
import styles from './services.module.css'

/** The usage of the last week, which changes slowly. */
function useWeek({ teamId: tenant, envId: env, id: service }: ServiceDetail, expression: Expression) {
  const input = { params: { tenant, env, expression }, query: { type: 'WEEK' as const, duration: 1, service } }
  return useRead(monitoring.query, input, { staleMs: 600_000, keep: false })
}

const days = (hours: number): number => Math.max(1, Math.round(hours / 24))

/** Compares requests and limits with a week's usage, if they differ much; a button opens the upgrade form. */
export function RightSize({ service }: { service: ServiceDetail }) {
  const go = useGo()
  const { name, spec } = service
  const [cpu, memory] = [useWeek(service, 'container_cpu_usage'), useWeek(service, 'container_memory_usage')]
  const used = {
    cpu: cpu.data && usedBy(cpu.data.series, name),
    memory: memory.data && usedBy(memory.data.series, name),
  }
  // the charts below report a failed read
  if (!used.cpu || !used.memory || used.cpu.hours < fewestHours) return null
  const wanted = sizesFor(used.cpu, used.memory)
  const changed = misfits(spec.resources, wanted)
  if (changed.length === 0) return null
  const next = { ...spec.resources, ...Object.fromEntries(changed.map((key) => [key, wanted[key]])) }
  return (
    <section className={styles.drift} aria-label={t('sizes-ui-title')}>
      <h2>{t('sizes-ui-title')}</h2>
      <p className="g-faint">{t('sizes-ui-memo', { days: days(used.cpu.hours) })}</p>
      <ul>
        {sizeKeys
          .filter((key) => changed.includes(key))
          .map((key) => (
            <li key={key} className="g-num">
              {t(`sizes-ui-${key}`)}: {spec.resources[key]} → <b>{next[key]}</b>
            </li>
          ))}
      </ul>
      <div className="g-row">
        <Button
          icon="upgrade"
          needs={services.update}
          disabled={!allows(service.state, 'upgrade') && t(`stacks-not-now-${service.state}`, { name })}
          onClick={() => go(toUpgrade(service, next))}
        >
          {t('sizes-ui-open')}
        </Button>
      </div>
    </section>
  )
}
