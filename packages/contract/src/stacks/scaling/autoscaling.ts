import { z } from 'zod'
import { zoneName } from '../../cron-validators.ts'

/** As cron names them, the first day of the week first. */
export const Day = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
export type Day = z.infer<typeof Day>

const clock = z
  .string('scaling-clock')
  .max(5, { error: 'scaling-clock', abort: true })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'scaling-clock')

/** A time of day, on some days of the week; one that ends before it begins continues after midnight. */
export const Period = z.strictObject({
  from: clock,
  to: clock,
  /** The days on which it begins; absent: every day. */
  days: z
    .array(Day)
    .min(1, 'scaling-days')
    .max(7, 'scaling-days')
    .refine((days) => new Set(days).size === days.length, 'scaling-days')
    .optional(),
  instances: z.number('replicas-range').int('replicas-range').min(0, 'replicas-range').max(1000, 'replicas-range'),
})
export type Period = z.infer<typeof Period>

const percent = z.number('scaling-percent').int('scaling-percent').min(1, 'scaling-percent').max(100, 'scaling-percent')

/** Percentages of an instance's limit: above `out` instances are added, below `in` one is removed. */
export const Thresholds = z.strictObject({ out: percent, in: percent })
export type Thresholds = z.infer<typeof Thresholds>

const instances = z.number('scaling-instances').int('scaling-instances').min(1, 'scaling-instances')

/**
 * How many instances run automatically: between `min` and `max`, by usage and by time. During a period, its number of
 * instances replaces `min`.
 */
export const Autoscaling = z.strictObject({
  min: instances.max(1000, 'scaling-instances'),
  max: instances.max(1000, 'scaling-instances'),
  cpu: Thresholds.optional(),
  memory: Thresholds.optional(),
  /** Seconds between two evaluations. */
  interval: z
    .number('scaling-interval')
    .int('scaling-interval')
    .min(5, 'scaling-interval')
    .max(3600, 'scaling-interval')
    .default(30),
  periods: z.array(Period).max(50, 'list-too-long').optional(),
  /** The time zone of the periods. */
  zone: zoneName.default('UTC'),
  /** A user has set the number of instances, which holds until autoscaling is resumed. */
  paused: z.boolean().default(false),
})
export type Autoscaling = z.infer<typeof Autoscaling>

const dayMinutes = 24 * 60
const weekMinutes = 7 * dayMinutes

export const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** The parts of a week that a period covers, in minutes from its beginning. An end may lie beyond the week. */
export function spansOf({ from, to, days = Day.options }: Period): { begin: number; end: number }[] {
  const length = (minutesOf(to) - minutesOf(from) + dayMinutes) % dayMinutes
  return days.map((day) => {
    const begin = Day.options.indexOf(day) * dayMinutes + minutesOf(from)
    return { begin, end: begin + length }
  })
}

const meet = (a: { begin: number; end: number }, b: { begin: number; end: number }): boolean =>
  [-weekMinutes, 0, weekMinutes].some((shift) => a.begin < b.end + shift && b.begin + shift < a.end)

const overlap = (a: Period, b: Period): boolean =>
  spansOf(a).some((one) => spansOf(b).some((other) => meet(one, other)))

/** The period that covers a minute of the week. */
export const periodAt = (periods: readonly Period[], minute: number): Period | undefined =>
  periods.find((period) => spansOf(period).some((span) => meet(span, { begin: minute, end: minute + 1 })))

type Tell = (message: string, ...path: (string | number)[]) => void

/** The rules about several fields of autoscaling; each problem is reported at the field to change. */
export function lookAtAutoscaling(
  { workload = 'deployment', autoscaling }: { workload?: string | undefined; autoscaling?: Autoscaling | undefined },
  tell: Tell,
): void {
  if (!autoscaling) return
  const { min, max, cpu, memory, periods = [] } = autoscaling
  if (workload !== 'deployment' && workload !== 'statefulset') tell('scaling-workload', 'autoscaling')
  if (min >= max) tell('scaling-min-below-max', 'autoscaling', 'min')
  for (const [name, thresholds] of [
    ['cpu', cpu],
    ['memory', memory],
  ] as const)
    if (thresholds && thresholds.out <= thresholds.in) tell('scaling-out-above-in', 'autoscaling', name, 'out')
  if (!cpu && !memory && periods.length === 0) tell('scaling-by-nothing', 'autoscaling', 'max')
  for (const [at, period] of periods.entries()) {
    if (period.from === period.to) tell('scaling-period-empty', 'autoscaling', 'periods', at, 'to')
    if (period.instances > max) tell('scaling-period-beyond', 'autoscaling', 'periods', at, 'instances')
    if (periods.slice(0, at).some((before) => overlap(before, period)))
      tell('scaling-periods-overlap', 'autoscaling', 'periods', at, 'from')
  }
}

interface Counted {
  replicas: number
  autoscaling?: Autoscaling | undefined
}

/** Whether the number of instances is decided automatically. */
export const scalesItself = ({ autoscaling }: Pick<Counted, 'autoscaling'>): boolean =>
  autoscaling !== undefined && !autoscaling.paused

/** The most instances, whether a user or autoscaling decides. */
export const maxInstances = ({ replicas, autoscaling }: Counted): number => Math.max(replicas, autoscaling?.max ?? 0)

/** The wanted number of instances. `wished`: autoscaling's last decision; null: none yet. */
export function instancesOf(spec: Counted, wished: number | null): number {
  const { replicas, autoscaling } = spec
  if (!autoscaling || autoscaling.paused) return replicas
  return wished === null
    ? Math.min(Math.max(replicas, autoscaling.min), autoscaling.max)
    : Math.min(wished, autoscaling.max)
}

/** The state of autoscaling, as the page of a service shows it. */
export const Scaling = z.object({
  min: z.number().int(),
  max: z.number().int(),
  /** The present minimum: that of the present period, otherwise `min`. */
  least: z.number().int(),
  paused: z.boolean(),
  /** It waits while something else determines the number of instances: a copy, a failure. */
  waits: z.enum(['copy', 'state']).nullable(),
  /** The instances' average usage in percent of their limits; null: unknown. */
  cpu: z.number().nullable(),
  memory: z.number().nullable(),
  /** When the present period ends. */
  until: z.string().nullable(),
  next: z.object({ at: z.string(), instances: z.number().int() }).nullable(),
  last: z.object({ at: z.string(), from: z.number().int(), to: z.number().int(), why: z.string() }).nullable(),
  /** Why it cannot decide by usage, in the caller's language; empty if it can. */
  trouble: z.string(),
})
export type Scaling = z.infer<typeof Scaling>
