import { audit } from '@gantry/contract/audit/audit'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { mask } from '@gantry/contract/validators'
import { sql } from 'kysely'
import type { z } from 'zod'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { expireGates } from './gates.service.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
let one: TestCaller
let other: TestCaller
beforeAll(async () => {
  team = await app.team()
  const approver = [
    'pipeline_pipeline_view',
    'pipeline_build_view',
    'pipeline_review_operate',
    'pipeline_build_execute',
  ]
  one = await team.member(approver)
  other = await team.member(approver)
})

type Approval = { users?: string[]; roles?: string[]; count?: number; hours?: number; parameters?: string[] }
const stagesWith = (approval: Approval) => [
  {
    name: 'Ship',
    mode: 'approve' as const,
    approval,
    steps: [{ type: 'script' as const, name: 'ship', run: 'true' }],
  },
]

/** A pipeline whose only stage needs approval, with parameters of its own. */
async function approved(approval: Approval = {}, parameters: z.input<typeof Parameter>[] = []) {
  const pipeline = await testPipeline(app, team, [], stagesWith(approval))
  if (parameters.length > 0) await declare(pipeline, parameters)
  return pipeline
}
async function declare({ id, appId }: { id: number; appId: number }, parameters: z.input<typeof Parameter>[]) {
  const params = { appId, pipelineId: id }
  const setting = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, { params, body: { ...setting, parameters } })
}
/** A save that does not change the approvers. */
async function addStage({ id, appId }: { id: number; appId: number }) {
  const params = { appId, pipelineId: id }
  const { stages } = await team.leader.call(definitions.get, { params })
  const more = [...stages, { name: 'Later', steps: [{ type: 'script' as const, name: 'later', run: 'true' }] }]
  await team.leader.call(definitions.set, { params, body: { stages: more } })
}
const start = async (id: number, by = team.leader) =>
  (await by.call(builds.trigger, { params: { id }, body: {} })).number
const read = (id: number, number: number, by = team.leader) => by.call(builds.get, { params: { id, number } })
const gateOf = async (id: number, number: number, by = team.leader) => (await read(id, number, by)).stages[0]?.gate
const decide = (
  by: TestCaller,
  { id, number }: { id: number; number: number },
  body: {
    pass?: boolean
    reason?: string
    parameters?: Record<string, string>
    expected?: Record<string, string>
  } = {},
) => by.call(builds.decide, { params: { id, number, stage: 'Ship' }, body: { pass: true, ...body } })
const stored = (id: number) =>
  app.db
    .selectFrom('build')
    .select(['parameters', 'secret_parameters as secrets'])
    .where('pipeline_id', '=', id)
    .executeTakeFirstOrThrow()

describe('values filled in with an approval', () => {
  const where = { name: 'WHERE', defaultValue: 'staging' }
  const secret = { name: 'KEY', kind: 'secret' as const, defaultValue: 'first secret' }

  test('of a secret are neither shown, not even sealed, nor sealed twice', async () => {
    const { id } = await approved({ parameters: ['KEY', 'WHERE'] }, [where, secret])
    const at = { id, number: await start(id) }
    const before = (await stored(id)).parameters
    const gate = await gateOf(id, at.number)
    expect(gate).toMatchObject({ parameters: { KEY: mask, WHERE: 'staging' }, secrets: ['KEY'] })
    // the page sends back what it was shown
    await decide(one, at, { parameters: gate?.parameters ?? {} })
    expect((await stored(id)).parameters).toEqual(before)
  })

  test('are shown in the approval’s order on the build, and are in the audit log', async () => {
    const { id } = await approved({ parameters: ['REGION', 'TO', 'AS'] }, [
      { name: 'AS', defaultValue: 'a' },
      { name: 'TO', defaultValue: 'b' },
      { name: 'REGION', defaultValue: 'c' },
    ])
    const at = { id, number: await start(id) }
    await decide(one, at)
    const [decision] = (await gateOf(id, at.number))?.decisions ?? []
    expect(Object.keys(decision?.parameters ?? {})).toEqual(['REGION', 'TO', 'AS'])
    const row = (await app.admin.call(audit.search, { query: { userId: one.id } })).items[0]
    const { after } = await app.admin.call(audit.get, { params: { id: row?.id ?? 0 } })
    expect(after).toMatchObject({ parameters: { REGION: 'c', TO: 'b', AS: 'a' } })
  })

  test('of a secret are sealed, and stay secret', async () => {
    const { id } = await approved({ parameters: ['KEY'] }, [secret])
    const at = { id, number: await start(id) }
    await decide(one, at, { parameters: { KEY: 'second secret' } })
    const { parameters, secrets } = await stored(id)
    expect(JSON.stringify(parameters)).not.toContain('second secret')
    expect(open(app.ctx(), (parameters as Record<string, string>)['KEY'] ?? '')).toBe('second secret')
    expect(secrets).toEqual(['KEY'])
  })

  test('stay if a second approver sends none', async () => {
    const { id } = await approved({ count: 2, parameters: ['WHERE'] }, [where])
    const at = { id, number: await start(id) }
    await decide(one, at, { parameters: { WHERE: 'production' } })
    await decide(other, at)
    expect(await read(id, at.number)).toMatchObject({ state: 'queued', parameters: { WHERE: 'production' } })
  })

  test('are declared by the revision of the build, not by the present settings', async () => {
    const pipeline = await approved({ parameters: ['WHERE'] }, [
      { name: 'WHERE', kind: 'choice', values: ['staging', 'production'], defaultValue: 'staging' },
    ])
    const at = { id: pipeline.id, number: await start(pipeline.id) }
    await declare(pipeline, [{ name: 'WHERE', kind: 'choice', values: ['moon'], defaultValue: 'moon' }])
    await expect(decide(one, at, { parameters: { WHERE: 'moon' } })).rejects.toMatchObject({ status: 400 })
    await decide(one, at, { parameters: { WHERE: 'production' } })
    expect(await read(at.id, at.number)).toMatchObject({ parameters: { WHERE: 'production' } })
  })

  test('must be those that the approver has seen: if others were filled in meanwhile, the approval is refused', async () => {
    const { id } = await approved({ count: 2, parameters: ['WHERE', 'KEY'] }, [where, secret])
    const at = { id, number: await start(id) }
    const seen = { WHERE: 'staging', KEY: mask }
    await decide(one, at, { parameters: { ...seen, WHERE: 'production' }, expected: seen })
    await expect(decide(other, at, { parameters: seen, expected: seen })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-gate-values-changed',
    })
    const now = { ...seen, WHERE: 'production' }
    expect((await gateOf(id, at.number))?.decisions).toMatchObject([{ name: one.name, counts: true }])
    await decide(other, at, { parameters: now, expected: now })
    expect(await read(id, at.number)).toMatchObject({ state: 'queued', parameters: { WHERE: 'production' } })
  })

  test('restart the count if they differ, so that no mixture is deployed', async () => {
    const { id } = await approved({ count: 2, parameters: ['WHERE', 'KEY'] }, [where, secret])
    const at = { id, number: await start(id) }
    await decide(one, at, { parameters: { WHERE: 'production' } })
    await decide(other, at, { parameters: { WHERE: 'moon', KEY: mask } })
    expect(await read(id, at.number)).toMatchObject({ state: 'waiting', parameters: { WHERE: 'moon' } })
    expect((await gateOf(id, at.number))?.decisions).toMatchObject([
      { name: one.name, counts: false },
      { name: other.name, counts: true },
    ])
    await expect(decide(other, at)).rejects.toMatchObject({ key: 'pipelines-gate-once' })
    await decide(one, at, { parameters: { WHERE: 'moon' } })
    expect(await read(id, at.number)).toMatchObject({ state: 'queued', parameters: { WHERE: 'moon' } })
  })
})

describe('a decision about a stage', () => {
  const where = { name: 'WHERE', kind: 'choice' as const, values: ['staging', 'moon'], required: true }
  const secret = { name: 'KEY', kind: 'secret' as const, defaultValue: 'first secret' }

  test('keeps its values with secrets masked, and the audit log says how it was decided', async () => {
    const { id, projectName } = await approved({ count: 2, parameters: ['WHERE', 'KEY'] }, [
      { ...where, defaultValue: 'staging' },
      secret,
    ])
    const at = { id, number: await start(id) }
    await decide(one, at, { parameters: { WHERE: 'moon', KEY: 'second secret' }, reason: 'it is late' })
    await decide(other, at, { pass: false })
    expect((await gateOf(id, at.number))?.decisions).toMatchObject([
      { name: one.name, parameters: { WHERE: 'moon', KEY: mask }, reason: 'it is late' },
      { name: other.name, parameters: {} },
    ])
    const rows = await app.db
      .selectFrom('audit_log')
      .select(['action', 'object', 'detail'])
      .where('object', 'like', `${projectName} #%`)
      .where('action', 'like', 'build.%-stage')
      .orderBy('id')
      .execute()
    expect(rows).toMatchObject([
      { action: 'build.approve-stage', object: `${projectName} #${at.number} Ship`, detail: { after: { pass: true } } },
      { action: 'build.reject-stage' },
    ])
    expect(JSON.stringify(rows)).toContain('moon')
    expect(JSON.stringify(rows)).not.toContain('second secret')
  })

  test('is asked with the kinds, rules and present values of its fields', async () => {
    const { id } = await approved({ parameters: ['WHERE', 'KEY'] }, [{ ...where, defaultValue: 'staging' }, secret])
    const at = { id, number: await start(id) }
    expect((await gateOf(id, at.number, one))?.fields).toMatchObject([
      { name: 'WHERE', kind: 'choice', values: ['staging', 'moon'], required: true, defaultValue: 'staging' },
      { name: 'KEY', kind: 'secret', defaultValue: mask },
    ])
    for (const WHERE of ['', 'mars'])
      await expect(decide(one, at, { parameters: { WHERE } })).rejects.toMatchObject({ status: 400 })
    expect(await read(id, at.number)).toMatchObject({ state: 'waiting' })
  })

  test('names the users who may decide to those who may not', async () => {
    const { id } = await approved()
    const at = { id, number: await start(id) }
    const member = await team.member(['pipeline_pipeline_view', 'pipeline_build_view'])
    const obstacle = (await gateOf(id, at.number, member))?.obstacle
    expect(obstacle).toContain(`role-${one.id}`)
    expect(obstacle).toContain(team.leader.name)
  })
})

describe('an approval', () => {
  test('and a rejection have a reason, which is shown', async () => {
    const { id } = await approved({ count: 2 })
    const at = { id, number: await start(id) }
    await decide(one, at, { reason: 'looks right' })
    await decide(other, at, { pass: false, reason: 'not on a Friday' })
    const build = await read(id, at.number)
    expect(build).toMatchObject({ state: 'aborted' })
    expect(build.message).toContain('not on a Friday')
    expect(build.stages[0]?.gate?.decisions).toMatchObject([
      { name: one.name, pass: true, reason: 'looks right' },
      { name: other.name, pass: false, reason: 'not on a Friday' },
    ])
  })

  test('cannot be given by the user who triggered the build or the one who retried it, and the page says so', async () => {
    const { id } = await approved()
    const at = { id, number: await start(id, one) }
    await team.leader.call(builds.stop, { params: at })
    await other.call(builds.retry, { params: at, body: {} })
    for (const by of [one, other]) {
      await expect(decide(by, at)).rejects.toMatchObject({ status: 403, key: 'pipelines-gate-own' })
      expect((await gateOf(id, at.number, by))?.obstacle).toContain('somebody else')
    }
    expect((await gateOf(id, at.number))?.obstacle).toBe('')
    await decide(team.leader, at)
  })

  test('cannot be given by an administrator for their own build, nor if others are named', async () => {
    const own = await approved()
    const at = { id: own.id, number: await start(own.id, app.admin) }
    await expect(decide(app.admin, at)).rejects.toMatchObject({ key: 'pipelines-gate-own' })
    const named = await approved({ users: [one.name] })
    const there = { id: named.id, number: await start(named.id) }
    await expect(decide(app.admin, there)).rejects.toMatchObject({ key: 'pipelines-gate-others' })
  })

  test('stays with the named role and user when they are renamed', async () => {
    const role = await app.db
      .selectFrom('team_member')
      .innerJoin('team_role', 'team_role.id', 'role_id')
      .select(['team_role.id', 'name'])
      .where('account_id', '=', one.id)
      .executeTakeFirstOrThrow()
    const pipeline = await approved({ roles: [role.name] })
    const { id } = pipeline
    await app.db.updateTable('team_role').set({ name: 'renamed' }).where('id', '=', role.id).execute()
    const impostor = await app.db
      .selectFrom('team_member')
      .select('role_id')
      .where('account_id', '=', other.id)
      .executeTakeFirstOrThrow()
    await app.db.updateTable('team_role').set({ name: role.name }).where('id', '=', impostor.role_id).execute()
    const at = { id, number: await start(id) }
    await expect(decide(other, at)).rejects.toMatchObject({ key: 'pipelines-gate-others' })
    await decide(one, at)
    // saving something else does not change this
    await addStage(pipeline)
    const next = { id, number: await start(id) }
    await expect(decide(other, next)).rejects.toMatchObject({ key: 'pipelines-gate-others' })
    await decide(one, next)
  })

  test('is not inherited by a new account with the name of a deleted one', async () => {
    const permissions = ['pipeline_build_view', 'pipeline_review_operate']
    const gone = await team.member(permissions)
    const pipeline = await approved({ users: [gone.name] })
    const { id } = pipeline
    const at = { id, number: await start(id) }
    await app.db.deleteFrom('account').where('id', '=', gone.id).execute()
    const heir = await team.member(permissions)
    await app.db.updateTable('account').set({ user_name: gone.name }).where('id', '=', heir.id).execute()
    for (const number of [at.number, await start(id)])
      await expect(decide(heir, { id, number })).rejects.toMatchObject({ key: 'pipelines-gate-others' })
    await expect(addStage(pipeline)).rejects.toMatchObject({ status: 400, key: 'pipelines-approver-strangers' })
  })
})

test('each decision about a stage is published once, and to the page of its build, whether the stage goes on waiting or not', async () => {
  const announced = async (topic: string) =>
    (await app.db.selectFrom('outbox').select('seq').where('topic', '=', topic).execute()).length
  const { id } = await approved({ count: 2 })
  const at = { id, number: await start(id) }
  const [decisions, page] = [`decisions/${team.id}`, `build/${id}/${at.number}`]
  for (const by of [one, other]) {
    const before = { decisions: await announced(decisions), page: await announced(page) }
    await decide(by, at)
    expect((await announced(decisions)) - before.decisions).toBe(1)
    expect(await announced(page)).toBeGreaterThan(before.page)
  }
})

describe('a definition whose approvers are not of the team', () => {
  test('is refused with the field when it is saved or run as a draft', async () => {
    const { id, appId } = await approved()
    const stages = stagesWith({ users: [one.name, 'mistyped'], roles: ['nowhere'] })
    const refused = {
      status: 400,
      key: 'pipelines-approver-strangers',
      problems: [{ path: 'stages.0.approval.users.1' }, { path: 'stages.0.approval.roles.0' }],
    }
    const saved = team.leader.call(definitions.set, { params: { appId, pipelineId: id }, body: { stages } })
    await expect(saved).rejects.toMatchObject(refused)
    const tried = team.leader.call(versions.runDraft, { params: { id }, body: { stages } })
    await expect(tried).rejects.toMatchObject(refused)
  })

  test('allows nobody, rather than everybody, if an earlier release stored it', async () => {
    const { id } = await approved()
    await app.db
      .updateTable('pipeline')
      .set({ definition: sql`${JSON.stringify({ stages: stagesWith({ users: ['mistyped'] }) })}::jsonb` })
      .where('id', '=', id)
      .execute()
    await app.db
      .updateTable('pipeline_revision')
      .set({
        document: sql`document || jsonb_build_object('definition',
      ${JSON.stringify({ stages: stagesWith({ users: ['mistyped'] }) })}::jsonb)`,
      })
      .where('pipeline_id', '=', id)
      .execute()
    const at = { id, number: await start(id) }
    for (const by of [one, app.admin])
      await expect(decide(by, at)).rejects.toMatchObject({ key: 'pipelines-gate-others' })
  })
})

describe('the time that a stage waited', () => {
  const later = [{ name: 'Build', steps: [{ type: 'script' as const, name: 'build', run: 'true' }] }, ...stagesWith({})]
  const done = (agent: Awaited<ReturnType<typeof testAgent>>, { jobId, attempt }: { jobId: number; attempt: number }) =>
    agent.events({ jobId, attempt }, 1, [{ type: 'end', state: 'success', logs: [] }])
  /** The build began eleven minutes ago, and its gate opened ten minutes ago. */
  const atGate = async () => {
    const { id, projectName } = await testPipeline(app, team, [], later)
    const number = await start(id)
    const agent = await testAgent(app, { labels: [projectName] })
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    await done(agent, work)
    await sql`update build set started_at = now() - interval '11 minutes' where pipeline_id = ${id}`.execute(app.db)
    await sql`update build_gate set opened_at = now() - interval '10 minutes'
      where build_id in (select id from build where pipeline_id = ${id})`.execute(app.db)
    return { id, number, agent }
  }
  const minutes = (seconds: number) => Math.floor(seconds / 60)
  const waitOf = async ({ id, number }: { id: number; number: number }) =>
    (await read(id, number)).waits.find((wait) => wait.for === 'approval')

  test('is shown, and does not count in the duration of its build', async () => {
    const at = await atGate()
    const before = await read(at.id, at.number)
    expect(before).toMatchObject({ state: 'waiting', askedAt: before.stages[1]?.gate?.openedAt, waitedSeconds: 0 })
    expect(await waitOf(at)).toMatchObject({ stage: 1, job: null, from: before.askedAt, to: null })
    await decide(one, at)
    const after = await read(at.id, at.number)
    expect([after.askedAt, minutes(after.waitedSeconds)]).toEqual([null, 10])
    expect(await waitOf(at)).toMatchObject({ from: before.askedAt, to: expect.any(String) })
  })

  test('ends if the build is stopped', async () => {
    const at = await atGate()
    await team.leader.call(builds.stop, { params: { id: at.id, number: at.number } })
    const { state, askedAt, waitedSeconds, endedAt } = await read(at.id, at.number)
    expect([state, askedAt, minutes(waitedSeconds)]).toEqual(['aborted', null, 10])
    expect((await waitOf(at))?.to).toBe(endedAt)
  })

  test('does not count for a build that has not begun', async () => {
    const { id } = await approved()
    const at = { id, number: await start(id) }
    await sql`update build_gate set opened_at = now() - interval '10 minutes'
      where build_id in (select id from build where pipeline_id = ${id})`.execute(app.db)
    await decide(one, at)
    expect(await read(id, at.number)).toMatchObject({ waitedSeconds: 0 })
    expect(await waitOf(at)).toMatchObject({ stage: 0, to: expect.any(String) })
  })
})

describe('the outcome of every event for a stage that is', () => {
  type State = 'waiting' | 'passed' | 'rejected' | 'expired' | 'over'
  type At = { id: number; number: number }
  const expire = async ({ id, number }: At) => {
    const { queueId } = await read(id, number)
    const until = sql<string>`now() - interval '1 second'`
    await app.db.updateTable('build_gate').set({ until }).where('build_id', '=', queueId).execute()
    await expireGates(app.ctx())
  }
  const stop = (params: At) => team.leader.call(builds.stop, { params })
  const reach: Record<State, (at: At) => Promise<unknown>> = {
    waiting: async () => undefined,
    passed: (at) => decide(one, at),
    rejected: (at) => decide(one, at, { pass: false }),
    expired: expire,
    over: stop,
  }
  const events = {
    approve: (at: At) => decide(other, at),
    reject: (at: At) => decide(other, at, { pass: false }),
    expire,
    stop,
    retry: (params: At) => team.leader.call(builds.retry, { params, body: {} }),
  }
  const decided = 'pipelines-gate-decided'
  const goesOn = 'pipelines-build-not-ended'
  const ended = 'stop-fail-build'
  test.for<[State, Record<keyof typeof events, string>]>([
    ['waiting', { approve: 'passed', reject: 'rejected', expire: 'expired', stop: 'over', retry: goesOn }],
    ['passed', { approve: decided, reject: decided, expire: 'passed', stop: 'passed', retry: goesOn }],
    ['rejected', { approve: decided, reject: decided, expire: 'rejected', stop: ended, retry: 'waiting' }],
    ['expired', { approve: decided, reject: decided, expire: 'expired', stop: ended, retry: 'waiting' }],
    ['over', { approve: decided, reject: decided, expire: 'over', stop: ended, retry: 'waiting' }],
  ])('%s', async ([state, expected]) => {
    for (const [event, outcome] of Object.entries(expected)) {
      const { id } = await approved()
      const at = { id, number: await start(id) }
      await reach[state](at)
      const refused = await events[event as keyof typeof events](at).then(
        () => undefined,
        (error: { key: string }) => error.key,
      )
      expect([event, refused ?? (await gateOf(id, at.number))?.state]).toEqual([event, outcome])
    }
  })

  test('not decided in time: a build that cannot be advanced does not keep others from ending', async () => {
    const waiting: At[] = []
    for (const _ of [1, 2]) {
      const { id } = await approved({ hours: 1 })
      waiting.push({ id, number: await start(id) })
    }
    const ids = waiting.map(({ id }) => id)
    await sql`update pipeline_revision set document = jsonb_set(document, '{definition}', '"unreadable"')
      where pipeline_id = ${ids[0]}`.execute(app.db)
    await sql`update build_gate set until = now() - interval '1 second'
      where build_id in (select id from build where pipeline_id = any(${ids}))`.execute(app.db)
    await expireGates(app.ctx())
    expect(await Promise.all(waiting.map(async ({ id, number }) => (await read(id, number)).state))).toEqual([
      'waiting',
      'aborted',
    ])
  })

  test('retried: earlier decisions can still be read, and no longer count', async () => {
    const { id, projectName } = await approved()
    const at = { id, number: await start(id) }
    await decide(one, at, { pass: false, reason: 'not yet' })
    await events.retry(at)
    expect(await gateOf(id, at.number)).toMatchObject({
      state: 'waiting',
      decisions: [{ name: one.name, pass: false, reason: 'not yet', counts: false }],
    })
    await decide(one, at)
    expect((await (await testAgent(app, { labels: [projectName] })).claim(1)).work).toHaveLength(1)
  })
})
