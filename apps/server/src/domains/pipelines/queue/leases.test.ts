import { builds } from '@gantry/contract/pipelines/builds'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { collectLost } from './leases.service.ts'

const app = await testApp()

test('leases are renewed in the order in which a stop locks the jobs, wherever their rows are stored', async () => {
  const team = await app.team()
  const pipeline = await testPipeline(app, team, undefined, [
    {
      name: 'only',
      jobs: ['one', 'two'].map((name) => ({ name, steps: [{ type: 'script', name, run: 'true' }] })),
    },
  ])
  await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const jobs = (await agent.claim(2)).work.toSorted((a, b) => a.jobId - b.jobId)
  const [first, second] = jobs.map(({ jobId }) => jobId)
  // each update moves a row, so repeat until the first job's row is stored after the second's
  const write = sql<{ behind: boolean }>`update build_job set lease_until = lease_until where id = ${first}
    returning ctid > (select ctid from build_job where id = ${second}) as behind`
  await expect.poll(async () => (await write.execute(app.db)).rows[0]?.behind).toBe(true)

  let claim: ReturnType<typeof agent.claim> | undefined
  await app.db.transaction().execute(async (tx) => {
    await sql`select from build_job where id = ${first} for no key update`.execute(tx)
    claim = agent.claim(0, jobs)
    const waits = sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%lease_until%'`
    await expect.poll(async () => (await waits.execute(app.db)).rows[0]?.n).toBe(1)
    // a stop that has locked the first job can lock the second too
    await sql`select from build_job where id = ${second} for no key update nowait`.execute(tx)
  })
  expect(await claim).toMatchObject({ drop: [] })
})

test('a build that cannot be advanced does not keep lost jobs of others from being queued again', async () => {
  const team = await app.team()
  const stages = ['one', 'two'].map((name) => ({
    name,
    jobs: [{ name, steps: [{ type: 'script' as const, name, run: 'true' }] }],
  }))
  const lost = []
  for (const state of ['building', 'queued']) {
    const { id, projectName } = await testPipeline(app, team, undefined, stages)
    const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const [work] = (await (await testAgent(app, { labels: [projectName] })).claim()).work
    lost.push({ id, number, state, buildId: work?.buildId ?? 0 })
  }
  await sql`update pipeline_revision set document = jsonb_set(document, '{definition}', '"unreadable"')
    where pipeline_id = ${lost[0]?.id}`.execute(app.db)
  await app.db
    .updateTable('build_job')
    .set({ lease_until: sql`now() - interval '1 second'` })
    .where('state', '=', 'building')
    .where(
      'build_id',
      'in',
      lost.map(({ buildId }) => buildId),
    )
    .execute()
  expect(await collectLost(app.ctx())).toBe(1)
  for (const { id, number, state } of lost)
    expect(await team.leader.call(builds.get, { params: { id, number } })).toMatchObject({ state })
})
