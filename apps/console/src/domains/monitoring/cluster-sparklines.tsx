import type { Cluster } from '@gantry/contract/clusters/clusters'
import type { Expression, Measured } from '@gantry/contract/monitoring/metrics'
import { t } from '../../api/language.ts'
import { Sparkline } from '../../ui/chart/meters.tsx'
import { rangeFrom } from './range.ts'
import { units } from './units.ts'
import { useMetrics } from './use-metrics.ts'
import styles from './monitoring.module.css'

const expressions = ['cluster_cpu_percent', 'cluster_memory_percent'] as const satisfies readonly Expression[]
const lastHour = { ...rangeFrom({ range: '1h', from: '', until: '' }), every: 60_000 }

/** The last hour of a measured cluster: CPU and memory, in percent of its capacity. */
export function ClusterSparklines({ cluster }: { cluster: Pick<Cluster, 'uuid'> }) {
  const metrics = useMetrics({ kind: 'cluster', env: cluster.uuid }, expressions, lastHour)
  return (
    <div className={styles.sparks}>
      {expressions.map((expression, at) => (
        <Spark key={expression} label={t(`monitoring-ui-${expression}`)} data={metrics[at]?.data} />
      ))}
    </div>
  )
}

function Spark({ label, data }: { label: string; data: Measured | undefined }) {
  const points = data?.series[0]?.dps.map(([, value]) => value) ?? []
  const last = points.findLast((value) => value !== null)
  const { format } = units.percent
  return (
    <div>
      <div className={styles.sparkHead}>
        <span>
          {label} <span className="g-faint">{t('monitoring-ui-last-hour')}</span>
        </span>
        <span className="g-num">{typeof last === 'number' ? format(last) : '–'}</span>
      </div>
      <Sparkline label={label} points={points} format={format} ceiling={100} />
    </div>
  )
}
