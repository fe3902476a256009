import { t } from '../../api/language.ts'
import { roving } from '../focus/roving.ts'
import { GoTo, type To } from '../link.tsx'
import { ChartFigures } from './figures.tsx'
import './bars.css'

type Tone = 'ok' | 'bad' | 'warn' | 'plain'

/** A series of bars, with a value in each time slot. */
export interface BarSeries {
  name: string
  tone: Tone
}

export interface BarSlot {
  /** The slot as text: a day, a month. */
  label: string
  /** One value for each series; null if there is nothing to measure. `to` links to what the bar counts. */
  values: readonly { value: number | null; to?: To }[]
}

interface BarsProps {
  label: string
  series: readonly BarSeries[]
  slots: readonly BarSlot[]
  format: (value: number) => string
}

/** A minimum height in percent, so that the smallest bar can still be seen and pointed at. */
const least = 3

const totalOf = ({ values }: BarSlot): number => values.reduce((sum, { value }) => sum + (value ?? 0), 0)

/**
 * Bars over time, with series stacked. A bar links to what it counts; the table below has the same figures and links
 * for keyboards and screen readers.
 */
export function Bars({ label, series, slots, format }: BarsProps) {
  const top = Math.max(0, ...slots.map(totalOf))
  return (
    <figure className="g-bars">
      <span className="g-bars-top g-num g-faint">{format(top)}</span>
      <div className="g-bars-place" aria-hidden>
        {slots.map((slot, at) => (
          <div key={at} className="g-bars-slot" title={wordsOf(slot, series, format)}>
            {slot.values.map(({ value, to }, which) => {
              if (!value) return null
              const tone = series[which]?.tone ?? 'plain'
              const height = { height: `${Math.max(least, (value / top) * 100)}%` }
              const shape = <i className={`g-bars-${tone}`} />
              return (
                <span key={which} className="g-bars-part" style={height}>
                  {to ? (
                    <GoTo to={to} pointerOnly>
                      {shape}
                    </GoTo>
                  ) : (
                    shape
                  )}
                </span>
              )
            })}
          </div>
        ))}
      </div>
      <div className="g-bars-ends g-num g-faint" aria-hidden>
        <span>{slots[0]?.label}</span>
        <span>{slots.at(-1)?.label}</span>
      </div>
      <figcaption>
        {series.length > 1 && (
          <ul className="g-bars-legend">
            {series.map(({ name, tone }) => (
              <li key={name}>
                <i className={`g-bars-${tone}`} />
                {name}
              </li>
            ))}
          </ul>
        )}
        <Figures label={label} series={series} slots={slots} format={format} />
      </figcaption>
    </figure>
  )
}

const Figures = ({ label, series, slots, format }: BarsProps) => (
  <ChartFigures label={label} head={[t('ui-chart-time'), ...series.map(({ name }) => name)]}>
    <tbody ref={roving}>
      {slots.map((slot, at) => (
        <tr key={at}>
          <th scope="row">{slot.label}</th>
          {slot.values.map(({ value, to }, which) => (
            <td key={which} className="g-chart-figure g-num">
              {value === null ? '–' : value > 0 && to ? <GoTo to={to}>{format(value)}</GoTo> : format(value)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </ChartFigures>
)

const wordsOf = ({ label, values }: BarSlot, series: readonly BarSeries[], format: (value: number) => string): string =>
  [label, ...values.map(({ value }, at) => `${series[at]?.name ?? ''}: ${value === null ? '–' : format(value)}`)].join(
    '\n',
  )
