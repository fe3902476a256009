import dayjs from 'dayjs'
import { LineChart, type LineSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  TooltipComponent,
  type GridComponentOption,
  type TooltipComponentOption,
} from 'echarts/components'
import { init, use, type ComposeOption } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { lineColour, lineDash } from './chart-colours.ts'
import { largestOf, scaleOf, type ChartLine } from './chart-scale.ts'
import type { Palette } from '../theme/palette.ts'

use([LineChart, GridComponent, TooltipComponent, CanvasRenderer])

export interface Drawing {
  /** Hidden lines keep their colour. */
  lines: readonly (ChartLine & { hidden: boolean })[]
  start: number
  end: number
  format: (value: number) => string
  binary: boolean
  ceiling: number
  palette: Palette
  isDark: boolean
  /** The font, because a canvas inherits no style. */
  font: string
}

type Option = ComposeOption<LineSeriesOption | GridComponentOption | TooltipComponentOption>

const dayMs = 86_400_000
/** The most lines in a tooltip; the others are in the table. */
const maxMarked = 12

interface Under {
  seriesName?: string
  marker?: unknown
  value?: unknown
}

const figureOf = ({ value }: Under): number | null => {
  const figure: unknown = Array.isArray(value) ? value[1] : undefined
  return typeof figure === 'number' ? figure : null
}

function tooltip(given: unknown, format: (value: number) => string): string {
  const all = (Array.isArray(given) ? given : [given]) as Under[]
  const first = all[0]?.value
  const at: unknown = Array.isArray(first) ? first[0] : undefined
  const rows = all
    .map((under) => ({ name: under.seriesName ?? '', figure: figureOf(under) }))
    .filter(({ figure }) => figure !== null)
    .toSorted((a, b) => (b.figure ?? 0) - (a.figure ?? 0))
  const marked = rows.slice(0, maxMarked).map(({ name, figure }) => `${name}  ${format(figure ?? 0)}`)
  const time = typeof at === 'number' ? dayjs(at).format('YYYY-MM-DD HH:mm:ss') : ''
  return [time, ...marked, ...(rows.length > maxMarked ? ['…'] : [])].join('\n')
}

function optionOf(drawing: Drawing): Option {
  const { lines, start, end, format, palette, isDark, font } = drawing
  const seen = lines.filter(({ hidden }) => !hidden)
  const scale = scaleOf(largestOf(seen), { binary: drawing.binary, ceiling: drawing.ceiling })
  const label = { color: palette.text3, fontSize: 12, fontFamily: font }
  const stamp = end - start > dayMs ? 'MM-DD HH:mm' : 'HH:mm'
  return {
    // An animation every few seconds would distract.
    animation: false,
    grid: { left: 4, right: 12, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      backgroundColor: palette.raised,
      borderColor: palette.lineStrong,
      textStyle: { color: palette.text, fontSize: 12, fontFamily: font },
      axisPointer: { lineStyle: { color: palette.lineStrong } },
      formatter: (under) => tooltip(under, format),
    },
    xAxis: {
      type: 'time',
      min: start,
      max: end,
      splitNumber: 4,
      axisLabel: { ...label, hideOverlap: true, formatter: (at: number) => dayjs(at).format(stamp) },
      axisLine: { lineStyle: { color: palette.lineStrong } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      min: 0,
      max: scale.max,
      interval: scale.interval,
      axisLabel: { ...label, formatter: format },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: lines.flatMap((line, at): LineSeriesOption[] => {
      if (line.hidden) return []
      const color = lineColour(at, isDark)
      return [
        {
          type: 'line',
          name: line.name,
          data: line.points.map(([time, value]) => [time, value]),
          // A gap stays a gap; a single value between two gaps is a dot.
          connectNulls: false,
          showSymbol: line.points.some(([, value], place) => value !== null && alone(line.points, place)),
          symbol: (_value: unknown, { dataIndex }: { dataIndex: number }) =>
            alone(line.points, dataIndex) ? 'circle' : 'none',
          symbolSize: 4,
          color,
          lineStyle: { width: 1.5, type: lineDash(at), color },
          ...(lines.length === 1 ? { areaStyle: { color, opacity: isDark ? 0.16 : 0.12 } } : {}),
          emphasis: { disabled: true },
        },
      ]
    }),
  }
}

const alone = (points: ChartLine['points'], at: number): boolean =>
  (points[at - 1]?.[1] ?? null) === null && (points[at + 1]?.[1] ?? null) === null

export interface Canvas {
  draw: (drawing: Omit<Drawing, 'font'>) => void
  end: () => void
}

/** A chart that fills the width of its element. ECharts is part of this file, which is loaded with the first chart. */
export function openCanvas(element: HTMLElement): Canvas {
  const font = getComputedStyle(element).fontFamily
  const chart = init(element, null, { renderer: 'canvas' })
  const watch = new ResizeObserver(() => chart.resize())
  watch.observe(element)
  return {
    draw: (drawing) => chart.setOption(optionOf({ ...drawing, font }), { notMerge: true }),
    end: () => {
      watch.disconnect()
      chart.dispose()
    },
  }
}
