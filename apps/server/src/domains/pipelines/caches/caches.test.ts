import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import { caches } from '@gantry/contract/pipelines/caches'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { beforeAll, describe, expect, test } from 'vitest'
import { jsonb } from '../../../db/json.ts'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { scopesOf } from './scopes.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs }, config: { buildCacheBytes: 10 } })
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

const platform = 'linux-x64'

type Pipeline = Awaited<ReturnType<typeof testPipeline>>

/** A running build of the pipeline, of a branch or of a merge request. */
async function running(pipeline: Pipeline, branch: string, mergeRequest?: object, of = team) {
  const { number } = await of.leader.call(builds.trigger, { params: { id: pipeline.id }, body: { branch } })
  if (mergeRequest)
    await app.db
      .updateTable('build')
      .set({ merge_request: jsonb(mergeRequest) })
      .where('pipeline_id', '=', pipeline.id)
      .where('number', '=', number)
      .execute()
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  const ofStep = { params: { jobId: work.jobId, step: 0 }, query: { attempt: work.attempt } }
  return {
    agent,
    jobId: work.jobId,
    find: async (key: string, fallbacks: string[] = [], on = platform) =>
      (await agent.caller.call(stepProtocol.cache, { ...ofStep, body: { platform: on, key, fallbacks } })).entry,
    keep: async (key: string, text: string) => {
      const answer = await agent.caller.raw({
        method: 'POST',
        url: `/api/agent/jobs/${work.jobId}/steps/0/caches?attempt=${work.attempt}&platform=${platform}&key=${key}`,
        headers: { 'content-type': 'application/octet-stream' },
        payload: Buffer.from(text),
      })
      return answer.statusCode
    },
    read: async (entry: number) => {
      const answer = await agent.caller.raw({
        method: 'POST',
        url: `/api/agent/jobs/${work.jobId}/steps/0/cache/${entry}?attempt=${work.attempt}`,
      })
      return { status: answer.statusCode, text: answer.body }
    },
  }
}

/** A pipeline whose default branch is main. */
async function ofMain() {
  const pipeline = await testPipeline(app, team)
  await app.db.updateTable('pipeline').set({ repository_branch: 'main' }).where('id', '=', pipeline.id).execute()
  return pipeline
}

test('a branch reads its own entries first, then those of the default branch, and of no other branch', async () => {
  const pipeline = await ofMain()
  const main = await running(pipeline, 'main')
  expect(await main.find('a')).toBeNull()
  expect(await main.keep('a', 'main')).toBe(200)
  const one = await running(pipeline, 'one')
  expect(await one.find('a')).toMatchObject({ key: 'a', size: 4 })
  expect(await one.keep('a', 'one')).toBe(200)
  const found = await one.find('a')
  expect(await one.read(found?.id ?? 0)).toEqual({ status: 200, text: 'one' })
  const two = await running(pipeline, 'two')
  expect(await two.read((await two.find('a'))?.id ?? 0)).toMatchObject({ text: 'main' })
  // nor can it be read by its id
  expect(await two.read(found?.id ?? 0)).toMatchObject({ status: 409 })
  expect(await two.find('a', [], 'linux-arm64')).toBeNull()
})

test('without an exact match, the newest entry of the first matching fallback is used', async () => {
  const pipeline = await ofMain()
  const main = await running(pipeline, 'main')
  for (const key of ['npm-1', 'npm-2', 'all']) await main.keep(key, key.slice(0, 1))
  expect(await main.find('npm-3', ['npm-', 'all'])).toMatchObject({ key: 'npm-2' })
  expect(await main.find('npm', ['pnpm-', 'a'])).toMatchObject({ key: 'all' })
  // the key itself must match exactly
  expect(await main.find('npm')).toBeNull()
})

test('entries of a fork’s merge request are read by that merge request only, whatever its branch is called', async () => {
  const pipeline = await ofMain()
  const main = await running(pipeline, 'main')
  await main.keep('a', 'good')
  const request = { number: 7, source: 'main', target: 'main', fork: true }
  const fork = await running(pipeline, 'main', request)
  expect(await fork.find('a')).toMatchObject({ size: 4 })
  expect(await fork.keep('a', 'evil!')).toBe(200)
  expect(await fork.find('a')).toMatchObject({ size: 5 })
  expect(await (await running(pipeline, 'main')).find('a')).toMatchObject({ size: 4 })
  expect(await (await running(pipeline, 'main', { ...request, number: 8 })).find('a')).toMatchObject({ size: 4 })
})

test('least recently used entries of a team are evicted at its limit, and teams share nothing', async () => {
  const own = await app.team()
  const pipeline = await testPipeline(app, own)
  const build = await running(pipeline, 'main', undefined, own)
  await build.keep('a', '1234')
  await build.keep('b', '1234')
  expect(await build.read((await build.find('a'))?.id ?? 0)).toMatchObject({ text: '1234' })
  await build.keep('c', '1234')
  expect([await build.find('a'), await build.find('b'), await build.find('c')]).toMatchObject([
    { key: 'a' },
    null,
    { key: 'c' },
  ])
  expect(await build.keep('d', '12345678901')).toBe(413)
  await app.drainJobs()
  const left = await app.db.selectFrom('pipeline_cache').select('blob').where('team_id', '=', own.id).execute()
  expect(left).toHaveLength(2)
  const others = await running(await testPipeline(app, team), 'main')
  expect(await others.find('a')).toBeNull()
})

test('a pipeline lists its entries, and all can be removed', async () => {
  const pipeline = await testPipeline(app, team)
  const build = await running(pipeline, 'main')
  await build.keep('one', '1')
  await build.keep('two', '12')
  await build.find('one')
  const params = { id: pipeline.id }
  const list = (query: object = {}) => team.leader.call(caches.list, { params, query })
  expect((await list()).items).toMatchObject([
    { key: 'two', scope: { kind: 'branch', name: 'main' }, platform, size: 2 },
    { key: 'one' },
  ])
  expect(await list({ keyword: 'TW' })).toMatchObject({ totalSize: 1 })
  await team.leader.call(caches.clear, { params })
  expect(await list()).toMatchObject({ totalSize: 0 })
  expect(await build.find('one')).toBeNull()
})

test('deleting a pipeline deletes its cache', async () => {
  const pipeline = await testPipeline(app, team)
  const build = await running(pipeline, 'main')
  await build.keep('a', '1')
  const { blob } = await app.db
    .selectFrom('pipeline_cache')
    .select('blob')
    .where('pipeline_id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  await build.agent.events({ jobId: build.jobId, attempt: 1 }, 1, [{ type: 'end', state: 'success', logs: [] }])
  await team.leader.call(pipelines.remove, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
    query: { confirm: pipeline.projectName },
  })
  await app.drainJobs()
  await expect(blobs.size(blob)).rejects.toThrow()
})

describe('the scopes that a build reads', () => {
  const of = { branch: 'main', tag: '', mergeRequest: null, defaultBranch: 'main' }
  test.for([
    [of, ['branch main']],
    [{ ...of, branch: 'one' }, ['branch one', 'branch main']],
    [{ ...of, branch: '', tag: 'v1' }, ['tag v1', 'branch main']],
    [{ ...of, mergeRequest: { number: 7, target: 'next' } }, ['request 7', 'branch next', 'branch main']],
    [{ ...of, branch: '', defaultBranch: '' }, ['branch ']],
  ] as const)('%j: %j', ([source, scopes]) => expect(scopesOf(source)).toEqual(scopes))
})
