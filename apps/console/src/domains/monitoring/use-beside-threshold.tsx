import { cpuCores, memoryBytes } from '@gantry/contract/stacks/amounts'
import { t } from '../../api/language.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { units } from './units.ts'
import { useMetrics, type Of } from './use-metrics.ts'

interface UseBesideThresholdProps {
  of: Of
  resource: 'cpu' | 'memory'
  /** The limit of the container: `0.5`, `64Mi`. */
  limit: string
  /** In percent of the limit. */
  threshold: number
  label: string
  thresholdName: string
}

const hour = { query: { type: 'HOUR', duration: 1 }, every: 60_000 } as const

/** The usage of a service's instances in the last hour, in percent of their limit, with a threshold. */
export function UseBesideThreshold({ of, resource, limit, threshold, label, thresholdName }: UseBesideThresholdProps) {
  const [metric] = useMetrics(of, [`container_${resource}_usage`], hour)
  if (!metric) return null
  const { data, error, refetch } = metric
  if (data === undefined)
    return error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton rows={5} columns={1} />
  if (data.series.length === 0) return <p className="g-faint">{data.notice || t('monitoring-ui-nothing')}</p>
  const most = resource === 'cpu' ? cpuCores(limit) : memoryBytes(limit)
  const lines = data.series.map(({ name, dps }) => ({
    name,
    points: dps.map(([at, value]): [number, number | null] => [at, value === null ? null : (100 * value) / most]),
  }))
  const bar = { name: thresholdName, points: [data.start, data.end].map((at): [number, number] => [at, threshold]) }
  return (
    <>
      <p>{label}</p>
      <Chart label={label} lines={[...lines, bar]} start={data.start} end={data.end} format={units.percent.format} />
    </>
  )
}
