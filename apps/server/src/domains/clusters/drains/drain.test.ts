import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Drain, type DrainEvent, type DrainPod, nextDrain, partOf, pauseOf, toleratesCordon } from './drain.ts'

const reason = { key: 'kube-timeout', vars: { server: 'x' } }
const waiting = [{ namespace: 'a', pod: 'b', reason }]
const draining: Drain = { state: 'draining', total: 3, remaining: 2, waiting, reason: null, stalled: 1 }
const done: Drain = { ...draining, state: 'done', remaining: 0, waiting: [], stalled: 0 }
const stopped: Drain = { ...draining, state: 'stopped', waiting: [], stalled: 0 }
const failed: Drain = { ...stopped, state: 'failed', reason }
const begun: Drain = { state: 'draining', total: 0, remaining: 0, waiting: [], reason: null, stalled: 0 }

const looked = (remaining: number, more: Partial<Extract<DrainEvent, { is: 'looked' }>> = {}): DrainEvent => ({
  is: 'looked',
  remaining,
  waiting: [],
  moved: false,
  ...more,
})

const table: [string, Drain | undefined, DrainEvent, Drain | undefined][] = [
  ['started for the first time', undefined, { is: 'asked' }, begun],
  ['started again while draining', draining, { is: 'asked' }, draining],
  ['started again when done', done, { is: 'asked' }, begun],
  ['started again when stopped', stopped, { is: 'asked' }, begun],
  ['started again when failed', failed, { is: 'asked' }, begun],
  ['the first round sets the total', begun, looked(5, { moved: true }), { ...begun, total: 5, remaining: 5 }],
  ['one pod went', draining, looked(1), { ...draining, remaining: 1, waiting: [], stalled: 0 }],
  ['one pod was evicted', draining, looked(2, { moved: true }), { ...draining, waiting: [], stalled: 0 }],
  ['nothing moved', draining, looked(2, { waiting }), { ...draining, stalled: 2 }],
  ['more pods came', draining, looked(4), { ...draining, total: 4, remaining: 4, waiting: [], stalled: 2 }],
  ['all pods are gone', draining, looked(0), { ...draining, state: 'done', remaining: 0, waiting: [], stalled: 0 }],
  ['a late round', done, looked(3), done],
  ['a round after it was stopped', stopped, looked(3), stopped],
  ['no answer', draining, { is: 'unanswered', reason }, { ...draining, reason, stalled: 2 }],
  ['answers again', { ...draining, reason }, looked(1), { ...draining, remaining: 1, waiting: [], stalled: 0 }],
  ['refused', draining, { is: 'refused', reason }, { ...failed }],
  ['the node is gone', draining, { is: 'gone' }, { ...failed, reason: { key: 'hosts-drain-gone', vars: {} } }],
  [
    'uncordoned by somebody else',
    draining,
    { is: 'uncordoned' },
    { ...stopped, reason: { key: 'hosts-drain-uncordoned', vars: {} } },
  ],
  ['uncordoned when done', done, { is: 'uncordoned' }, done],
  ['stopped while draining', draining, { is: 'stopped' }, stopped],
  ['stopped when done', done, { is: 'stopped' }, { ...done, state: 'stopped' }],
  ['stopped when failed', failed, { is: 'stopped' }, failed],
  ['stopped without a drain', undefined, { is: 'stopped' }, undefined],
  ['a round without a drain', undefined, looked(1), undefined],
]

describe('a drain', () => {
  test.each(table)('%s', (_, from, event, to) => {
    expect(nextDrain(from, event)).toEqual(to)
  })

  test('backs off while nothing moves, up to half a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 60].map((stalled) => pauseOf({ stalled }))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ])
  })
})

describe('a pod', () => {
  const pod: DrainPod = { bound: false, finished: false, back: false, deleting: false, controlled: true }
  test.each([
    ['of a controller', {}, 'evict'],
    ['without one', { controlled: false }, 'alone'],
    ['terminating', { deleting: true }, 'ends'],
    ['terminating, without a controller', { deleting: true, controlled: false }, 'ends'],
    ['finished', { finished: true }, 'stays'],
    ['finished, without a controller', { finished: true, controlled: false }, 'stays'],
    ['that came back', { back: true }, 'stays'],
    ['of a DaemonSet', { bound: true }, 'stays'],
    ['of a file of the node', { bound: true, controlled: false }, 'stays'],
  ] as const)('%s', (_, more, part) => {
    expect(partOf({ ...pod, ...more })).toBe(part)
  })

  test.each([
    ['everything', { operator: 'Exists' }, true],
    ['the cordon', { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }, true],
    ['the cordon by its value', { key: 'node.kubernetes.io/unschedulable' }, true],
    ['another value', { key: 'node.kubernetes.io/unschedulable', value: 'true' }, false],
    ['another effect', { operator: 'Exists', effect: 'NoExecute' }, false],
    ['another taint', { key: 'node.kubernetes.io/not-ready', operator: 'Exists' }, false],
  ])('that tolerates %s', (_, toleration, starts) => {
    expect(toleratesCordon([toleration])).toBe(starts)
    expect(toleratesCordon([])).toBe(false)
  })

  test('is evicted only if a controller starts another', () => {
    const any = fc.record({
      bound: fc.boolean(),
      finished: fc.boolean(),
      back: fc.boolean(),
      deleting: fc.boolean(),
      controlled: fc.boolean(),
    })
    fc.assert(fc.property(any, (pod) => partOf(pod) !== 'evict' || (pod.controlled && !pod.bound)))
  })
})
