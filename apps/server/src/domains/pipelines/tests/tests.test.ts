import { builds } from '@gantry/contract/pipelines/builds'
import { tests } from '@gantry/contract/pipelines/findings/tests'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
let id = 0

const caseOf = (name: string, state: 'passed' | 'failed' | 'skipped') =>
  `<testcase classname="shop" name="${name}" time="0.5">${{ passed: '', failed: '<failure message="no"/>', skipped: '<skipped/>' }[state]}</testcase>`

const commits = { a: 'a'.repeat(40), b: 'b'.repeat(40) }

/** Builds of one pipeline, each with the outcomes of its test cases. */
const runs: { commit: keyof typeof commits; cases: Record<string, 'passed' | 'failed' | 'skipped'> }[] = [
  { commit: 'a', cases: { steady: 'passed', shaky: 'failed', breaks: 'passed', rests: 'failed' } },
  { commit: 'a', cases: { steady: 'passed', shaky: 'passed', breaks: 'passed', rests: 'skipped' } },
  { commit: 'b', cases: { steady: 'passed', shaky: 'passed', breaks: 'failed', rests: 'failed' } },
]

beforeAll(async () => {
  team = await app.team()
  const pipeline = await testPipeline(app, team)
  id = pipeline.id
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  for (const { commit, cases } of runs) {
    await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const [work] = (await agent.claim(1)).work
    const lease = { jobId: work?.jobId ?? 0, attempt: work?.attempt ?? 0 }
    const junit = Object.entries(cases).map(([name, state]) => caseOf(name, state))
    await agent.upload(lease, 0, 'reports', 'junit.xml', `<testsuite name="s">${junit.join('')}</testsuite>`)
    await agent.events(lease, 1, [
      { type: 'commit', commit: commits[commit], message: 'x' },
      { type: 'end', state: 'success', logs: [] },
    ])
  }
})

const verdicts = async (number: number) => {
  const { items } = await team.leader.call(tests.list, { params: { id, number } })
  return Object.fromEntries(
    items.map(({ name, newlyFailing, flaky }) => [name, [newlyFailing && 'new', flaky && 'flaky'].filter(Boolean)]),
  )
}

describe('a test case', () => {
  test('is newly failing if it passed in its last run, and flaky if it both passed and failed for one commit', async () => {
    expect(await verdicts(3)).toEqual({ steady: [], shaky: ['flaky'], breaks: ['new'], rests: [] })
    expect(await verdicts(2)).toEqual({ steady: [], shaky: ['flaky'], breaks: [], rests: [] })
    expect(await verdicts(1)).toEqual({ steady: [], shaky: [], breaks: [], rests: [] })
  })

  test('has a history over builds, newest first and paged', async () => {
    const { items } = await team.leader.call(tests.list, { params: { id, number: 3 } })
    const { suite, name } = items.find((one) => one.name === 'rests') ?? { suite: '', name: '' }
    const history = (query: { requestPage?: number; pageSize?: number } = {}) =>
      team.leader.call(tests.history, { params: { id }, query: { suite, name, ...query } })
    const all = await history()
    expect(all.items.map(({ number, state }) => `${number} ${state}`)).toEqual(['3 failed', '2 skipped', '1 failed'])
    expect(all.items[0]).toMatchObject({ commit: commits.b, seconds: 0.5 })
    const second = await history({ requestPage: 2, pageSize: 2 })
    expect([second.items.map(({ number }) => number), second.totalSize]).toEqual([[1], 3])
  })

  test('has no history in a pipeline of another team', async () => {
    const other = await app.team()
    const foreign = other.leader.call(tests.history, { params: { id }, query: { suite: 's', name: 'steady' } })
    await expect(foreign).rejects.toMatchObject({ status: 404 })
  })
})
