import { builds } from '@gantry/contract/pipelines/builds'
import { coverage } from '@gantry/contract/pipelines/findings/coverage'
import { beforeAll, expect, test } from 'vitest'
import { jsonb } from '../../../db/json.ts'
import { type Held, runningBuild, testAgent } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

const lcov = (file: string, ...hits: number[]) =>
  `SF:${file}\n${hits.map((hit, at) => `DA:${at + 1},${hit}\n`).join('')}end_of_record\n`

test('reports of a build are merged and compared with the last successful build of the branch', async () => {
  const first = await runningBuild(app, team)
  const { pipeline } = first
  const publish = async ({ agent, held }: { agent: typeof first.agent; held: Held }, path: string, text: string) =>
    agent.upload(held, 0, 'coverage', path, text)
  const sum = { lines: 4, covered: 3, before: null }
  expect((await publish(first, 'a', lcov('src/a.ts', 1, 0))).data).toMatchObject({ lines: 2, covered: 1 })
  expect((await publish(first, 'b', lcov('src/a.ts', 0, 1) + lcov('src/b.ts', 1, 0))).data).toMatchObject(sum)
  // a report sent again, as after a lost answer, changes nothing
  expect((await publish(first, 'b', lcov('src/a.ts', 0, 1) + lcov('src/b.ts', 1, 0))).data).toMatchObject(sum)
  const of = (number: number) => ({ params: { id: pipeline.id, number } })
  expect(await team.leader.call(coverage.get, of(1))).toEqual(sum)
  const files = await team.leader.call(coverage.files, { ...of(1), query: {} })
  expect(files.items).toEqual([
    { file: 'src/b.ts', lines: 2, covered: 1, missed: '2' },
    { file: 'src/a.ts', lines: 2, covered: 2, missed: '' },
  ])
  expect((await team.leader.call(coverage.files, { ...of(1), query: { keyword: 'A.ts' } })).totalSize).toBe(1)
  await first.agent.events(first.held, 1, [{ type: 'end', state: 'success', logs: [] }])

  const next = async (mergeRequest?: object) => {
    const { number } = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    if (mergeRequest)
      await app.db
        .updateTable('build')
        .set({ merge_request: jsonb(mergeRequest), branch: 'topic' })
        .where('pipeline_id', '=', pipeline.id)
        .where('number', '=', number)
        .execute()
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    return { number, agent, held: { jobId: work.jobId, attempt: work.attempt } }
  }
  const before = { number: 1, lines: 4, covered: 3 }
  const worse = await next()
  expect((await publish(worse, 'a', lcov('src/a.ts', 0, 0, 0, 0, 0, 1))).data).toMatchObject({ covered: 1, before })
  expect((await team.leader.call(coverage.files, { ...of(2), query: {} })).items).toMatchObject([{ missed: '1-5' }])
  await worse.agent.events(worse.held, 1, [{ type: 'end', state: 'failed', logs: [] }])
  // a failed build is not used for comparison
  const request = await next({ number: 7, source: 'topic', target: '', fork: true })
  expect((await publish(request, 'a', lcov('src/a.ts', 1))).data).toMatchObject({ before })
})

test('a file that is no report is refused, and a build without reports has no coverage', async () => {
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  expect(await agent.upload(held, 0, 'coverage', 'a', 'hello')).toMatchObject({
    status: 400,
    message: 'coverage-invalid',
  })
  const params = { id: pipeline.id, number }
  expect(await team.leader.call(coverage.get, { params })).toBeNull()
  expect(await team.leader.call(coverage.files, { params, query: {} })).toMatchObject({ totalSize: 0 })
})

test('a retry begins without the coverage of the earlier attempt', async () => {
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  await agent.upload(held, 0, 'coverage', 'a', lcov('a', 1))
  await agent.events(held, 1, [{ type: 'end', state: 'failed', logs: [] }])
  const params = { id: pipeline.id, number }
  await team.leader.call(builds.retry, { params, body: {} })
  expect(await team.leader.call(coverage.get, { params })).toBeNull()
})
