import type { StepState } from '@gantry/contract/pipelines/states'
import { describe, expect, test } from 'vitest'
import { courseOf, isThrough, reached, travelMs } from './course.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const types = ['checkout', 'script', 'report', 'image', 'deploy']

/** A build whose steps are in these states, each a second long. */
const build = (...states: StepState[]) => ({
  state: 'building' as const,
  queuedAt: at(0),
  stages: [
    {
      steps: states.map((state, n) => ({
        type: types[n] ?? 'script',
        state,
        startedAt: state === 'pending' || state === 'not_built' ? null : at(n + 1),
        endedAt: state === 'success' || state === 'failed' || state === 'aborted' ? at(n + 2) : null,
      })),
    },
  ],
})

const service = { id: 1, name: 'hello', state: 'stable' as const, message: '', image: '', url: '' }
const states = (...given: Parameters<typeof courseOf>) => courseOf(...given).map((leg) => leg.state)

describe('the progress of a commit', () => {
  test.each([
    ['nothing yet', 0, undefined, null, 0, ['waiting', 'waiting', 'waiting', 'waiting', 'waiting']],
    ['a commit', 1, undefined, null, 0, ['done', 'waiting', 'waiting', 'waiting', 'waiting']],
    [
      'queued',
      1,
      build('pending', 'pending', 'pending', 'pending', 'pending'),
      null,
      0,
      ['done', 'waiting', 'waiting', 'waiting', 'waiting'],
    ],
    [
      'cloning',
      1,
      build('building', 'pending', 'pending', 'pending', 'pending'),
      null,
      0,
      ['done', 'running', 'waiting', 'waiting', 'waiting'],
    ],
    [
      'between two steps',
      1,
      build('success', 'pending', 'pending', 'pending', 'pending'),
      null,
      0,
      ['done', 'running', 'waiting', 'waiting', 'waiting'],
    ],
    [
      'tests failed',
      1,
      build('success', 'failed', 'success', 'not_built', 'not_built'),
      null,
      0,
      ['done', 'failed', 'waiting', 'waiting', 'waiting'],
    ],
    [
      'stopped',
      1,
      build('success', 'aborted', 'not_built', 'not_built', 'not_built'),
      null,
      0,
      ['done', 'failed', 'waiting', 'waiting', 'waiting'],
    ],
    [
      'deploying',
      1,
      build('success', 'success', 'success', 'success', 'building'),
      null,
      0,
      ['done', 'done', 'done', 'running', 'waiting'],
    ],
    [
      'the old one answers',
      2,
      build('success', 'success', 'success', 'success', 'building'),
      service,
      200,
      ['done', 'done', 'done', 'running', 'waiting'],
    ],
    [
      'deployed',
      1,
      build('success', 'success', 'success', 'success', 'success'),
      service,
      503,
      ['done', 'done', 'done', 'done', 'running'],
    ],
    [
      'answering',
      1,
      build('success', 'success', 'success', 'success', 'success'),
      service,
      200,
      ['done', 'done', 'done', 'done', 'done'],
    ],
    [
      'answering, and its service gone',
      1,
      build('success', 'success', 'success', 'success', 'success'),
      null,
      200,
      ['done', 'done', 'done', 'done', 'running'],
    ],
  ] as const)('%s', (_name, commits, followed, its, status, expected) => {
    expect(states({ commits, service: its }, followed, status === 0 ? undefined : { status })).toEqual(expected)
  })

  test('times are those of the first and last step, and of the whole way', () => {
    const followed = build('success', 'success', 'success', 'success', 'success')
    const legs = courseOf({ commits: 1, service }, followed, { status: 200 })
    expect(legs.map(({ from, to }) => [from, to])).toEqual([
      [null, null],
      [at(1), at(4)],
      [at(4), at(5)],
      [at(5), at(6)],
      [null, null],
    ])
    expect(travelMs(followed, legs)).toBe(6000)
    expect([isThrough(legs), reached(legs)]).toEqual([true, 5])
    expect(travelMs(followed, courseOf({ commits: 1, service }, build('success'), undefined))).toBeUndefined()
  })

  test('a pipeline without an image or a deployment never completes', () => {
    const legs = courseOf({ commits: 1, service }, build('success', 'success', 'success'), { status: 200 })
    expect(legs.map((leg) => leg.state)).toEqual(['done', 'done', 'waiting', 'waiting', 'waiting'])
  })
})
