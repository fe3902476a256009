import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'
import type { Jsonb } from '../../../db/json.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { lockJobs } from '../jobs/jobs.store.ts'
import { removePipeline } from '../pipelines/pipelines.service.ts'
import { removeDue } from '../retention/retention.service.ts'
import { removeBuilds } from './builds.service.ts'
import { retryBuild } from './retry.service.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

/** A failed build that the retention would remove. */
async function failed() {
  const pipeline = await testPipeline(app, team)
  const { id } = pipeline
  const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const [work] = (await agent.claim()).work
  if (!work) throw new Error('nothing was claimed')
  await agent.events(work, 1, [{ type: 'end', state: 'failed', logs: [] }])
  const retention = sql<Jsonb>`jsonb_set(settings, '{retention}', '{"days": 1, "logDays": 0, "artifactDays": 0}')`
  await app.db.updateTable('pipeline').set({ settings: retention }).where('id', '=', id).execute()
  await app.db
    .updateTable('build')
    .set({ ended_at: sql`now() - interval '2 days'` })
    .where('id', '=', work.buildId)
    .execute()
  return { id, appId: pipeline.appId, number, buildId: work.buildId }
}
type Failed = Awaited<ReturnType<typeof failed>>

/** Ways to remove a build, by a call or in an open transaction; and how the later of removal and retry is refused. */
const removals: {
  what: string
  call: (of: Failed) => Promise<unknown>
  within: (ctx: Ctx, of: Failed) => Promise<unknown>
  refused?: string
  gone: string
}[] = [
  {
    what: 'a deletion',
    call: ({ id, number }) => team.leader.call(builds.remove, { params: { id, number } }),
    within: (ctx, { id, number }) => removeBuilds(ctx, id, [number]),
    refused: 'pipelines-build-not-ended',
    gone: 'resource-missing',
  },
  {
    what: 'the deletion of its pipeline',
    call: async ({ id, appId }) => {
      const { projectName } = await team.leader.call(pipelines.get, { params: { id } })
      return team.leader.call(pipelines.remove, { params: { appId, pipelineId: id }, query: { confirm: projectName } })
    },
    within: (ctx, { id }) => removePipeline(ctx, id),
    refused: 'pipelines-builds-running',
    gone: 'resource-missing',
  },
  {
    what: 'the retention',
    call: () => removeDue(app.ctx()),
    within: (ctx) => removeDue(ctx),
    gone: 'pipelines-build-emptied',
  },
]

/** Until another connection waits for a lock of an open transaction. */
const somebodyWaits = () =>
  eventually(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
    expect(rows).toHaveLength(1)
  })

const state = async ({ id, number }: Failed) =>
  (await team.leader.call(builds.get, { params: { id, number } })).stages.map((stage) => stage.state)

describe.each(removals)('$what', ({ call, within, refused, gone }) => {
  test('waits for a retry of the build, and then leaves the build alone', async () => {
    const build = await failed()
    let removal: Promise<unknown> | undefined
    await inTx(app.ctx(), async (ctx) => {
      await retryBuild(ctx, build.id, build.number, 'failed')
      removal = call(build).then(
        () => undefined,
        (error: { key: string }) => error.key,
      )
      await somebodyWaits()
    })
    expect(await removal).toBe(refused)
    expect(await state(build)).toEqual(['pending'])
  })

  test('locks jobs before their build, as a retry does, so that the two never deadlock', async () => {
    const build = await failed()
    let removal: Promise<unknown> | undefined
    await inTx(app.ctx(), async (ctx) => {
      await lockJobs(ctx.db, build.buildId)
      removal = call(build)
      await somebodyWaits()
      // the next lock that a retry takes
      await sql`select from build where id = ${build.buildId} for no key update nowait`.execute(ctx.db)
    })
    await removal
  })

  test('is not undone by a concurrent retry', async () => {
    const build = await failed()
    let retry: Promise<{ key: string }> | undefined
    await inTx(app.ctx(), async (ctx) => {
      await within(ctx, build)
      retry = refusalOf(team.leader.call(builds.retry, { params: { id: build.id, number: build.number }, body: {} }))
      await somebodyWaits()
    })
    expect((await retry)?.key).toBe(gone)
  })
})
