import { percentOf, quotaWarning } from '@gantry/contract/quotas/quotas'
import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'

const isShort = (percent: number): boolean => percent > quotaWarning

interface MeterProps {
  label: string
  percent: number
  /** A text, if the percentage does not suffice. */
  words?: string
  /** Its parts, if there are several; they overlap, the widest first. */
  parts?: readonly { percent: number; pale?: boolean }[]
  /** A marker at this percentage. */
  mark?: number | undefined
}

/** A bar of the used part of a whole; red above 80 %. */
export function Meter({ label, percent, words, parts = [{ percent }], mark }: MeterProps) {
  const short = isShort(Math.max(percent, ...parts.map((part) => part.percent)))
  return (
    <div
      className={short ? 'g-meter g-meter-short' : 'g-meter'}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, percent)}
      aria-valuetext={words}
    >
      {parts.map((part, at) => (
        <i key={at} className={part.pale ? 'g-meter-pale' : ''} style={{ width: `${Math.min(100, part.percent)}%` }} />
      ))}
      {mark !== undefined && <b style={{ insetInlineStart: `${Math.min(100, mark)}%` }} />}
    </div>
  )
}

/** The figures of a meter, red when the meter is. */
export const MeterFigures = ({ percent, children }: { percent: number; children: ReactNode }) => (
  <span className={isShort(percent) ? 'g-num g-short' : 'g-num'}>{children}</span>
)

/** A bar of the used part of a share; red above 80 %. `after` previews the result of an action. */
export function QuotaBar(p: { label: string; used: number; total: number; unit: string; after?: number }) {
  const now = percentOf(p.used, p.total)
  const then = p.after === undefined ? now : percentOf(p.after, p.total)
  return (
    <div>
      <div className="g-meter-head">
        <span>{p.label}</span>
        <MeterFigures percent={Math.max(now, then)}>
          {p.after === undefined
            ? t('ui-quota-figures', { used: p.used, total: p.total, unit: p.unit, percent: now })
            : t('ui-quota-after', { used: p.used, after: p.after, total: p.total, unit: p.unit, percent: then })}
        </MeterFigures>
      </div>
      <Meter
        label={p.label}
        percent={then}
        parts={[...(then > now ? [{ percent: then, pale: true }] : []), { percent: now }]}
      />
    </div>
  )
}

/** A line without axes, 50 px high, whose last value is announced to screen readers. Null is a gap. */
export function Sparkline({
  points,
  label,
  format = String,
  ceiling,
}: {
  points: readonly (number | null)[]
  label: string
  format?: (n: number) => string
  /** The value at full height; default: the highest of the points. */
  ceiling?: number
}) {
  const height = 50
  const width = 160
  const values = points.filter((value) => value !== null)
  const top = ceiling ?? values.reduce((most, value) => Math.max(most, value), 0.0001)
  const step = points.length > 1 ? width / (points.length - 1) : width
  const last = values.at(-1)
  return (
    <svg
      className="g-spark"
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${last === undefined ? '–' : format(last)}`}
    >
      {runsOf(points).map(({ from, values: run }) => {
        const at = run.map(
          (value, i) => `${((from + i) * step).toFixed(1)},${(height - 3 - (value / top) * (height - 6)).toFixed(1)}`,
        )
        const [left, right] = [(from * step).toFixed(1), ((from + run.length - 1) * step).toFixed(1)]
        return (
          <g key={from}>
            <polygon points={`${left},${height} ${at.join(' ')} ${right},${height}`} />
            <polyline points={at.join(' ')} vectorEffect="non-scaling-stroke" />
          </g>
        )
      })}
    </svg>
  )
}

/** The runs between gaps that form a line; a single point does not. */
function runsOf(points: readonly (number | null)[]): { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = []
  for (const [at, value] of points.entries()) {
    if (value === null) continue
    const run = runs.at(-1)
    if (run && run.from + run.values.length === at) run.values.push(value)
    else runs.push({ from: at, values: [value] })
  }
  return runs.filter(({ values }) => values.length > 1)
}
