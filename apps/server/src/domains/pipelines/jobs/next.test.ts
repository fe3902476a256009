import type { BuildState, JobState } from '@gantry/contract/pipelines/states'
import { describe, expect, test } from 'vitest'
import { type BuildProgress, type CourseJob, type JobGroup, nextOf } from './next.ts'

/**
 * A build's progress as text: groups of jobs are separated by spaces, letters are jobs' states: `p`ending, `q`ueued,
 * `b`uilding, `s`uccess, `f`ailed, `a`borted, `n`ot built; a pending job that runs only after a failure is `F`, in any
 * case `A`, never `N`, and one with a checkout `c`, or `B` while it runs. Gates precede their group: `?` waits, `+` is
 * open, `-` is closed.
 */
const states: Record<string, JobState> = {
  q: 'queued',
  b: 'building',
  B: 'building',
  s: 'success',
  f: 'failed',
  a: 'aborted',
  n: 'not_built',
}
const gates: Record<string, JobGroup['gate']> = { '?': 'waiting', '+': 'open', '-': 'closed' }

function courseOf(text: string, more: Partial<BuildProgress> = {}): BuildProgress {
  let index = 0
  const job = (letter: string): CourseJob => ({
    index: index++,
    state: states[letter] ?? 'pending',
    checksOut: letter === 'c' || letter === 'B',
    runs: {
      afterSuccess: !['F', 'N'].includes(letter),
      afterFailure: ['F', 'A'].includes(letter),
    },
  })
  const legs = text.split(' ').map((leg) => ({
    gate: gates[leg[0] ?? ''] ?? null,
    jobs: [...leg.replace(/^[?+-]/, '')].map(job),
  }))
  return { hasTurn: true, cancelled: false, commitKnown: true, legs, ...more }
}

describe('the next steps of a build', () => {
  test.for<[string, BuildState, number[], number[], number | null]>([
    // progress; state, queued, skipped, the group that waits
    ['p', 'queued', [0], [], null],
    ['pp p', 'queued', [0, 1], [], null],
    ['q', 'queued', [], [], null],
    ['b', 'building', [], [], null],
    ['s', 'success', [], [], null],
    ['f', 'failed', [], [], null],
    ['a', 'aborted', [], [], null],
    ['fa', 'failed', [], [], null],
    ['n', 'success', [], [], null],
    ['sb p', 'building', [], [], null],
    ['fb p', 'building', [], [], null],
    ['sq', 'building', [], [], null],
    ['ss p', 'building', [2], [], null],
    ['sf p', 'failed', [], [2], null],
    ['sf pA', 'building', [3], [2], null],
    ['sf pF', 'building', [3], [2], null],
    ['s F', 'success', [], [1], null],
    ['s NN p', 'building', [3], [1, 2], null],
    ['f p A p', 'building', [2], [1], null],
    ['f n s p', 'failed', [], [3], null],
    ['N N', 'success', [], [0, 1], null],
    // gates
    ['?p', 'waiting', [], [], 0],
    ['s ?p', 'waiting', [], [], 1],
    ['s +pp', 'building', [1, 2], [], null],
    ['s -p p', 'aborted', [], [1, 2], null],
    ['b ?p', 'building', [], [], null],
    ['f ?p', 'failed', [], [1], null],
    ['f ?A', 'waiting', [], [], 1],
    ['s ?NN p', 'building', [3], [1, 2], null],
    ['s ?Np', 'waiting', [], [1], 1],
  ])('%s: %s', ([course, state, queue, skip, waits]) => {
    expect(nextOf(courseOf(course))).toEqual({ state, queue, skip, waits })
  })

  test.for<[string, BuildState, number[]]>([
    // stopped: progress; state, skipped
    ['q', 'aborted', [0]],
    ['?p', 'aborted', [0]],
    ['s p', 'aborted', [1]],
    ['bq p', 'building', [1, 2]],
    ['an n', 'aborted', []],
    ['s', 'success', []],
    ['f', 'failed', []],
    ['sn n', 'aborted', []],
  ])('%s that was stopped: %s', ([course, state, skip]) => {
    expect(nextOf(courseOf(course, { cancelled: true }))).toEqual({ state, queue: [], skip, waits: null })
  })

  test.for<[string, BuildState]>([
    ['sp', 'queued'],
    ['s +pp', 'queued'],
    ['ss q', 'queued'],
    ['s ?p', 'waiting'],
    ['sf p', 'failed'],
  ])('%s that was retried, before an agent has taken one of its jobs: %s', ([course, state]) => {
    expect(nextOf(courseOf(course, { hasTurn: false })).state).toBe(state)
  })

  test('only one checkout at a time is queued while the commit is unknown', () => {
    const unknown = { commitKnown: false }
    expect(nextOf(courseOf('cpc', unknown)).queue).toEqual([0, 1])
    expect(nextOf(courseOf('Bpc', unknown)).queue).toEqual([1])
    expect(nextOf(courseOf('fcc', unknown)).queue).toEqual([1])
    expect(nextOf(courseOf('Bcc')).queue).toEqual([1, 2])
  })
})
