import { teamBuilds } from '@gantry/contract/pipelines/builds/team-builds'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const started = { type: 'step' as const, step: 0, state: 'building' as const, at: 0 }
const succeeded = { type: 'step' as const, step: 0, state: 'success' as const, exitCode: 0, at: 0 }

test('lists the builds of all pipelines of a team, filtered by state, time of their end and keyword', async () => {
  const [fresh, stranger] = [await app.team(), await app.team()]
  const one = await runningBuild(app, fresh)
  const ended = await runningBuild(app, fresh)
  await ended.agent.events(ended.held, 1, [started, succeeded, { type: 'end', state: 'success', logs: [] }])
  const old = await runningBuild(app, fresh)
  await old.agent.events(old.held, 1, [started, { type: 'end', state: 'failed', logs: [] }])
  await sql`update build set ended_at = now() - interval '25 hours' where pipeline_id = ${old.pipeline.id}`.execute(
    app.db,
  )
  const list = (query: object = {}, who = fresh.leader) =>
    who.call(teamBuilds.list, { params: { teamId: fresh.id }, query })
  const pipelinesOf = async (query: object) => (await list(query)).items.map(({ pipelineId }) => pipelineId)

  const all = await list()
  expect(all.items).toMatchObject(
    [old, ended, one].map(({ pipeline }) => ({
      pipelineId: pipeline.id,
      pipelineName: pipeline.projectName,
      appId: pipeline.appId,
      groupName: pipeline.groupName,
      number: 1,
    })),
  )
  expect(all.totalSize).toBe(3)
  expect(await pipelinesOf({ state: 'building' })).toEqual([one.pipeline.id])
  expect(await pipelinesOf({ ended: 'day' })).toEqual([ended.pipeline.id])
  expect(await pipelinesOf({ ended: 'week' })).toEqual([old.pipeline.id, ended.pipeline.id])
  expect(await pipelinesOf({ ended: 'week', state: 'failed' })).toEqual([old.pipeline.id])
  expect(await pipelinesOf({ keyword: one.pipeline.projectName.toUpperCase() })).toEqual([one.pipeline.id])
  expect(await pipelinesOf({ pageSize: 5, requestPage: 2 })).toEqual([])
  expect(await pipelinesOf({ cause: 'manual', author: fresh.leader.name })).toHaveLength(3)
  expect(await pipelinesOf({ cause: 'schedule' })).toEqual([])
  expect(await pipelinesOf({ author: stranger.leader.name })).toEqual([])

  await sql`update build set branch = 'next' where pipeline_id = ${one.pipeline.id}`.execute(app.db)
  expect(await pipelinesOf({ branch: 'next' })).toEqual([one.pipeline.id])
  expect(await pipelinesOf({ branch: 'nex' })).toEqual([])
  const choices = (query: object = {}) => fresh.leader.call(teamBuilds.choices, { params: { teamId: fresh.id }, query })
  expect(await choices()).toMatchObject({ branches: expect.arrayContaining(['next']), authors: [fresh.leader.name] })
  expect((await choices({ pipelineId: ended.pipeline.id })).branches).not.toContain('next')
  expect((await choices({ pipelineId: old.pipeline.id + 1000 })).authors).toEqual([])

  await expect(list({}, stranger.leader)).rejects.toMatchObject({ status: 403 })
  await expect(list({}, await fresh.member(['pipeline_pipeline_view']))).rejects.toMatchObject({ status: 403 })
})
