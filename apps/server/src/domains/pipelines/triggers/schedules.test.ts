import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { triggers, type TriggerRule } from '@gantry/contract/pipelines/triggers'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Forges, ForgeAccess, NewHook } from '../../../adapters/forges/forges.ts'
import { Fault } from '../../../kernel/fault.ts'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { giteaPush } from '../../../../test/forge-reports.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'
import { fireDue } from './triggers.jobs.ts'

const hooks = new Map<string, NewHook & ForgeAccess>()
let isForgeDown = false
const forges: Forges = {
  async setHook(access, hook) {
    if (access.password === 'wrong') throw new Fault('invalid', 'forge-denied', { host: 'forge.example.test' })
    const id = String(hooks.size + 1)
    hooks.set(id, { ...access, ...hook })
    return id
  },
  async removeHook(_access, id) {
    if (isForgeDown) throw new Fault('badGateway', 'outbound-unreachable', { host: 'forge.example.test' })
    hooks.delete(id)
  },
  setStatus: async () => undefined,
  changedFiles: async () => [],
}

const app = await testApp({ ports: { forges } })
const beside = await testApp({ beside: app })
let team: Awaited<ReturnType<typeof app.team>>

beforeAll(async () => {
  team = await app.team()
})

const add = (id: number, rule: object, more: object = {}, by = team.leader) =>
  by.call(triggers.create, { params: { id }, body: { rule: rule as TriggerRule, ...more } })
const schedule = { kind: 'schedule', cron: '*/5 * * * *', zone: 'Europe/Berlin' }
const count = async (id: number) => (await team.leader.call(builds.list, { params: { id } })).totalSize
const listed = async (id: number) => (await team.leader.call(triggers.list, { params: { id } }))[0]
const due = (triggerId: number) =>
  app.db
    .updateTable('pipeline_trigger')
    .set({ next_at: sql`date_trunc('minute', now() - interval '3 hours')` })
    .where('id', '=', triggerId)
    .execute()

describe('a schedule', () => {
  test('shows its next slot, and starts a build of its branch for the user who saved it', async () => {
    const pipeline = await testPipeline(app, team)
    const made = await add(pipeline.id, { ...schedule, branch: 'nightly' })
    expect(new Date(made.nextAt ?? 0).getTime()).toBeGreaterThan(Date.now() - 60_000)
    await due(made.id)
    await fireDue(app.ctx())
    const build = await team.leader.call(builds.get, { params: { id: pipeline.id, number: 1 } })
    expect(build).toMatchObject({ cause: 'schedule', userCause: team.leader.name, branch: 'nightly' })
    expect((await listed(pipeline.id))?.last).toMatchObject({ outcome: 'started', number: 1 })
  })

  test('fires each slot once on two replicas, and once for all missed slots', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => testPipeline(app, team)))
    const made = await Promise.all(all.map(({ id }) => add(id, schedule)))
    for (let round = 1; round <= 3; round++) {
      for (const { id } of made) await due(id)
      // the three slots differ, like those of three days
      await app.db
        .updateTable('pipeline_trigger')
        .set({ next_at: sql`next_at + make_interval(mins => ${round})` })
        .where(
          'id',
          'in',
          made.map(({ id }) => id),
        )
        .execute()
      await Promise.all([app, beside, app, beside].map((replica) => fireDue(replica.ctx())))
      for (const { id } of all) expect(await count(id)).toBe(round)
    }
    const next = await listed(all[0]?.id ?? 0)
    expect(new Date(next?.nextAt ?? 0).getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  test('starts nothing if it is disabled or if its user was deleted, which its log then says', async () => {
    const pipeline = await testPipeline(app, team)
    const off = await add(pipeline.id, schedule, { enabled: false })
    expect(off.nextAt).toBeNull()
    const member = await team.member(['pipeline_pipeline_view', 'pipeline_pipeline_edit', 'pipeline_build_execute'])
    const other = await testPipeline(app, team)
    const made = await add(other.id, schedule, {}, member)
    await app.db.deleteFrom('account').where('id', '=', member.id).execute()
    await due(made.id)
    await fireDue(app.ctx())
    expect(await count(other.id)).toBe(0)
    expect(await listed(other.id)).toMatchObject({ last: { outcome: 'refused' }, savedBy: member.name })
    // it goes on to its next slot
    expect(new Date((await listed(other.id))?.nextAt ?? 0).getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  test.each([
    ['six fields', '* * * * * *', 'cron-five-fields'],
    ['31 February', '0 0 31 2 *', 'cron-never'],
    ['10 kB', `${'1,'.repeat(5_000)}1 * * * *`, 'cron-five-fields'],
    ['nonsense', 'a b c d e', 'cron-invalid'],
  ])('with %s is refused, when saved and in the preview', async (_, cron, key) => {
    const pipeline = await testPipeline(app, team)
    await expect(add(pipeline.id, { ...schedule, cron })).rejects.toMatchObject({ status: 400, key })
    await expect(team.leader.call(triggers.slots, { query: { cron, zone: 'Europe/Berlin' } })).rejects.toMatchObject({
      status: 400,
      key,
    })
  })

  test('shows five slots in the preview', async () => {
    const slots = await team.leader.call(triggers.slots, { query: { cron: '0 3 * * *', zone: 'UTC' } })
    expect(slots.map((slot) => slot.slice(11))).toEqual(Array.from({ length: 5 }, () => '03:00:00.000Z'))
  })

  test('is refused parameters that no build could have, and secrets', async () => {
    const pipeline = await testPipeline(app, team)
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    const parameters = [
      { name: 'COUNT', kind: 'number' as const },
      { name: 'CODE', kind: 'secret' as const },
    ]
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, parameters } })
    const refused = (given: object) => refusalOf(add(pipeline.id, schedule, { parameters: given }))
    expect(await refused({ COUNT: 'x' })).toMatchObject({ key: 'pipelines-parameters-wrong' })
    expect(await refused({ CODE: 'canary-of-a-trigger' })).toMatchObject({ key: 'pipelines-trigger-secret' })
    await add(pipeline.id, schedule, { parameters: { COUNT: '3' } })
  })

  test('keeps the original order of its parameters', async () => {
    const pipeline = await testPipeline(app, team)
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    const parameters = ['REGION', 'TO', 'AS'].map((name) => ({ name }))
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, parameters } })
    const given = { REGION: 'eu', TO: 'shop', AS: 'me' }
    await add(pipeline.id, schedule, { parameters: given })
    const [stored] = await team.leader.call(triggers.list, { params: { id: pipeline.id } })
    expect(JSON.stringify(stored?.parameters)).toBe(JSON.stringify(given))
  })
})

describe('a trigger after another pipeline', () => {
  /** Ends the next build of a pipeline. */
  async function build(pipeline: { id: number; projectName: string }, state: 'success' | 'failed') {
    await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const [work] = (await agent.claim(1)).work
    const lease = { jobId: work?.jobId ?? 0, attempt: 1 }
    await agent.events(lease, 1, [{ type: 'end', state, logs: [] }])
    await app.drainJobs()
  }

  test('starts when a build of it has succeeded, or ended in any way', async () => {
    const [source, onSuccess, onAny] = [
      await testPipeline(app, team),
      await testPipeline(app, team),
      await testPipeline(app, team),
    ]
    await add(onSuccess.id, { kind: 'pipeline', pipelineId: source.id })
    await add(onAny.id, { kind: 'pipeline', pipelineId: source.id, on: 'any' })
    await build(source, 'failed')
    expect([await count(onSuccess.id), await count(onAny.id)]).toEqual([0, 1])
    await build(source, 'success')
    expect([await count(onSuccess.id), await count(onAny.id)]).toEqual([1, 2])
    expect(await listed(onSuccess.id)).toMatchObject({
      follows: source.projectName,
      last: { event: `${source.projectName} #2`, outcome: 'started' },
    })
  })

  test('is refused if pipelines would start each other endlessly, and the refusal names the cycle', async () => {
    const [a, b, c] = [await testPipeline(app, team), await testPipeline(app, team), await testPipeline(app, team)]
    await add(b.id, { kind: 'pipeline', pipelineId: a.id })
    await add(c.id, { kind: 'pipeline', pipelineId: b.id })
    const refusal = await refusalOf(add(a.id, { kind: 'pipeline', pipelineId: c.id }))
    expect(refusal).toMatchObject({ status: 409, key: 'pipelines-trigger-circle' })
    expect(refusal.message).toContain([a, b, c, a].map(({ projectName }) => projectName).join(' → '))
    await expect(add(a.id, { kind: 'pipeline', pipelineId: a.id })).rejects.toMatchObject({
      key: 'pipelines-trigger-circle',
    })
  })

  test('is refused if a concurrent one would close a cycle with it', async () => {
    const [a, b] = [await testPipeline(app, team), await testPipeline(app, team)]
    const both = await Promise.allSettled([
      add(a.id, { kind: 'pipeline', pipelineId: b.id }),
      add(b.id, { kind: 'pipeline', pipelineId: a.id }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('cannot follow a pipeline of another team', async () => {
    const foreign = await testPipeline(app, await app.team())
    const pipeline = await testPipeline(app, team)
    for (const id of [foreign.id, 2_000_000_000])
      await expect(add(pipeline.id, { kind: 'pipeline', pipelineId: id })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the webhook in the git host', () => {
  async function withRepository(password: string) {
    const pipeline = await testPipeline(app, team)
    await app.db
      .updateTable('pipeline')
      .set({ repository_url: 'https://forge.example.test/demo/hello.git', repository_branch: 'main' })
      .where('id', '=', pipeline.id)
      .execute()
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    const { seal } = await import('../../../kernel/secrets/secrets.ts')
    await app.db
      .updateTable('pipeline')
      .set({ repository_password: seal(app.ctx(), password) })
      .where('id', '=', pipeline.id)
      .execute()
    const { id, secret } = await add(pipeline.id, { kind: 'webhook', events: ['push'] })
    return { pipeline, params: { id: params.pipelineId, triggerId: id }, secret }
  }

  test('is set up with the repository’s password and the secret, once however often, and deleted with the trigger', async () => {
    hooks.clear()
    const { pipeline, params, secret } = await withRepository('right')
    for (let at = 0; at < 2; at++)
      expect(await team.leader.call(triggers.setHook, { params, body: { forge: 'gitea' } })).toMatchObject({
        hook: 'gitea',
      })
    const [hook] = hooks.values()
    expect(hooks.size).toBe(1)
    expect(hook).toMatchObject({ password: 'right', secret, url: expect.stringContaining(pipeline.uuid) as string })
    expect(await team.leader.call(triggers.remove, { params })).toEqual({ hookRemoved: true })
    expect(hooks.size).toBe(0)
    const answer = await app.anonymous.raw({
      method: 'POST',
      url: `/api/v2/pipelines/${pipeline.uuid}/trigger`,
      ...giteaPush(secret),
    })
    expect(answer.statusCode).toBe(404)
  })

  test('leaves nothing if it cannot be set up, and is reported if it cannot be removed', async () => {
    const refused = await withRepository('wrong')
    await expect(
      team.leader.call(triggers.setHook, { params: refused.params, body: { forge: 'github' } }),
    ).rejects.toMatchObject({ status: 400, key: 'forge-denied' })
    expect((await listed(refused.pipeline.id))?.hook).toBeNull()
    const { params } = await withRepository('right')
    await team.leader.call(triggers.setHook, { params, body: { forge: 'gitlab' } })
    isForgeDown = true
    expect(await team.leader.call(triggers.remove, { params })).toEqual({ hookRemoved: false })
    isForgeDown = false
  })
})

describe('of a repository that is reached over SSH', () => {
  test.each(['git@forge.example.test:demo/hello.git', 'ssh://git@forge.example.test:2222/demo/hello.git'])(
    'is not set up with the reason, and the trigger can be deleted: %s',
    async (url) => {
      const pipeline = await testPipeline(app, team)
      const { id } = await add(pipeline.id, { kind: 'webhook', events: ['push'] })
      const params = { id: pipeline.id, triggerId: id }
      const set = { repository_url: url, repository_branch: 'main' }
      await app.db.updateTable('pipeline').set(set).where('id', '=', pipeline.id).execute()
      await expect(team.leader.call(triggers.setHook, { params, body: { forge: 'gitlab' } })).rejects.toMatchObject({
        status: 409,
        key: 'pipelines-trigger-not-http',
      })
      const hook = JSON.stringify({ forge: 'gitlab', url: 'https://forge.example.test', id: '1' })
      await sql`update pipeline_trigger set hook = ${hook}::jsonb where id = ${id}`.execute(app.db)
      expect(await team.leader.call(triggers.remove, { params })).toEqual({ hookRemoved: false })
    },
  )
})

test('a trigger is changed on the revision that was read, and its kind cannot change', async () => {
  const pipeline = await testPipeline(app, team)
  const { id, revision, rule } = await add(pipeline.id, schedule)
  const params = { id: pipeline.id, triggerId: id }
  const change = (body: object) =>
    team.leader.call(triggers.update, { params, body: { rule, ...body } as { rule: TriggerRule } })
  expect(await change({ revision, enabled: false })).toMatchObject({ revision: revision + 1, nextAt: null })
  await expect(change({ revision })).rejects.toMatchObject({ status: 409, key: 'pipelines-trigger-changed' })
  await expect(change({ rule: { kind: 'webhook', events: ['push'] } })).rejects.toMatchObject({
    key: 'pipelines-trigger-kind',
  })
})

test('a clone of a pipeline has its triggers, disabled', async () => {
  const pipeline = await testPipeline(app, team)
  await add(pipeline.id, schedule)
  const clone = await team.leader.call(pipelines.clone, {
    params: { uuid: pipeline.uuid },
    body: { projectName: `${pipeline.projectName} again` },
  })
  expect(await listed(clone.id)).toMatchObject({ enabled: false, rule: schedule, nextAt: null })
})

test('a pipeline has at most twenty triggers', async () => {
  const pipeline = await testPipeline(app, team)
  for (let at = 0; at < 20; at++) await add(pipeline.id, schedule)
  await expect(add(pipeline.id, schedule)).rejects.toMatchObject({ status: 409, key: 'pipelines-trigger-most' })
})
