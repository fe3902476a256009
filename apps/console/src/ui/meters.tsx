import { t } from '../api/language.ts'
import { percent } from './format.ts'

/** Above this a quota is short. */
export const quotaWarning = 80

/** How much of a share is used; red above 80 %. `after` draws what an action would make of it. */
export function QuotaBar(p: { label: string; used: number; total: number; unit: string; after?: number }) {
  const now = percent(p.used, p.total)
  const then = p.after === undefined ? now : percent(p.after, p.total)
  const short = Math.max(now, then) > quotaWarning
  return (
    <div className={short ? 'g-quota g-quota-short' : 'g-quota'}>
      <div className="g-quota-head">
        <span>{p.label}</span>
        <span className="g-num">
          {p.after === undefined
            ? t('ui-quota-figures', { used: p.used, total: p.total, unit: p.unit, percent: now })
            : t('ui-quota-after', { used: p.used, after: p.after, total: p.total, unit: p.unit, percent: then })}
        </span>
      </div>
      <div
        className="g-quota-bar"
        role="meter"
        aria-label={p.label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={then}
      >
        {then > now && <i className="g-quota-after" style={{ width: `${Math.min(100, then)}%` }} />}
        <i style={{ width: `${Math.min(100, now)}%` }} />
      </div>
    </div>
  )
}

/** A line without axes, 50 px high: the course of something, its last value said to those who cannot see it. */
export function Sparkline({
  points,
  label,
  format = String,
}: {
  points: readonly number[]
  label: string
  format?: (n: number) => string
}) {
  const height = 50
  const width = 160
  const top = Math.max(...points, 0.0001)
  const step = points.length > 1 ? width / (points.length - 1) : width
  const at = points.map(
    (value, i) => `${(i * step).toFixed(1)},${(height - 3 - (value / top) * (height - 6)).toFixed(1)}`,
  )
  const last = points.at(-1)
  return (
    <svg
      className="g-spark"
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${last === undefined ? '–' : format(last)}`}
    >
      {at.length > 1 && (
        <>
          <polygon points={`0,${height} ${at.join(' ')} ${width},${height}`} />
          <polyline points={at.join(' ')} vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  )
}
