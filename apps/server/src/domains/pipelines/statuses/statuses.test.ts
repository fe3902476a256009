import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import type { CommitStatus, ForgeAccess, Forges } from '../../../adapters/forges/forges.ts'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { sendCommitStatus } from './statuses.service.ts'
import { jsonb } from '../../../db/json.ts'
import { sql } from 'kysely'

const sent: { access: ForgeAccess; status: CommitStatus }[] = []
const forges: Forges = {
  changedFiles: async () => [],
  setHook: async () => '1',
  removeHook: async () => undefined,
  setStatus: async (access, status) => {
    sent.push({ access, status })
  },
}
const app = await testApp({ ports: { forges } })
const commit = 'd1d1293ab6eb20821f73bb8dabb8ebb294bc5847'

/** A pipeline of a repository with or without commit statuses. */
async function ofRepository(commitStatus: 'gitea' | null) {
  sent.length = 0
  const team = await app.team()
  const pipeline = await testPipeline(app, team)
  await app.db
    .updateTable('pipeline')
    .set({
      repository_url: 'https://git.example.test/shop/web.git',
      repository_branch: 'main',
      settings: sql`settings || ${jsonb({ commitStatus })}`,
    })
    .where('id', '=', pipeline.id)
    .execute()
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  return {
    pipeline: { ...pipeline, team },
    agent,
    trigger: async (body: object) => {
      await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body })
      await app.drainJobs()
    },
    states: async () => {
      await app.drainJobs()
      return sent.map(({ status }) => status.state)
    },
  }
}

test('a git host gets the statuses of a commit’s build from the queue to its end, under one name', async () => {
  const { pipeline, agent, trigger, states } = await ofRepository('gitea')
  await trigger({ commit })
  expect(await states()).toEqual(['pending'])
  const [work] = (await agent.claim()).work
  expect(await states()).toEqual(['pending', 'running'])
  if (work) await agent.events(work, 1, [{ type: 'end', state: 'failed', logs: [] }])
  expect(await states()).toEqual(['pending', 'running', 'failed'])
  expect(new Set(sent.map(({ status }) => status.name)).size).toBe(1)
  expect(sent.at(-1)).toMatchObject({
    access: { forge: 'gitea', repository: 'https://git.example.test/shop/web.git' },
    status: {
      commit,
      name: expect.stringContaining(pipeline.projectName),
      url: expect.stringMatching(/\/history\/1\/info$/),
    },
  })
})

test('a problem of a definition is sent without the secrets of the pipeline', async () => {
  const { pipeline, trigger } = await ofRepository('gitea')
  const { revision: _, ...setting } = await pipeline.team.leader.call(pipelines.setting, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
  })
  await pipeline.team.leader.call(pipelines.setSetting, {
    params: { appId: pipeline.appId, pipelineId: pipeline.id },
    body: { ...setting, variables: [{ name: 'TOK', value: 's3cr3t-Tok-99', secret: true }] },
  })
  await trigger({ commit })
  const problem = { line: 1, column: 2, path: 's3cr3t-Tok-99', reason: { key: 'definition-text-too-long', vars: {} } }
  await app.db
    .updateTable('build')
    .set({ definition_problems: jsonb([problem]) })
    .where('pipeline_id', '=', pipeline.id)
    .execute()
  const { id } = await app.db
    .selectFrom('build')
    .select('id')
    .where('pipeline_id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  await sendCommitStatus(app.ctx(pipeline.team.leader), id)
  expect(sent.at(-1)?.status.description).toContain(`: 1:2 ${mask}: `)
})

test('the status of a branch’s build is sent once its checkout knows the commit', async () => {
  const { agent, trigger, states } = await ofRepository('gitea')
  await trigger({ branch: 'main' })
  const [work] = (await agent.claim()).work
  if (!work) throw new Error('nothing was claimed')
  expect(await states()).toEqual([])
  await agent.events(work, 1, [{ type: 'commit', commit, message: 'a change' }])
  expect(await states()).toEqual(['running'])
})

test('no status is sent for a pipeline that names no git host', async () => {
  const { agent, trigger, states } = await ofRepository(null)
  await trigger({ commit })
  await agent.claim()
  expect(await states()).toEqual([])
})
