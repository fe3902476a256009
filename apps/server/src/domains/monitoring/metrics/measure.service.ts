import type { Expression, Measured, Series } from '@gantry/contract/monitoring/metrics'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { byNameOf } from '../../../kernel/in-order.ts'
import { say, sayReasonTo } from '../../../kernel/phrase.ts'
import { averaged, onGrid, summed } from './grid.ts'
import { type Label, namedExpressions, type Named, rateWindow } from './expressions.ts'
import { averagedDays } from '../samples/partitions.ts'
import type { MetricScope } from './promql.ts'
import { type RangeInput, longestMs, momentsOf, type Range, rangeOf } from './range.ts'
import { matchingSeries, pointsOf, type Stored } from '../samples/samples.read.ts'
import { findTried } from '../samples/samples.store.ts'
import { accessOf } from '../sources/credentials.service.ts'
import { sayFailure } from '../sources/sources.service.ts'
import { findSource, type StoredSource } from '../sources/sources.store.ts'

const dayMs = 86_400_000
/** Maximum of lines in a chart. */
const maxSeries = 50
/** Maximum of containers whose sum is a service's figure. */
const maxSummed = 500
/** Prometheus keeps a figure for five minutes, because a scrape may be late; a sampled one holds for two. */
const sampleLasts = 2 * 60_000

export interface Question {
  environment: string
  expression: Expression
  /** Without `cluster`, which comes from the settings. */
  where: Omit<MetricScope, 'cluster'>
  period: RangeInput
  /** Name of the series for a whole, such as a cluster or service. */
  name: string
}

type Answer = Pick<Measured, 'source' | 'series' | 'truncated'> & { notices: string[]; left?: boolean }

interface Asking extends Question {
  rule: Named
  range: Range
  now: number
}

/** Names of labels in answers. */
const labelled = { nodename: 'host', namespace: 'namespace', pod: 'pod', container: 'container' } as const

interface Found {
  labels: Partial<Record<string, string>>
  dps: Series['dps']
}

/**
 * Names the series and sorts them by name: a pod's name has its namespace or container only if these differ. A series
 * without labels is named after the whole, such as the cluster or service.
 */
function titled(found: readonly Found[], { rule, name, expression }: Asking): Series[] {
  const several = (label: Label): boolean =>
    rule.by.includes(label) && new Set(found.map(({ labels }) => labels[label])).size > 1
  const [spaces, containers] = [several('namespace'), several('container')]
  const called = ({ nodename, namespace, pod, container }: Found['labels']): string | undefined =>
    nodename || (pod ? [spaces && namespace, pod, containers && container].filter(Boolean).join('/') : namespace)
  return found
    .map(({ labels, dps }) => ({
      name: called(labels) || name,
      type: expression,
      metric: Object.fromEntries(rule.by.map((label) => [labelled[label], labels[label] ?? ''])),
      dps,
    }))
    .toSorted(byNameOf(({ name }) => name))
}

async function fromPrometheus(ctx: Ctx, asking: Asking, source: StoredSource): Promise<Answer> {
  const { rule, range } = asking
  const query = rule.promql({ ...asking.where, cluster: source.cluster }, rateWindow(range.stepSeconds))
  try {
    const wanted = { query, ...range, limit: maxSeries + 1 }
    const matrix = await ctx.ports.prometheus.range(accessOf(ctx, source), wanted, ctx.signal)
    const moments = momentsOf(range)
    const found = matrix.slice(0, maxSeries).map(({ metric, points }) => ({
      labels: metric,
      // some servers round the requested times to whole steps
      dps: onGrid(points, moments, range.stepSeconds * 1000 - 1),
    }))
    const series = titled(found, asking)
    const truncated = matrix.length > series.length
    const notices = series.length === 0 ? [say(ctx.lang, 'monitoring-none-matching')] : []
    return { source: 'prometheus', series, truncated, notices }
  } catch (error) {
    // a failing Prometheus does not fail the page: the chart is empty and says why
    if (!(error instanceof Fault)) throw error
    const many = error.key === 'outbound-too-large'
    const notices = [many ? say(ctx.lang, 'monitoring-too-many') : sayFailure(ctx, error)]
    return { source: 'prometheus', series: [], truncated: many, notices }
  }
}

const inPercent = (points: Series['dps'], most: number | null): Series['dps'] =>
  points.map(([at, value]) => [at, value === null || most === null || most === 0 ? null : (100 * value) / most])

const labelsOf = ({ host, namespace, pod, container }: Stored): Record<Label, string> => ({
  nodename: host,
  namespace,
  pod,
  container,
})

/** Scopes that are measured on pods. */
const ofPods = ['namespace', 'service', 'container']

interface Availability {
  notice: string
  none: boolean
  full: boolean
}

/** Why the last figures are old, or missing. */
async function standing(ctx: Ctx, { environment, rule }: Asking): Promise<Availability> {
  const tried = await findTried(ctx.db, environment)
  if (!tried) return { notice: say(ctx.lang, 'monitoring-soon'), none: false, full: false }
  const { sampledAt, reason, fresh } = tried
  const full = tried.leftOut > 0
  const why = reason === null ? '' : sayReasonTo(ctx, reason)
  if (sampledAt === null) return { notice: why, none: true, full }
  if (reason === null && fresh)
    return { notice: ofPods.includes(rule.scope) ? sayReasonTo(ctx, tried.podsReason) : '', none: false, full }
  const because = why || say(ctx.lang, 'monitoring-stopped')
  return { notice: say(ctx.lang, 'monitoring-old', { time: sampledAt, reason: because }), none: false, full }
}

async function fromSamples(ctx: Ctx, asking: Asking): Promise<Answer> {
  const { rule, range, environment, where, now } = asking
  const state = await standing(ctx, asking)
  if (!rule.sampled)
    return { source: 'none', series: [], truncated: false, notices: [say(ctx.lang, 'monitoring-not-sampled')] }
  const limit = rule.scope === 'service' ? maxSummed : maxSeries
  const stepMs = range.stepSeconds * 1000
  const matching = { environment, expression: rule.sampled.of, where: { ...where, cluster: '' }, limit }
  const found = await matchingSeries(ctx.db, matching)
  const span = { from: range.start - Math.max(stepMs, sampleLasts), to: range.end, now }
  const moments = momentsOf(range)
  const drawn: { one: Stored; points: Series['dps'] }[] = []
  // a chart's worth of series at a time: a week of five hundred containers is a million figures
  for (let at = 0; at < found.series.length; at += maxSeries) {
    const some = found.series.slice(at, at + maxSeries)
    const figures = await pointsOf(ctx.db, some, span)
    for (const one of some) {
      const means = averaged(figures.get(one.id) ?? [], moments, stepMs, sampleLasts)
      const points = rule.sampled.percent ? inPercent(means, one.most) : means
      if (points.some(([, value]) => value !== null)) drawn.push({ one, points })
    }
  }
  const series =
    rule.scope === 'service' && drawn.length > 0
      ? titled([{ labels: {}, dps: summed(drawn.map(({ points }) => points)) }], asking)
      : titled(
          drawn.map(({ one, points }) => ({ labels: labelsOf(one), dps: points })),
          asking,
        )
  const left = series.length === 0 && state.full && ['service', 'container'].includes(rule.scope)
  const notices = [left && !state.notice ? say(ctx.lang, 'monitoring-left-out') : state.notice]
  if (range.start < now - averagedDays * dayMs) notices.push(say(ctx.lang, 'monitoring-kept', { days: averagedDays }))
  const source = series.length === 0 && state.none ? 'none' : 'sampled'
  return { source, series, truncated: found.truncated, notices, left }
}

/** Answers an expression whose access was checked before. Problems of the source become notices. */
export async function measured(ctx: Ctx, question: Question): Promise<Measured> {
  const rule = namedExpressions[question.expression]
  const source = await findSource(ctx.db, question.environment)
  const now = Date.now()
  const range = rangeOf(question.period, now, source.kind === 'prometheus' ? 1 : 60)
  const asking = { ...question, rule, range, now }
  const nothing = question.where.namespaces?.length === 0 && rule.scope !== 'cluster' && rule.scope !== 'host'
  const answer: Answer = nothing
    ? { source: source.kind, series: [], truncated: false, notices: [say(ctx.lang, 'monitoring-no-stacks')] }
    : source.kind === 'prometheus'
      ? await fromPrometheus(ctx, asking, source)
      : await fromSamples(ctx, asking)
  if (range.cut) answer.notices.push(say(ctx.lang, 'monitoring-shortened', { days: longestMs / dayMs }))
  return {
    expression: question.expression,
    unit: rule.unit,
    source: answer.source,
    start: range.start,
    end: range.end,
    stepSeconds: range.stepSeconds,
    series: answer.series,
    truncated: answer.truncated,
    notice: answer.notices.filter(Boolean).join(' '),
    left: answer.left ?? false,
  }
}
