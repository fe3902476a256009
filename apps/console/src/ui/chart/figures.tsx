import { useId, type ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { scrollStop } from '../focus/scroll-stop.ts'

interface ChartFiguresProps {
  /** The label of the chart. */
  label: string
  /** The heading of the rows, then the headings of their figures. */
  head: readonly [rows: string, ...figures: string[]]
  /** The body of the table. */
  children: ReactNode
}

/** A chart as a table, for users who want figures or cannot see the chart. */
export function ChartFigures({ label, head: [rows, ...figures], children }: ChartFiguresProps) {
  const id = useId()
  return (
    <details className="g-chart-figures">
      <summary id={id}>
        {t('ui-chart-table')}
        <span className="g-hidden"> {label}</span>
      </summary>
      <div className="g-rows" ref={scrollStop} role="group" aria-labelledby={id}>
        <table>
          <thead>
            <tr>
              <th scope="col">{rows}</th>
              {figures.map((figure) => (
                <th scope="col" key={figure} className="g-chart-figure">
                  {figure}
                </th>
              ))}
            </tr>
          </thead>
          {children}
        </table>
      </div>
    </details>
  )
}
