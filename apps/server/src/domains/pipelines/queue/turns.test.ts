import type { StageInput } from '@gantry/contract/pipelines/definition'
import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines, type Setting } from '@gantry/contract/pipelines/pipelines'
import { running } from '@gantry/contract/pipelines/running'
import { describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
let labels = 0

const job = (name: string) => ({ name, steps: [{ type: 'script' as const, name, run: 'true' }] })

/** One job, then two, so that a retry has a successful job, and begins with more than one job. */
const stages = (mode: 'auto' | 'manual'): StageInput[] => [
  { name: 'first', jobs: [job('a')] },
  { name: 'second', mode, jobs: [job('b'), job('c')] },
]

/** Pipelines A and B, whose builds run one at a time, and two agents with three slots each that take only these. */
async function quay(setting: Partial<Setting>, mode: 'auto' | 'manual') {
  const team = await app.team()
  const label = `turns-${++labels}`
  const [made, groups] = [new Map<string, number>(), new Map<string, number>()]
  const change = async (letter: string, to: Partial<Setting>) => {
    const params = { appId: groups.get(letter) ?? 0, pipelineId: made.get(letter) ?? 0 }
    const { revision: _, ...now } = await team.leader.call(pipelines.setting, { params })
    await team.leader.call(pipelines.setSetting, { params, body: { ...now, ...to } })
  }
  for (const letter of 'AB') {
    const { id, appId } = await testPipeline(app, team, undefined, stages(mode))
    made.set(letter, id)
    groups.set(letter, appId)
    await change(letter, { agentLabels: [label], concurrent: false, ...setting })
  }
  const agent = await testAgent(app, { labels: [label], capacity: 3 })
  const second = await testAgent(app, { labels: [label], capacity: 3 })
  type Work = Awaited<ReturnType<typeof agent.claim>>['work'][number]
  let claimed: { by: typeof agent; work: Work }[] = []
  const params = (build: string) => ({ id: made.get(build[0] ?? '') ?? 0, number: Number(build.slice(1)) })
  const nameOf = ({ pipelineId, number }: Work) =>
    `${[...made].find(([, id]) => id === pipelineId)?.[0] ?? ''}${number}`
  const takenBy = async (by: typeof agent) => {
    const mine = claimed.filter((one) => one.by === by).map(({ work }) => work)
    const { work } = await by.claim(3 - mine.length, mine)
    return work.map((one) => ({ by, work: one }))
  }
  const end = async (state: 'success' | 'failed') => {
    for (const { by, work } of claimed.splice(0)) await by.events(work, 1, [{ type: 'end', state, logs: [] }])
  }
  const acts: Record<string, (build: string) => Promise<unknown>> = {
    trigger: (letter) => team.leader.call(builds.trigger, { params: { id: params(letter).id }, body: {} }),
    retry: (build) => team.leader.call(builds.retry, { params: params(build), body: {} }),
    pass: (build) =>
      team.leader.call(builds.decide, {
        params: { ...params(build), stage: 'second' },
        body: { pass: true, parameters: {} },
      }),
    pause: (letter) =>
      team.leader.call(running.pause, { params: { id: params(letter).id }, body: { paused: true, reason: '' } }),
    resume: (letter) =>
      team.leader.call(running.pause, { params: { id: params(letter).id }, body: { paused: false, reason: '' } }),
    stop: (build) => team.leader.call(builds.stop, { params: params(build) }),
    claim: async () => claimed.push(...(await takenBy(agent))),
    /** Both agents claim at the same moment. */
    claims: async () => claimed.push(...(await Promise.all([takenBy(agent), takenBy(second)])).flat()),
    succeed: () => end('success'),
    fail: () => end('failed'),
  }
  return {
    change,
    /** The pipelines whose jobs the agents hold after these steps. */
    async play(script: string): Promise<string> {
      for (const step of script.split(', ')) {
        const [act = '', build = ''] = step.split(' ')
        await acts[act]?.(build)
      }
      return claimed
        .map(({ work }) => nameOf(work))
        .toSorted()
        .join(' ')
    },
  }
}

const failed = (build: string) => `trigger ${build[0]}, claim, succeed, claim, fail`
const quays = ['pipeline', 'name', 'group'] as const

describe.each(quays)('only one build of a %s has its turn', (scope) => {
  const setting = { concurrency: { scope, name: scope === 'name' ? 'quay' : '', newestOnly: false } }

  test.for<[what: string, mode: 'auto' | 'manual', ...played: [script: string, runs: string][]]>([
    [
      'the oldest goes first',
      'auto',
      ['trigger A, trigger A, claim', 'A1'],
      ['succeed, claim', 'A1 A1'],
      ['succeed, claim', 'A2'],
    ],
    ['all its jobs go at once', 'auto', ['trigger A, claim, succeed, trigger A, claim', 'A1 A1']],
    [
      'a retried one goes before a newer one',
      'auto',
      [`${failed('A1')}, trigger A, retry A1, claim`, 'A1 A1'],
      ['succeed, claim', 'A2'],
    ],
    [
      'a retried one lets the one that runs end',
      'auto',
      [`${failed('A1')}, trigger A, claim, retry A1, claim`, 'A2'],
      ['succeed, claim', 'A2 A2'],
      ['fail, claim', 'A1 A1'],
    ],
    [
      'of two retried ones the older goes first',
      'auto',
      [`${failed('A1')}, ${failed('A2')}, retry A2, retry A1, claim`, 'A1 A1'],
      ['succeed, claim', 'A2 A2'],
    ],
    [
      'a newer retried one has its turn, and keeps it',
      'auto',
      [`${failed('A1')}, ${failed('A2')}, retry A2, claim, retry A1, claim`, 'A2 A2'],
      ['succeed, claim', 'A1 A1'],
    ],
    ['two agents at once do not part it', 'auto', [`${failed('A1')}, trigger A, retry A1, claims`, 'A1 A1']],
    ['two agents at once do not take two', 'auto', ['trigger A, trigger A, claims', 'A1']],
    ['a stopped one makes way', 'auto', [`${failed('A1')}, trigger A, retry A1, stop A1, claim`, 'A2']],
    [
      'one of a paused pipeline waits, retried or not',
      'auto',
      [`${failed('A1')}, pause A, retry A1, trigger A, claim`, ''],
      ['resume A, claim', 'A1 A1'],
    ],
    ['one that has begun goes on in a paused pipeline', 'auto', ['trigger A, claim, pause A, succeed, claim', 'A1 A1']],
    [
      'one that waits for a person keeps its turn',
      'manual',
      ['trigger A, claim, succeed, trigger A, claim', ''],
      ['pass A1, claim', 'A1 A1'],
      ['succeed, claim', 'A2'],
    ],
    [
      'one that is retried and waits for a person has none',
      'manual',
      ['trigger A, claim, succeed, pass A1, claim, fail, retry A1, trigger A, claim', 'A2'],
      ['pass A1, claim', 'A2'],
      ['succeed, claim', ''],
      ['pass A2, claim, succeed, claim', 'A1 A1'],
    ],
  ])('%s', async ([, mode, ...played]) => {
    const { play } = await quay(setting, mode)
    for (const [script, runs] of played) expect([script, await play(script)]).toEqual([script, runs])
  })
})

test.for<[what: string, script: string, runs: string]>([
  ['a retried one of another pipeline waits too', `${failed('A1')}, trigger B, claim, retry A1, claim`, 'B1'],
  ['the oldest of all pipelines goes first', `${failed('A1')}, ${failed('B1')}, retry B1, retry A1, claims`, 'A1 A1'],
  ['one of a paused pipeline stands in no other’s way', `${failed('A1')}, trigger B, pause A, retry A1, claim`, 'B1'],
])('in a lane of two pipelines %s', async ([, script, runs]) => {
  const { play } = await quay({ concurrency: { scope: 'name', name: 'quay', newestOnly: false } }, 'auto')
  expect(await play(script)).toBe(runs)
})

test('a pipeline that is moved into a larger lane while builds wait still runs one at a time', async () => {
  const { play, change } = await quay({ concurrency: { scope: 'pipeline', name: '', newestOnly: false } }, 'auto')
  await play('trigger A')
  await change('A', { concurrency: { scope: 'name', name: 'quay', newestOnly: false } })
  expect(await play('trigger A, claim')).toBe('A1')
})
