import { overview } from '@gantry/contract/dashboard/overview'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { jsonb } from '../../db/json.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp()
const nothing = { success: 0, failed: 0, aborted: 0 }
const read = (caller: typeof app.admin, teamId: number) => caller.call(overview.get, { params: { teamId } })

async function builds(
  teamId: number,
  ended: { state: 'success' | 'failed' | 'aborted'; hoursAgo: number }[],
  last: 'queued' | 'building' | 'failed' = 'queued',
) {
  const name = `p${teamId}-${last}`
  const group = await app.db
    .insertInto('pipeline_group')
    .values({ team_id: teamId, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pipeline = await app.db
    .insertInto('pipeline')
    .values({ team_id: teamId, group_id: group.id, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const common = {
    pipeline_id: pipeline.id,
    team_id: teamId,
    cause: 'manual',
    user_cause: 'ann',
    by_admin: false,
    definition: jsonb({ stages: [] }),
    timeout_seconds: 1,
  }
  for (const [at, { state, hoursAgo }] of ended.entries())
    await app.db
      .insertInto('build')
      .values({ ...common, number: at + 1, state, ended_at: sql`now() - make_interval(mins => ${hoursAgo * 60 + 30})` })
      .execute()
  await app.db
    .insertInto('build')
    .values({ ...common, number: 100, state: last })
    .execute()
  return { id: pipeline.id, groupId: group.id, name }
}

test('an empty team has zeros for each of 24 hours', async () => {
  const team = await app.team()
  expect(await read(team.leader, team.id)).toEqual({
    pipelines: { total: 0, queued: 0, building: 0, failed: 0 },
    builds: { day: nothing, hours: Array.from({ length: 24 }, () => nothing), latest: [] },
    stacks: { total: 0, running: 0, failed: 0 },
    services: { total: 0, healthy: 0, changing: 0, failed: 0, waiting: 0 },
  })
})

test('a build counts in the hour in which it ended, for one day', async () => {
  const team = await app.team()
  const other = await app.team()
  await builds(other.id, [{ state: 'failed', hoursAgo: 0 }])
  const pipeline = await builds(team.id, [
    { state: 'success', hoursAgo: 30 },
    { state: 'failed', hoursAgo: 23 },
    { state: 'success', hoursAgo: 1 },
    { state: 'success', hoursAgo: 0 },
    { state: 'aborted', hoursAgo: 0 },
  ])
  const { builds: seen } = await read(team.leader, team.id)
  expect(seen).toMatchObject({ day: { success: 2, failed: 1, aborted: 1 } })
  expect(seen?.hours[0]).toEqual({ ...nothing, failed: 1 })
  expect(seen?.hours[22]).toEqual({ ...nothing, success: 1 })
  expect(seen?.hours[23]).toEqual({ success: 1, failed: 0, aborted: 1 })
  expect(seen?.latest.map((build) => build.number)).toEqual([100, 5, 4, 3, 2, 1])
  expect(seen?.latest[0]).toMatchObject({
    pipelineId: pipeline.id,
    groupId: pipeline.groupId,
    pipelineName: pipeline.name,
    state: 'queued',
  })
})

test('a count of pipelines is the total of the list filtered by that state', async () => {
  const team = await app.team()
  // one failed and waits again, one is building, and one failed after a success
  await builds(team.id, [{ state: 'failed', hoursAgo: 0 }])
  await builds(team.id, [], 'building')
  await builds(team.id, [{ state: 'success', hoursAgo: 0 }], 'failed')
  const seen = (await read(team.leader, team.id)).pipelines
  expect(seen).toEqual({ total: 3, queued: 1, building: 1, failed: 1 })
  for (const state of ['queued', 'building', 'failed'] as const)
    expect(
      await team.leader.call(pipelines.list, { params: { teamId: team.id }, query: { state, pageSize: 5 } }),
    ).toMatchObject({ totalSize: seen?.[state] })
})

test('counts of objects that a user may not view are hidden', async () => {
  const team = await app.team()
  const member = await team.member(['stack_stack_view'])
  expect(await read(member, team.id)).toEqual({
    pipelines: null,
    builds: null,
    stacks: { total: 0, running: 0, failed: 0 },
    services: null,
  })
})
