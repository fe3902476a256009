import { type Autoscaling, Day, type Period, periodAt } from '@gantry/contract/stacks/scaling/autoscaling'
import { slotsAfter } from '../../../kernel/cron.ts'
import type { Reason } from '../../../kernel/phrase.ts'

/** The use of the measured instances, each in percent of its limit. */
export type Utilization = Record<'cpu' | 'memory', readonly number[]>

/** So many measurements in a row have to allow one instance less. */
const looksBeforeLess = 3

interface Observation {
  /** The present number of instances. */
  instances: number
  use: Utilization
  low: number
  period: Period | undefined
}

interface Decision {
  instances: number
  /** Why the number changes; null if it does not. */
  why: Reason | null
  low: number
}

const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0)
const reason = (key: string, vars: Reason['vars'] = {}): Reason => ({ key, vars })

/** The least number of instances: a period replaces the minimum. */
export const leastOf = ({ min }: Pick<Autoscaling, 'min'>, period: Period | undefined): number =>
  period?.instances ?? min

/** More instances, if needed to bring the average use below the threshold. Unmeasured instances count as unused. */
function more(scaling: Autoscaling, { instances, use }: Observation): Omit<Decision, 'low'> | undefined {
  let found: Omit<Decision, 'low'> | undefined
  for (const resource of ['cpu', 'memory'] as const) {
    const thresholds = scaling[resource]
    if (!thresholds || use[resource].length === 0 || instances === 0) continue
    const percent = Math.round(sum(use[resource]) / Math.max(instances, use[resource].length))
    if (percent <= thresholds.out) continue
    // at most twice as many at a time, because the load of starting must not cause more starts
    const wished = Math.min(
      scaling.max,
      instances * 2,
      Math.max(instances + 1, Math.ceil((instances * percent) / thresholds.out)),
    )
    if (wished > (found?.instances ?? instances))
      found = {
        instances: wished,
        why: reason(`scaling-why-${resource}-above`, { percent, threshold: thresholds.out }),
      }
  }
  return found
}

/** Whether one instance less is enough: use is low, all are measured, and the others would stay below the threshold. */
function wouldDoWithLess(scaling: Autoscaling, { instances, use }: Observation): boolean {
  const rules = (['cpu', 'memory'] as const).flatMap((resource) => {
    const thresholds = scaling[resource]
    return thresholds ? [{ thresholds, figures: use[resource] }] : []
  })
  return (
    instances > 1 &&
    rules.length > 0 &&
    rules.every(
      ({ thresholds, figures }) =>
        figures.length >= instances &&
        sum(figures) / figures.length < thresholds.in &&
        sum(figures) / (figures.length - 1) <= thresholds.out,
    )
  )
}

/** Decides the number of instances from now on. */
export function decide(scaling: Autoscaling, look: Observation): Decision {
  const { instances, period, low } = look
  const least = leastOf(scaling, period)
  const byTime = period
    ? reason('scaling-why-period', { from: period.from, to: period.to })
    : reason('scaling-why-minimum')
  if (instances < least) return { instances: least, why: byTime, low: 0 }
  // a period without instances stops the service, whatever its use
  if (period?.instances === 0 && instances > 0) return { instances: 0, why: byTime, low: 0 }
  if (instances > scaling.max) return { instances: scaling.max, why: reason('scaling-why-maximum'), low: 0 }
  if (!scaling.cpu && !scaling.memory) {
    const why = period ? byTime : reason('scaling-why-period-over')
    return instances > least ? { instances: least, why, low: 0 } : { instances, why: null, low: 0 }
  }
  const grown = more(scaling, look)
  if (grown) return { ...grown, low: 0 }
  if (instances <= least || !wouldDoWithLess(scaling, look)) return { instances, why: null, low: 0 }
  if (low + 1 < looksBeforeLess) return { instances, why: null, low: low + 1 }
  return { instances: instances - 1, why: reason('scaling-why-below'), low: 0 }
}

/** The current period, in the local time of the zone. */
export function currentPeriod({ periods = [], zone }: Autoscaling, now: Date): Period | undefined {
  if (periods.length === 0) return undefined
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const day = Day.options.findIndex((name) => name === part('weekday').toLowerCase())
  return periodAt(periods, day * 1440 + Number(part('hour')) * 60 + Number(part('minute')))
}

function nextAt(clock: string, days: readonly Day[], zone: string, now: Date): Date {
  const [hour, minute] = clock.split(':').map(Number)
  return slotsAfter({ cron: `${minute} ${hour} * * ${days.join(',').toUpperCase()}`, zone }, now)[0]
}

/** When the current period ends, and which period begins next. */
export function turns(
  scaling: Autoscaling,
  now: Date,
): { until: Date | null; next: { at: Date; instances: number } | null } {
  const { periods = [], zone } = scaling
  const current = currentPeriod(scaling, now)
  const [next] = periods
    .map(({ from, days = Day.options, instances }) => ({ at: nextAt(from, days, zone, now), instances }))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
  return { until: current ? nextAt(current.to, Day.options, zone, now) : null, next: next ?? null }
}
