import { splitOf } from '@gantry/contract/stacks/copies/copy'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { broken, type StoredCopy, turnOf } from './copy.ts'

const gray = (more: Partial<StoredCopy> = {}): StoredCopy => ({
  type: 'gray',
  before: { podRevision: 1, podDigest: '', restartedAt: null, podDedicated: true },
  by: 'instances',
  header: null,
  directions: null,
  steps: [
    { weight: 10, pauseSeconds: 60 },
    { weight: 50, pauseSeconds: null },
    { weight: 100, pauseSeconds: 30 },
  ],
  rule: {},
  step: 0,
  since: '2026-01-01T00:00:00Z',
  goOn: false,
  why: null,
  ended: null,
  ...more,
})
const at = (seconds: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000)

test.for<[step: number, goOn: boolean, seconds: number, turn: 'wait' | 'next' | 'last']>([
  [0, false, 59, 'wait'],
  [0, false, 60, 'next'],
  [0, true, 1, 'next'],
  [1, false, 999_999, 'wait'],
  [1, true, 1, 'next'],
  [2, false, 29, 'wait'],
  [2, false, 30, 'last'],
  [2, true, 1, 'last'],
])('step %d, told to continue: %s, after %d seconds: %s', ([step, goOn, seconds, turn]) => {
  expect(turnOf(gray({ step, goOn }), at(seconds))).toBe(turn)
})

test('a last step without a pause waits for the decision only', () => {
  expect(turnOf(gray({ steps: [{ weight: 20, pauseSeconds: null }] }), at(0))).toBe('last')
})

describe('the instances of a step', () => {
  test('approximate the requested part, with some of each kind before the last step, and never add old ones', () => {
    const replicas = fc.integer({ min: 1, max: 1000 })
    fc.assert(
      fc.property(replicas, replicas, fc.integer({ min: 1, max: 100 }), (before, after, weight) => {
        const { old, new: fresh } = splitOf(before, after, weight)
        expect(fresh).toBeGreaterThanOrEqual(1)
        expect(fresh).toBeLessThanOrEqual(after)
        expect(old).toBeLessThanOrEqual(before)
        expect(old > 0).toBe(weight < 100)
        if (before === after && weight < 100)
          expect(Math.abs(fresh / after - weight / 100) * after).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('keep all old ones if requests are divided', () => {
    expect(splitOf(10, 10, 30, 'requests')).toEqual({ old: 10, new: 3 })
    expect(splitOf(10, 10, 0, 'requests')).toEqual({ old: 10, new: 1 })
    expect(splitOf(10, 10, 100, 'requests')).toEqual({ old: 10, new: 10 })
  })

  test.for([
    [10, 10, { old: 9, new: 1 }],
    [10, 50, { old: 5, new: 5 }],
    [10, 100, { old: 0, new: 10 }],
    [1, 20, { old: 1, new: 1 }],
    [3, 1, { old: 3, new: 1 }],
  ] as const)('%d by %d %%', ([replicas, weight, split]) => {
    expect(splitOf(replicas, replicas, weight)).toEqual(split)
  })
})

describe('the rule of a step', () => {
  const pod = (serving: boolean, ...restarts: number[]) =>
    ({ serving, containers: restarts.map((count) => ({ restarts: count })) }) as Parameters<typeof broken>[1][number]
  const rule = { restarts: 3, unready: 2 }

  test('holds while restarts and unready instances are fewer than its limits', () => {
    expect(broken(gray({ rule }), [pod(true, 1, 1), pod(false, 0)], null)).toBeUndefined()
    expect(broken(gray({ rule: {} }), [pod(false, 99), pod(false, 99)], null)).toBeUndefined()
  })

  test('is broken by the restarts of all instances together', () => {
    expect(broken(gray({ rule }), [pod(true, 1, 1), pod(true, 1)], null)).toEqual({
      key: 'stacks-gray-restarts',
      vars: { step: 1, count: 3 },
    })
  })

  test('is broken by a new instance that uses more of its limit than allowed', () => {
    const metric = { name: 'memory_percent', above: 90 } as const
    expect(broken(gray({ rule: { metric } }), [pod(true, 0)], null, [40, 90])).toBeUndefined()
    expect(broken(gray({ rule: { metric } }), [pod(true, 0)], null, [40, 90.6])).toEqual({
      key: 'stacks-gray-memory',
      vars: { step: 1, percent: 91, above: 90 },
    })
  })

  test.for<[what: string, failed: number | undefined, answered: number, errors: number, isBroken: boolean]>([
    ['more than its part of requests', 5, 100, 6, true],
    ['just its part', 5, 100, 5, false],
    ['the first failure above no part at all', 0, 20, 1, true],
    ['too few requests', 5, 19, 19, false],
    ['as many as are enough', 5, 20, 2, true],
    ['no request', 5, 0, 0, false],
    ['failures without such a rule', undefined, 100, 100, false],
  ])('by failed requests: %s', ([, failed, answered, errors, isBroken]) => {
    const why = broken(gray({ rule: failed === undefined ? {} : { failed } }), [pod(true, 0)], null, [], {
      answered,
      failed: errors,
    })
    expect(why).toEqual(
      isBroken ? { key: 'stacks-gray-failed', vars: { step: 1, failed: errors, answered, above: failed } } : undefined,
    )
  })

  test('is decided by the other parts if nothing tells of requests', () => {
    const both = { failed: 0, restarts: 1 }
    expect(broken(gray({ rule: both }), [pod(true, 0)], null, [], undefined)).toBeUndefined()
    expect(broken(gray({ rule: both }), [pod(true, 1)], null, [], undefined)).toMatchObject({
      key: 'stacks-gray-restarts',
    })
  })

  test('is broken by instances that become unready, but not while they are starting', () => {
    const pods = [pod(false), pod(false), pod(true)]
    expect(broken(gray({ rule, step: 1 }), pods, null)).toMatchObject({ vars: { step: 2, count: 2 } })
    expect(broken(gray({ rule, since: null }), pods, null)).toBeUndefined()
    const hopeless = { key: 'stacks-image-missing', vars: {} }
    expect(broken(gray({ rule, since: null }), [pod(false)], hopeless)).toMatchObject({ key: 'stacks-gray-unready' })
  })
})
