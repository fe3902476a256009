import type { Cluster } from '@gantry/contract/clusters/clusters'
import { t } from '../../../api/language.ts'
import { count } from '../../../ui/format.ts'
import { Meter, MeterFigures } from '../../../ui/chart/meters.tsx'
import styles from './hosts.module.css'

/** Cores, GiB and pods, on one line. */
export function CapacityText({ capacity }: Pick<Cluster, 'capacity'>) {
  if (!capacity) return <span className="g-faint">–</span>
  const { cpu, memory } = capacity
  return (
    <span className="g-num g-nowrap">
      {t('clusters-ui-capacity-of', { cpu: count(Math.round(cpu * 10) / 10), memory: count(Math.round(memory)) })}
    </span>
  )
}

interface BarProps {
  label: string
  /** Null if not measured. */
  percent: number | null
}

const Bar = ({ label, percent }: BarProps) =>
  percent !== null && (
    <div className={styles.bar}>
      <span>{label}</span>
      <Meter label={label} percent={percent} />
      <MeterFigures percent={percent}>{`${Math.round(percent)} %`}</MeterFigures>
    </div>
  )

/** The usage of a cluster, as small bars. */
export function UsageBars({ usage: { cpu, memory } }: Pick<Cluster, 'usage'>) {
  if (cpu === null && memory === null) return <span className="g-faint">–</span>
  return (
    <div className={styles.bars}>
      <Bar label={t('stacks-ui-cpu')} percent={cpu} />
      <Bar label={t('stacks-ui-memory')} percent={memory} />
    </div>
  )
}
