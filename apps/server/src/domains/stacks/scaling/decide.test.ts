import type { Autoscaling } from '@gantry/contract/stacks/scaling/autoscaling'
import { expect, test } from 'vitest'
import { currentPeriod, decide, turns } from './decide.ts'

const scaling: Autoscaling = { min: 2, max: 10, cpu: { out: 80, in: 40 }, interval: 30, zone: 'UTC', paused: false }
const night = { from: '22:00', to: '06:00', instances: 0 }
const look = (instances: number, cpu: number[], more: object = {}) => ({
  instances,
  use: { cpu, memory: [] },
  low: 0,
  period: undefined,
  ...more,
})
const full = (count: number, percent: number): number[] => Array.from({ length: count }, () => percent)

test.each<[string, Parameters<typeof decide>[1], number, string | null]>([
  ['within the thresholds nothing changes', look(4, full(4, 60)), 4, null],
  ['what is used is spread to below the threshold', look(4, full(4, 120)), 6, 'scaling-why-cpu-above'],
  ['just above, it is one more', look(4, full(4, 81)), 5, 'scaling-why-cpu-above'],
  ['it no more than doubles', look(3, full(3, 900)), 6, 'scaling-why-cpu-above'],
  ['it ends at the maximum', look(9, full(9, 200)), 10, 'scaling-why-cpu-above'],
  ['at the maximum nothing changes', look(10, full(10, 200)), 10, null],
  ['one that is not measured yet uses nothing', look(4, full(2, 120)), 4, null],
  ['less takes three looks', look(4, full(4, 10)), 4, null],
  ['and then it is one less', look(4, full(4, 10), { low: 2 }), 3, 'scaling-why-below'],
  ['not while some are not measured', look(4, full(3, 10), { low: 2 }), 4, null],
  ['not below the minimum', look(2, full(2, 1), { low: 2 }), 2, null],
  ['without figures it stays', look(5, []), 5, null],
  ['up to the minimum without figures too', look(1, []), 2, 'scaling-why-minimum'],
  ['down to the maximum', look(12, []), 10, 'scaling-why-maximum'],
  [
    'a period raises the minimum',
    look(2, full(2, 50), { period: { ...night, instances: 6 } }),
    6,
    'scaling-why-period',
  ],
  ['a period without instances stops it', look(5, full(5, 200), { period: night }), 0, 'scaling-why-period'],
  ['and begins again when it is over', look(0, []), 2, 'scaling-why-minimum'],
])('%s', (_, given, instances, why) => {
  const decision = decide(scaling, given)
  expect([decision.instances, decision.why?.key ?? null]).toEqual([instances, why])
})

test('an instance is kept if the others would exceed the threshold without it', () => {
  const wide = { ...scaling, min: 1, cpu: { out: 60, in: 50 } }
  expect(decide(wide, look(2, full(2, 45), { low: 2 })).instances).toBe(2)
})

test('without thresholds, the number follows the periods', () => {
  const { cpu: _, ...byTime } = scaling
  const day = { from: '08:00', to: '18:00', instances: 6 }
  expect(decide(byTime, look(2, [], { period: day }))).toMatchObject({
    instances: 6,
    why: { key: 'scaling-why-period' },
  })
  expect(decide(byTime, look(6, []))).toMatchObject({ instances: 2, why: { key: 'scaling-why-period-over' } })
})

test('periods are in the local time of their zone, across midnight and the change to summer time', () => {
  const berlin = { ...scaling, zone: 'Europe/Berlin', periods: [{ ...night, days: ['sat' as const] }] }
  const at = (text: string) => currentPeriod(berlin, new Date(text)) !== undefined
  // a Saturday at 22:00 in Berlin is 21:00 UTC in winter, and 20:00 UTC in summer
  expect([at('2026-01-10T20:59Z'), at('2026-01-10T21:00Z'), at('2026-01-11T04:59Z'), at('2026-01-11T05:00Z')]).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect([at('2026-07-11T19:59Z'), at('2026-07-11T20:00Z')]).toEqual([false, true])
  const { until, next } = turns(berlin, new Date('2026-01-10T23:00Z'))
  expect(until?.toISOString()).toBe('2026-01-11T05:00:00.000Z')
  expect(next).toEqual({ at: new Date('2026-01-17T21:00Z'), instances: 0 })
})
