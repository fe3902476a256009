import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planRollout, type Plan, type Rollout, type Size } from './deployment-plan.ts'

const size = (wanted: number, available = wanted, actual = wanted): Size => ({ wanted, actual, available })

const rollout = (given: Partial<Rollout>): Rollout => ({
  replicas: 4,
  strategy: 'RollingUpdate',
  maxSurge: 1,
  maxUnavailable: 1,
  paused: false,
  current: size(0),
  old: [],
  ...given,
})

const table: [title: string, given: Partial<Rollout>, resized: boolean, plan: Plan][] = [
  ['the first pods come at once', {}, false, { current: 4, old: [] }],
  ['nothing is left to do', { current: size(4) }, false, { current: 4, old: [] }],
  ['the new set begins with the surge', { old: [size(4)] }, false, { current: 1, old: [4] }],
  [
    'old ones go as far as enough stay available',
    { current: size(1, 0), old: [size(4)] },
    false,
    { current: 1, old: [3] },
  ],
  ['the new set grows into the room', { current: size(1), old: [size(3)] }, false, { current: 2, old: [3] }],
  [
    'old ones wait for new ones to become available',
    { current: size(2, 1), old: [size(3)] },
    false,
    { current: 2, old: [2] },
  ],
  ['the last old one goes', { current: size(4), old: [size(1)] }, false, { current: 4, old: [0] }],
  [
    'ill old ones go first, the oldest set before the rest',
    { current: size(0), old: [size(2), size(2, 0)], maxSurge: 0 },
    false,
    { current: 0, old: [2, 1] },
  ],
  [
    'a new set that is ill takes no healthy one away',
    { current: size(2, 0), old: [size(3)], maxUnavailable: 1 },
    false,
    { current: 2, old: [3] },
  ],
  [
    'without surge one old one goes before the first new one comes',
    { maxSurge: 0, old: [size(4)] },
    false,
    { current: 0, old: [3] },
  ],
  ['… and then the new one comes', { maxSurge: 0, old: [size(3)] }, false, { current: 1, old: [3] }],
  ['a new set that is too large shrinks at once', { current: size(6) }, false, { current: 4, old: [] }],
  ['recreation: the old ones go', { strategy: 'Recreate', old: [size(4)] }, false, { current: 0, old: [0] }],
  [
    '… nothing comes while one of them is still there',
    { strategy: 'Recreate', old: [{ wanted: 0, actual: 1, available: 0 }] },
    false,
    { current: 0, old: [0] },
  ],
  [
    '… then all come',
    { strategy: 'Recreate', old: [{ wanted: 0, actual: 0, available: 0 }] },
    false,
    { current: 4, old: [0] },
  ],
  ['paused, the rollout stands', { paused: true, current: size(1), old: [size(3)] }, false, { current: 1, old: [3] }],
  [
    'paused, the one set that is there is still scaled',
    { paused: true, current: size(2) },
    true,
    { current: 4, old: [] },
  ],
  [
    '… also where it is the old one',
    { paused: true, current: size(0), old: [size(2)] },
    true,
    { current: 0, old: [4] },
  ],
  [
    'scaled in the middle, both sets grow by their share',
    { replicas: 8, current: size(2), old: [size(3)] },
    true,
    { current: 4, old: [5] },
  ],
  [
    'scaled to nothing in the middle, both go',
    { replicas: 0, maxSurge: 0, current: size(2), old: [size(3)] },
    true,
    { current: 0, old: [0] },
  ],
]

test.each(table)('%s', (_, given, resized, plan) => {
  expect(planRollout(rollout(given), resized)).toEqual(plan)
})

/** Applies a plan: pods are created and deleted, and some of the new ones become available. */
const carriedOut = ({ current, old }: Rollout, plan: Plan, ready: number): Pick<Rollout, 'current' | 'old'> => ({
  current: size(plan.current, Math.min(current.available + ready, plan.current)),
  old: old.map((one, n) => size(plan.old[n] ?? 0, Math.min(one.available, plan.old[n] ?? 0))),
})

describe('a rollout', () => {
  test('completes, and always keeps the minimum of available and the maximum of existing pods', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.nat(4),
        fc.nat(4),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 10 }),
        (replicas, maxSurge, unavailable, pace) => {
          const maxUnavailable = Math.min(maxSurge === 0 ? Math.max(unavailable, 1) : unavailable, replicas)
          let state = rollout({ replicas, maxSurge, maxUnavailable, old: [size(replicas)] })
          let steps = 0
          for (; steps < 500; steps++) {
            const plan = planRollout(state, false)
            state = {
              ...state,
              ...carriedOut(state, plan, Math.max(pace[steps % pace.length] ?? 1, steps > 100 ? 1 : 0)),
            }
            const sizes = [state.current, ...state.old]
            const available = sizes.reduce((sum, one) => sum + one.available, 0)
            const there = sizes.reduce((sum, one) => sum + one.wanted, 0)
            expect(available).toBeGreaterThanOrEqual(replicas - maxUnavailable)
            expect(there).toBeLessThanOrEqual(replicas + maxSurge)
            if (state.current.available === replicas && state.old.every((one) => one.wanted === 0)) break
          }
          expect(steps).toBeLessThan(500)
        },
      ),
    )
  })
})
