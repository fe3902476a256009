import type { Environment } from '@gantry/contract/clusters/environments'
import { quotaWarning } from '@gantry/contract/quotas/quotas'
import { t } from '../../api/language.ts'
import { count } from '../../ui/format.ts'
import './clusters.css'

/** Cores, GiB and pods, on one line. */
export function CapacityText({ capacity }: Pick<Environment, 'capacity'>) {
  if (!capacity) return <span className="g-faint">–</span>
  const { cpu, memory } = capacity
  return (
    <span className="g-num c-capacity">
      {t('clusters-ui-capacity-of', { cpu: count(Math.round(cpu * 10) / 10), memory: count(Math.round(memory)) })}
    </span>
  )
}

interface BarProps {
  label: string
  /** Null where it is not measured. */
  percent: number | null
}

function Bar({ label, percent }: BarProps) {
  if (percent === null) return null
  const short = percent > quotaWarning
  return (
    <div className={short ? 'c-bar c-bar-short' : 'c-bar'}>
      <span>{label}</span>
      <div role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
        <i style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <span className="g-num">{`${Math.round(percent)} %`}</span>
    </div>
  )
}

/** How much of a cluster is in use, as small bars. */
export function UsageBars({ usage: { cpu, memory } }: Pick<Environment, 'usage'>) {
  if (cpu === null && memory === null) return <span className="g-faint">–</span>
  return (
    <div className="c-bars">
      <Bar label={t('stacks-ui-cpu')} percent={cpu} />
      <Bar label={t('stacks-ui-memory')} percent={memory} />
    </div>
  )
}
