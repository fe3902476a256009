import { useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../api/language.ts'
import type { Canvas } from './chart-draw.ts'
import { lineColour, lineDash } from './chart-colours.ts'
import { summaryOf, type ChartLine } from './chart-scale.ts'
import { ChartFigures } from './figures.tsx'
import { dark, light } from '../theme/palette.ts'
import { useDark } from '../theme/dark.ts'
import './chart.css'

export interface ChartProps {
  label: string
  lines: readonly ChartLine[]
  /** Epoch milliseconds: the span of the chart, measured or not. */
  start: number
  end: number
  format: (value: number) => string
  /** Marks at powers of two: bytes. */
  binary?: boolean
  /** The maximum, such as 100 percent. */
  ceiling?: number
}

/** Lines in the legend; all of them are in the table. */
const legendMost = 12

/**
 * Lines over time, one of them as an area. Gaps are unmeasured. Below are the lines as toggles, and the same figures as
 * a table.
 */
export function Chart({ label, lines, start, end, format, binary = false, ceiling = Infinity }: ChartProps) {
  const isDark = useDark()
  const place = useRef<HTMLDivElement>(null)
  const [canvas, setCanvas] = useState<Canvas>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const seen = useMemo(() => lines.map((line) => ({ ...line, hidden: hidden.has(line.name) })), [lines, hidden])
  useEffect(() => {
    let gone = false
    let opened: Canvas | undefined
    void import('./chart-draw.ts').then(({ openCanvas }) => {
      if (gone || !place.current) return
      opened = openCanvas(place.current)
      setCanvas(opened)
    })
    return () => {
      gone = true
      opened?.end()
      setCanvas(undefined)
    }
  }, [])
  useEffect(
    () => canvas?.draw({ lines: seen, start, end, format, binary, ceiling, palette: isDark ? dark : light, isDark }),
    [canvas, seen, start, end, isDark, format, binary, ceiling],
  )
  const turn = (name: string) =>
    setHidden((before) => {
      const next = new Set(before)
      if (!next.delete(name)) next.add(name)
      return next
    })
  return (
    <figure className="g-chart">
      <div ref={place} className="g-chart-place" role="img" aria-label={describeLines(label, lines, format)} />
      <figcaption>
        {lines.length > 1 && (
          <ul className="g-chart-legend" aria-label={t('ui-chart-lines')}>
            {seen.slice(0, legendMost).map((line, at) => (
              <li key={`${line.name}/${at}`}>
                <button
                  type="button"
                  className="g-chart-name"
                  aria-pressed={!line.hidden}
                  onClick={() => turn(line.name)}
                >
                  <Mark at={at} isDark={isDark} />
                  {line.name}
                </button>
              </li>
            ))}
            {lines.length > legendMost && (
              <li className="g-faint">{t('ui-and-more', { count: lines.length - legendMost })}</li>
            )}
          </ul>
        )}
        <Figures label={label} lines={lines} format={format} />
      </figcaption>
    </figure>
  )
}

/** A line's sample: its colour and dash. */
function Mark({ at, isDark }: { at: number; isDark: boolean }) {
  const dash = { solid: undefined, dashed: '4 3', dotted: '1.5 2.5' }[lineDash(at)]
  return (
    <svg className="g-chart-mark" viewBox="0 0 16 4" width={16} height={4} aria-hidden="true">
      <line x1={0} y1={2} x2={16} y2={2} stroke={lineColour(at, isDark)} strokeWidth={3} strokeDasharray={dash} />
    </svg>
  )
}

function describeLines(label: string, lines: readonly ChartLine[], format: (value: number) => string): string {
  const summaries = lines.slice(0, 3).flatMap(({ name, points }) => {
    const summary = summaryOf(points)
    return summary ? [t('ui-chart-said', { name, last: format(summary.last), most: format(summary.most) })] : []
  })
  return summaries.length === 0 ? `${label}: ${t('ui-chart-nothing')}` : `${label}: ${summaries.join('; ')}`
}

const summed = ['last', 'least', 'mean', 'most'] as const

const Figures = ({ label, lines, format }: Pick<ChartProps, 'label' | 'lines' | 'format'>) => (
  <ChartFigures label={label} head={[t('ui-chart-name'), ...summed.map((key) => t(`ui-chart-${key}`))]}>
    <tbody>
      {lines.map(({ name, points }, at) => {
        const summary = summaryOf(points)
        return (
          <tr key={`${name}/${at}`}>
            <th scope="row">{name}</th>
            {summed.map((key) => (
              <td key={key} className="g-chart-figure g-num">
                {summary ? format(summary[key]) : '–'}
              </td>
            ))}
          </tr>
        )
      })}
    </tbody>
  </ChartFigures>
)
