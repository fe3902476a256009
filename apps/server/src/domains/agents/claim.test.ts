import { builds } from '@gantry/contract/pipelines/builds'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import type { Events } from '../../kernel/events/event.ts'
import { claim } from './claim.service.ts'

const app = await testApp()
const beside = await testApp({ beside: app })
const team = await app.team()
const hour = 3_600_000

/** An agent that waits for work at the other replica, which has looked once and found nothing. */
async function waitingAgent({ lookMs = hour, hears = true } = {}) {
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const ctx = beside.ctx({ kind: 'agent', id: agent.id, name: agent.name, admin: false })
  const waits = Promise.withResolvers<void>()
  const onRing: Events['onRing'] = (bell, hear) => {
    waits.resolve()
    return hears ? ctx.events.onRing(bell, hear) : () => undefined
  }
  const self = { version: '1', osType: 'linux' as const, executors: ['process' as const], isolated: true, protocol: '' }
  const request = { ...self, free: 1, wait: 60, holding: [] }
  const answer = claim({ ...ctx, events: { ...ctx.events, onRing } }, request, lookMs)
  await waits.promise
  await eventually(async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`.execute(app.db)
    expect(rows).toEqual([{ n: 0 }])
  })
  return { pipeline, answer }
}

const trigger = (id: number) => team.leader.call(builds.trigger, { params: { id }, body: {} })

test('an agent that waits at one replica gets a build queued at another, without a look in between', async () => {
  const { pipeline, answer } = await waitingAgent()
  await trigger(pipeline.id)
  expect(await answer).toMatchObject({ work: [{ pipelineId: pipeline.id }] })
})

test('a replica that is not woken looks again by itself', async () => {
  const { pipeline, answer } = await waitingAgent({ lookMs: 20, hears: false })
  await trigger(pipeline.id)
  expect(await answer).toMatchObject({ work: [{ pipelineId: pipeline.id }] })
})
