import { session } from '@gantry/contract/auth/session'
import { decisions, type Decision } from '@gantry/contract/decisions/decisions'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { pipelines, type Reviewers } from '@gantry/contract/pipelines/pipelines'
import { reviews } from '@gantry/contract/pipelines/reviews'
import { pushPath } from '@gantry/contract/push/path'
import { mail } from '@gantry/contract/settings/mail'
import { users } from '@gantry/contract/users/users'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testPipeline } from '../../../test/build-agent.ts'
import { goodPassword } from '../../../test/password.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { decisionCap } from '../../db/decisions.ts'
import { jsonb } from '../../db/json.ts'
import { isAnyoneMailed } from './decisions.store.ts'
import { waitingFor } from './decisions.service.ts'
import { tellByMail } from './tell.service.ts'

const app = await testApp({ config: { registration: true } })
const client = await socketClient(app)
const seeing = ['pipeline_pipeline_view', 'pipeline_build_view']
const reviewing = [...seeing, 'pipeline_review_operate']
let team: Awaited<ReturnType<typeof app.team>>
beforeEach(async () => {
  team = await app.team()
})

const listOf = (by: TestCaller, query = {}, headers = {}) => by.call(decisions.list, { query }, headers)
const waiting = async (by: TestCaller, headers = {}): Promise<Decision[]> => (await listOf(by, {}, headers)).items
const texts = async (by: TestCaller, headers = {}) => (await waiting(by, headers)).map(({ text }) => text)

async function reviewed(review: Partial<Reviewers> = {}) {
  const pipeline = await testPipeline(app, team)
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, {
    params,
    body: { ...setting, review: { count: 1, users: [], roles: [], ...review } },
  })
  return pipeline
}
const ships = (more: Partial<StageInput>): StageInput[] => [
  { name: 'ship', steps: [{ type: 'script', name: 'go', run: 'true' }], ...more },
]
const start = async ({ id }: { id: number }, by = team.leader) =>
  (await by.call(builds.trigger, { params: { id }, body: {} })).number
const decide = (by: TestCaller, { id }: { id: number }, number: number, pass = true) =>
  by.call(builds.decide, { params: { id, number, stage: 'ship' }, body: { pass } })

describe('the list of what waits for a user', () => {
  test('has a build to review, with its user, its time and its screen, in the language of the reader', async () => {
    const reviewer = await team.member(reviewing)
    const pipeline = await reviewed()
    const number = await start(pipeline)
    expect(await waiting(reviewer)).toMatchObject([
      {
        kind: 'review',
        text: `${pipeline.projectName} #${number} needs a review before it begins`,
        team: { id: team.id, name: team.name },
        by: team.leader.name,
        until: null,
        path: `/teams/${team.id}/cd/pipeline_group_id/${pipeline.appId}/pipeline_id/${pipeline.id}/history/${number}/info`,
        pipelineId: pipeline.id,
        number,
      },
    ])
    expect(await texts(reviewer, { 'accept-language': 'zh' })).toEqual([
      `${pipeline.projectName} #${number} 开始前需要审核`,
    ])
    await reviewer.call(reviews.decide, { params: { id: pipeline.id }, body: { number, pass: true } })
    expect(await waiting(reviewer)).toEqual([])
  })

  test.each([
    ['the user who triggered the build', async () => team.leader],
    ['a user without the permission', async () => team.member(seeing)],
    ['a user who may not see builds', async () => team.member(['pipeline_review_operate'])],
    ['a member of another team', async () => (await app.team()).leader],
  ])('has no review for %s', async (_, who) => {
    const by = await who()
    const pipeline = await reviewed()
    await start(pipeline)
    expect(await waiting(by)).toEqual([])
  })

  test('has only reviews that name the user, until they have decided, even if others still have to', async () => {
    const [one, two, other] = [await team.member(reviewing), await team.member(reviewing), await team.member(reviewing)]
    const pipeline = await reviewed({ count: 2, users: [one.id, two.id] })
    const number = await start(pipeline)
    await one.call(reviews.decide, { params: { id: pipeline.id }, body: { number, pass: true } })
    expect([await waiting(one), await waiting(other)]).toEqual([[], []])
    expect(await waiting(two)).toHaveLength(1)
  })

  test('has a stage to approve, with its deadline, for the users that its definition names, but not for the build’s own user', async () => {
    const [named, other] = [await team.member(reviewing), await team.member(reviewing)]
    const approval = { users: [named.name], roles: [], parameters: [], hours: 2 }
    const pipeline = await testPipeline(app, team, [], ships({ mode: 'approve', approval }))
    const number = await start(pipeline)
    expect(await waiting(named)).toMatchObject([
      { kind: 'approval', stage: 'ship', text: `Stage ship of ${pipeline.projectName} #${number} needs approval` },
    ])
    expect((await waiting(named))[0]?.until).not.toBeNull()
    expect([await waiting(other), await waiting(team.leader)]).toEqual([[], []])
    await decide(named, pipeline, number)
    expect(await waiting(named)).toEqual([])
  })

  test('has a stage that begins by hand, also for the user who started the build', async () => {
    const pipeline = await testPipeline(app, team, [], ships({ mode: 'manual' }))
    const number = await start(pipeline)
    const reviewer = await team.member(reviewing)
    expect(await waiting(team.leader)).toMatchObject([{ kind: 'start', stage: 'ship', number }])
    expect(await waiting(reviewer)).toEqual([])
    await team.leader.call(builds.stop, { params: { id: pipeline.id, number } })
    expect(await waiting(team.leader)).toEqual([])
  })

  test('has a merge request of a fork for users who may start builds', async () => {
    const pipeline = await reviewed()
    const number = await start(pipeline)
    await app.db.updateTable('build_review').set({ fork: true }).where('pipeline_id', '=', pipeline.id).execute()
    const [builder, reviewer] = [await team.member([...seeing, 'pipeline_build_execute']), await team.member(reviewing)]
    expect(await waiting(builder)).toMatchObject([{ kind: 'fork', number }])
    expect(await waiting(reviewer)).toEqual([])
    await builder.call(reviews.passFork, { params: { id: pipeline.id, number } })
    expect(await waiting(builder)).toEqual([])
  })

  test('has registrations for administrators', async () => {
    const body = { userName: 'grace', nickname: 'Grace', email: 'grace@x.test', password: goodPassword }
    await app.anonymous.call(session.register, { body })
    const found = (await waiting(app.admin)).find(({ kind }) => kind === 'account')
    expect(found).toMatchObject({ text: 'grace (grace@x.test) has registered and asks to be let in', team: null })
    expect(await waiting(team.leader)).toEqual([])
    const { id } = await app.db
      .selectFrom('account')
      .select('id')
      .where('user_name', '=', 'grace')
      .executeTakeFirstOrThrow()
    await app.admin.call(users.approve, { params: { id }, query: { enable: 'true' } })
    expect((await waiting(app.admin)).filter(({ kind }) => kind === 'account')).toEqual([])
  })

  test('covers the user’s teams, and for an administrator also the current one', async () => {
    const pipeline = await reviewed()
    await start(pipeline)
    expect(await waiting(app.admin)).toEqual([])
    expect(await waiting(app.admin, { 'x-tenant-id': String(team.id) })).toMatchObject([{ kind: 'review' }])
  })

  test('is paged, newest first', async () => {
    const reviewer = await team.member(reviewing)
    const pipeline = await reviewed()
    const numbers = [await start(pipeline), await start(pipeline), await start(pipeline)]
    const page = await listOf(reviewer, { pageSize: 2 })
    expect(page).toMatchObject({ totalSize: 3, items: [{ number: numbers[2] }, { number: numbers[1] }] })
    expect(await listOf(reviewer, { pageSize: 2, requestPage: 2 })).toMatchObject({ items: [{ number: numbers[0] }] })
  })

  test('has an upgrade with its screen, even among very many unfinished gray upgrades', async () => {
    const { uuid: environment } = await app.db
      .insertInto('environment')
      .values({ name: 'away', server: 'https://127.0.0.1:1', address: '' })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    const { id: stack_id, uuid } = await app.db
      .insertInto('stack')
      .values({
        team_id: team.id,
        environment,
        name: 'shop',
        namespace: `n${team.id}`,
        actor: 'x',
        state: 'running',
      })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    const before = { podRevision: 1, podDigest: '', restartedAt: null, podDedicated: false }
    const copy = { type: 'gray', before, steps: [{ weight: 10 }], rule: {}, step: 0, since: null, goOn: false }
    await sql`insert into service (stack_id, name, spec, state, actor, copy, changed_at)
      select ${stack_id}, 's' || n, '{}', case n when 0 then 'upgraded' else 'upgrading' end, 'x',
        case when n > 0 then ${jsonb({ ...copy, why: null, ended: null })}::jsonb end, now() + n * interval '1 second'
      from generate_series(0, ${decisionCap}::int) as n`.execute(app.db)
    const found = await waiting(team.leader)
    expect(found).toMatchObject([{ kind: 'upgrade', name: 's0', step: false }])
    expect(found[0]?.path).toMatch(new RegExp(`/stack/${stack_id}/${uuid}/shop/services/[0-9]+/s0/`))
  })

  test('is empty once the user loses the permission', async () => {
    const reviewer = await team.member(reviewing)
    await start(await reviewed())
    expect(await waiting(reviewer)).toHaveLength(1)
    await app.db
      .updateTable('team_role')
      .set({ permissions: seeing })
      .where('name', '=', `role-${reviewer.id}`)
      .execute()
    expect(await waiting(reviewer)).toEqual([])
  })
})

test('a team’s pages learn of a new decision and of one that somebody else has made; other teams’ do not', async () => {
  const [one, two] = [await team.member(reviewing), await team.member(reviewing)]
  const stranger = (await app.team()).leader
  const pipeline = await reviewed()
  const socket = await client.as(two, pushPath)
  const refused = await client.as(stranger, pushPath)
  const topic = `decisions/${team.id}`
  socket.send({ op: 'subscribe', topic })
  refused.send({ op: 'subscribe', topic })
  await eventually(() => expect(refused.frames.filter(({ op }) => op === 'error')).toHaveLength(1))
  const countMessages = () => socket.frames.filter((frame) => frame.topic === topic && frame.op !== 'error').length
  const number = await start(pipeline)
  await eventually(() => expect(countMessages()).toBeGreaterThan(0))
  const before = countMessages()
  await one.call(reviews.decide, { params: { id: pipeline.id }, body: { number, pass: false } })
  await eventually(() => expect(countMessages()).toBeGreaterThan(before))
  expect(await waiting(two)).toEqual([])
  for (const { ws } of [socket, refused]) ws.close()
})

describe('mails about decisions', () => {
  const setMail = (by: TestCaller, on: boolean) => by.call(decisions.setMail, { body: { on } })
  const mailServer = (enabled: boolean) =>
    app.admin.call(mail.set, {
      body: {
        enabled,
        host: 'smtp.example.test',
        port: 587,
        security: 'starttls',
        userName: '',
        password: '',
        from: 'gantry@example.test',
        fromName: 'Gantry',
        lang: 'en',
      },
    })
  const mailsTo = async ({ name }: TestCaller) =>
    (
      await app.db.selectFrom('mail_outbox').select('subject').where('recipient', '=', `${name}@example.test`).execute()
    ).map(({ subject }) => subject)

  test('are off by default, and the setting says why none would arrive', async () => {
    const one = await team.member(reviewing)
    const setting = () => one.call(decisions.mail)
    expect(await setting()).toMatchObject({ on: false })
    expect((await setting()).obstacle).toContain('No mail server is set up')
    await mailServer(true)
    expect(await setting()).toEqual({ on: false, obstacle: '' })
    await setMail(one, true)
    expect(await setting()).toEqual({ on: true, obstacle: '' })
    await app.db.updateTable('account').set({ email: '' }).where('id', '=', one.id).execute()
    expect((await setting()).obstacle).toContain('no email address')
  })

  test('are sent once for each decision, to users who may decide and want them', async () => {
    await mailServer(true)
    const [wants, silent, lacks] = [
      await team.member(reviewing),
      await team.member(reviewing),
      await team.member(seeing),
    ]
    for (const one of [wants, lacks, team.leader]) await setMail(one, true)
    const pipeline = await reviewed()
    const subject = (number: number) => `Gantry: ${pipeline.projectName} #${number} needs a review before it begins`
    const first = await start(pipeline)
    await Promise.all([tellByMail(app.ctx(), team.id), tellByMail(app.ctx(), team.id)])
    expect(await mailsTo(wants)).toEqual([subject(first)])
    const second = await start(pipeline)
    await tellByMail(app.ctx(), team.id)
    expect(await mailsTo(wants)).toEqual([subject(first), subject(second)])
    for (const other of [silent, lacks, team.leader]) expect(await mailsTo(other)).toEqual([])
  })

  test('are prepared only while somebody can receive one', async () => {
    await mailServer(true)
    const one = await team.member(reviewing)
    await setMail(one, true)
    const email = (text: string) =>
      app.db.updateTable('account').set({ email: text }).where('id', '=', one.id).execute()
    const looks = () => isAnyoneMailed(app.db, team.id)
    await email('')
    expect(await looks()).toBe(false)
    await email(`${one.name}@example.test`)
    expect(await looks()).toBe(true)
  })

  test('cover only the team, or the administrators, that they are sent for', async () => {
    const other = await app.team()
    await app.db
      .insertInto('team_member')
      .values({ team_id: other.id, account_id: team.leader.id, leader: true })
      .execute()
    await app.db.updateTable('account').set({ admin: true }).where('id', '=', team.leader.id).execute()
    const at = await testPipeline(app, team, [], ships({ mode: 'manual' }))
    await start(at)
    const there = await testPipeline(app, other, [], ships({ mode: 'manual' }))
    await start(there, other.leader)
    const body = { userName: 'ida', nickname: 'Ida', email: 'ida@x.test', password: goodPassword }
    await app.anonymous.call(session.register, { body })
    const { id, name } = team.leader
    const of = async (only: number | null) => {
      const actor = { kind: 'user' as const, id, name, admin: true }
      return (await waitingFor({ db: app.db, actor }, only)).map((one) => [one.kind, one.team?.id ?? null])
    }
    expect([await of(team.id), await of(other.id)]).toEqual([[['start', team.id]], [['start', other.id]]])
    expect(await of(null)).toContainEqual(['account', null])
    expect((await of(null)).filter(([, inTeam]) => inTeam !== null)).toEqual([])
  })

  test('are not sent for decisions that have waited for a day', async () => {
    await mailServer(true)
    const one = await team.member(reviewing)
    await start(await reviewed())
    const sent = () =>
      app.db
        .selectFrom('mail_outbox')
        .select((q) => q.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    const before = await sent()
    await app.db
      .updateTable('build_review')
      .set({ requested_at: new Date(Date.now() - 25 * 3_600_000) })
      .execute()
    await setMail(one, true)
    await tellByMail(app.ctx(), team.id)
    expect(await sent()).toEqual(before)
  })
})
