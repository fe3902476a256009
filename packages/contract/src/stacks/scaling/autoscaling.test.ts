import { expect, test } from 'vitest'
import { demandOf, mostPods } from '../demand.ts'
import { copyDemand } from '../copies/copy.ts'
import { ServiceSpec } from '../spec.ts'
import { type Autoscaling, instancesOf } from './autoscaling.ts'

const cpu = { out: 80, in: 40 }
const period = { from: '08:00', to: '18:00', instances: 2 }
const problems = (autoscaling: object, more: object = {}): string[] =>
  (
    ServiceSpec.safeParse({ image: 'x', autoscaling: { min: 1, max: 3, ...autoscaling }, ...more }).error?.issues ?? []
  ).map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`)

test.each<[object, string]>([
  [{ cpu, interval: 4 }, 'interval: scaling-interval'],
  [{ cpu, min: 3 }, 'min: scaling-min-below-max'],
  [{ cpu, min: 0 }, 'min: scaling-instances'],
  [{ cpu: { out: 40, in: 40 } }, 'cpu.out: scaling-out-above-in'],
  [{ memory: { out: 101, in: 40 } }, 'memory.out: scaling-percent'],
  [{}, 'max: scaling-by-nothing'],
  [{ periods: [{ ...period, to: '08:00' }] }, 'periods.0.to: scaling-period-empty'],
  [{ periods: [{ ...period, from: '8:00' }] }, 'periods.0.from: scaling-clock'],
  [{ periods: [{ ...period, instances: 4 }] }, 'periods.0.instances: scaling-period-beyond'],
  [{ periods: [{ ...period, days: ['mon', 'mon'] }] }, 'periods.0.days: scaling-days'],
  [{ periods: [period, { ...period, from: '17:59', to: '20:00' }] }, 'periods.1.from: scaling-periods-overlap'],
  // past midnight, and past the end of the week
  [
    {
      periods: [
        { ...period, from: '22:00', to: '02:00', days: ['sun'] },
        { ...period, from: '01:00', days: ['mon'] },
      ],
    },
    'periods.1.from: scaling-periods-overlap',
  ],
])('reports a problem at its field: %j', (given, expected) => {
  expect(problems(given)).toEqual([expected])
})

test('periods that touch, or are on other days, do not overlap', () => {
  const periods = [period, { ...period, from: '18:00', to: '08:00', days: ['mon'] }, { ...period, days: ['mon'] }]
  expect(problems({ periods: periods.slice(0, 2) })).toEqual([])
  expect(problems({ periods: [{ ...period, days: ['tue'] }, periods[2]] })).toEqual([])
})

test('only services with instances autoscale, and the instances that must stay healthy are counted from the minimum', () => {
  expect(problems({ cpu }, { workload: 'job' })).toEqual([': scaling-workload'])
  expect(problems({ cpu, min: 2 }, { replicas: 9, rollout: { type: 'healthy', healthy: 2 } })).toEqual([
    'healthy: rollout-healthy-below-instances',
  ])
})

test('the share counts the maximum, or a larger number that a user has set; so does the share of a copy', () => {
  const spec = ServiceSpec.parse({ image: 'x', replicas: 2, autoscaling: { min: 1, max: 6, cpu } })
  expect(mostPods(spec)).toBe(7)
  expect(mostPods({ ...spec, replicas: 9 })).toBe(10)
  const one = demandOf({ ...spec, replicas: 1, autoscaling: undefined, rollout: { type: 'recreate' } })
  expect(copyDemand([], spec).cpu).toBeCloseTo(6 * one.cpu)
  expect(copyDemand([{ weight: 50, pauseSeconds: null }], spec).cpu).toBeCloseTo(3 * one.cpu)
})

test('the decided number is limited by the bounds; while paused, the user’s number is used', () => {
  const autoscaling = { min: 2, max: 5, cpu, interval: 30, zone: 'UTC', paused: false } satisfies Autoscaling
  expect(instancesOf({ replicas: 1, autoscaling }, null)).toBe(2)
  expect(instancesOf({ replicas: 9, autoscaling }, null)).toBe(5)
  expect(instancesOf({ replicas: 1, autoscaling }, 4)).toBe(4)
  expect(instancesOf({ replicas: 9, autoscaling: { ...autoscaling, paused: true } }, 4)).toBe(9)
  expect(instancesOf({ replicas: 3 }, 4)).toBe(3)
})
