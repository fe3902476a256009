import type { Build, BuildStage } from '@gantry/contract/pipelines/builds'
import type { BuildWait } from '@gantry/contract/pipelines/builds/wait'
import { describe, expect, test } from 'vitest'
import { timelineOf } from './timeline.ts'

const at = (second: number): string => new Date(second * 1000).toISOString()

const step = (index: number, from: number | null, to: number | null, job = 0): BuildStage['steps'][number] => ({
  index,
  job,
  name: `s${index}`,
  type: 'script',
  state: from === null ? 'pending' : to === null ? 'building' : 'success',
  exitCode: null,
  message: '',
  startedAt: from === null ? null : at(from),
  endedAt: to === null ? null : at(to),
  logLines: 0,
  passedIn: null,
})
const job = (
  index: number,
  name: string,
  [from, to]: [number, number | null],
  matrix: Record<string, string> = {},
): BuildStage['jobs'][number] => ({
  index,
  name,
  matrix,
  state: 'success',
  agentName: '',
  attempt: 1,
  message: '',
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
})
const stage = (name: string, steps: BuildStage['steps'], jobs: BuildStage['jobs'] = []): BuildStage => ({
  name,
  state: 'success',
  gate: null,
  jobs,
  steps,
})
const rows = ({ waits = [], ...build }: Pick<Build, 'stages'> & Partial<Build>, now = 0) =>
  timelineOf({ waits, ...build }, now * 1000).bars.map(({ kind, label, from, to }) => `${kind} ${label} ${from}–${to}`)

describe('a timeline', () => {
  test('shows stages and their steps as parts of the whole', () => {
    const build = { stages: [stage('build', [step(0, 0, 4), step(1, 4, 5)]), stage('test', [step(2, 5, 10)])] }
    expect(timelineOf({ ...build, waits: [] }, 0).ms).toBe(10_000)
    expect(rows(build)).toEqual([
      'stage build 0–0.5',
      'step s0 0–0.4',
      'step s1 0.4–0.5',
      'stage test 0.5–1',
      'step s2 0.5–1',
    ])
  })

  test('shows parallel jobs, each with its steps and the values of its matrix', () => {
    const jobs = [job(1, 'unit', [0, 4], { NODE: '24' }), job(2, 'lint', [1, 2])]
    const build = { stages: [stage('check', [step(0, 0, 4, 1), step(1, 1, 2, 2)], jobs)] }
    expect(rows(build)).toEqual([
      'stage check 0–1',
      'job unit 24 0–1',
      'step s0 0–1',
      'job lint 0.25–0.5',
      'step s1 0.25–0.5',
    ])
  })

  test('ends now while something runs, and omits parts that have not begun', () => {
    const build = { stages: [stage('build', [step(0, 0, 5), step(1, 5, null), step(2, null, null)])] }
    expect(rows(build, 10)).toEqual(['stage build 0–1', 'step s0 0–0.5', 'step s1 0.5–1'])
  })

  test('gives a job with several attempts the time of the displayed attempt', () => {
    const stages = [
      stage(
        'check',
        [{ ...step(0, 0, 40, 1), passedIn: 1 }, step(1, 100, 101, 1)],
        [{ ...job(1, 'unit', [100, 101]), attempt: 2 }],
      ),
    ]
    expect(timelineOf({ stages, waits: [] }, 0).ms).toBe(1000)
    expect(rows({ stages })).toEqual(['stage check 0–1', 'job unit 0–1', 'step s1 0–1'])
  })

  test('shows each wait before the part that it delayed', () => {
    const wait = (kind: BuildWait['for'], from: number, to: number | null, of: Partial<BuildWait> = {}): BuildWait => ({
      for: kind,
      stage: null,
      job: null,
      from: at(from),
      to: to === null ? null : at(to),
      ...of,
    })
    const { bars } = timelineOf(
      {
        stages: [
          stage('build', [step(0, 50, 60)]),
          stage('ship', [step(1, null, null, 1)], []),
          stage('tell', [step(2, null, null, 1)]),
        ],
        waits: [
          wait('review', 0, 40),
          wait('agent', 40, 50, { job: 0 }),
          wait('approval', 60, 90, { stage: 1 }),
          wait('agent', 90, null, { job: 1 }),
        ],
      },
      100_000,
    )
    expect(bars.map(({ label, wait, from, to }) => `${wait ?? label} ${from}–${to}`)).toEqual([
      'review 0–0.4',
      'agent 0.4–0.5',
      'build 0.5–0.6',
      's0 0.5–0.6',
      'approval 0.6–0.9',
      'agent 0.9–1',
    ])
  })

  test('never exceeds the whole if clocks disagree', () => {
    expect(rows({ stages: [stage('build', [step(0, 100, null)])] }, 10)).toEqual(['stage build 0–1', 'step s0 0–1'])
  })

  test('is empty for a build that has not begun', () => {
    expect(timelineOf({ stages: [stage('build', [step(0, null, null)])], waits: [] }, 0)).toEqual({ ms: 0, bars: [] })
  })
})
