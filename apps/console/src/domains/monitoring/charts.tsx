import type { Expression, Measured } from '@gantry/contract/monitoring/metrics'
import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { RangePicker, useRange } from './range-picker.tsx'
import { units } from './units.ts'
import { useMetrics, type Metric, type Of } from './use-metrics.ts'
import styles from './monitoring.module.css'

interface ChartsProps {
  of: Of
  expressions: readonly Expression[]
  /** Placed beside the time range. */
  actions?: ReactNode
  /** Shown if the cluster does not sample the container. */
  left?: ReactNode
}

/** Charts of one time range, which is selected above them. A message that concerns several is shown once. */
export function Charts({ of, expressions, actions, left }: ChartsProps) {
  const range = useRange()
  const metrics = useMetrics(of, expressions, range)
  const known = metrics.flatMap(({ data }) => data ?? [])
  const failed = metrics.find(({ data, error }) => data === undefined && error)
  const notices = [...new Set(known.map(({ notice }) => notice).filter(Boolean))]
  const some = known.some(({ series }) => series.length > 0)
  const pending = metrics.some(({ data, error }) => data === undefined && !error)
  const nothing = known.length === expressions.length && !some
  // A chart that the source does not support takes no space.
  const visible = expressions
    .map((expression, at) => ({ expression, metric: metrics[at] }))
    .filter(({ metric }) => !(some && metric?.data?.source === 'none'))
  const retry = () => metrics.forEach((metric) => void metric.refetch())
  return (
    <div className={styles.page}>
      <div className="g-bar">
        <RangePicker />
        <div className="g-bar-end">{actions}</div>
      </div>
      {notices.map((notice) => (
        <p key={notice} className="g-note" role="status">
          {notice}
        </p>
      ))}
      {known.some((data) => data.left) && left}
      {failed && known.length === 0 ? (
        <Failed error={failed.error} retry={retry} />
      ) : nothing ? (
        <EmptyState
          title={t('monitoring-ui-nothing')}
          {...(notices.length === 0 && { memo: t('monitoring-ui-nothing-memo') })}
        />
      ) : !some && pending ? (
        // Space reserved until the figures arrive, because a notice moves the charts, and empty ones disappear.
        <Skeleton rows={8} columns={2} />
      ) : (
        range.query && (
          <div className={styles.charts}>
            {visible.map(({ expression, metric }) => (
              <section key={expression} className={styles.card}>
                <h2>{t(`monitoring-ui-${expression}`)}</h2>
                {metric && <Card title={t(`monitoring-ui-${expression}`)} metric={metric} />}
              </section>
            ))}
          </div>
        )
      )}
      <Source known={known} />
    </div>
  )
}

function Card({ title, metric: { data, error, refetch } }: { title: string; metric: Metric }) {
  if (data === undefined)
    return error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton rows={5} columns={1} />
  if (data.series.length === 0) return <p className={styles.nothing}>{t('monitoring-ui-nothing')}</p>
  return (
    <>
      <Chart
        label={title}
        lines={data.series.map(({ name, dps }) => ({ name, points: dps }))}
        start={data.start}
        end={data.end}
        {...units[data.unit]}
      />
      {data.truncated && <p className="g-faint">{t('monitoring-ui-truncated', { count: data.series.length })}</p>}
    </>
  )
}

/** The source of the figures. */
function Source({ known }: { known: readonly Measured[] }) {
  const source = known.find((data) => data.source !== 'none')?.source
  if (source !== 'prometheus' && source !== 'sampled') return null
  return <p className="g-faint">{t(`monitoring-ui-from-${source}`)}</p>
}
