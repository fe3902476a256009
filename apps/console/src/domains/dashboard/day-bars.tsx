import type { Overview } from '@gantry/contract/dashboard/overview'
import styles from './dashboard.module.css'

type Hours = NonNullable<Overview['builds']>['hours']

const width = 6
const height = 40

/** The builds of 24 hours, one bar per hour: failed ones at the bottom. Figures beside it give the same numbers. */
export function DayBars({ hours }: { hours: Hours }) {
  const top = Math.max(4, ...hours.map((hour) => hour.success + hour.failed))
  const share = (n: number): number => (n === 0 ? 0 : Math.max(3, (n / top) * (height - 4)))
  return (
    <svg className={styles.bars} viewBox={`0 0 ${24 * width} ${height}`} preserveAspectRatio="none" aria-hidden>
      {hours.map((hour, at) => {
        const failed = share(hour.failed)
        const success = share(hour.success)
        const x = at * width
        return (
          <g key={at}>
            <rect className={styles.barNone} x={x} y={height - 2} width={width - 2} height={2} />
            <rect className={styles.barBad} x={x} y={height - failed} width={width - 2} height={failed} />
            <rect className={styles.barOk} x={x} y={height - failed - success} width={width - 2} height={success} />
          </g>
        )
      })}
    </svg>
  )
}
