import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines, type Reviewers } from '@gantry/contract/pipelines/pipelines'
import { reviews } from '@gantry/contract/pipelines/reviews'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { statementsOf } from '../../../../test/statements.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { actorOfBuild } from '../builds/builds.service.ts'

const app = await testApp()
const beside = await testApp({ beside: app })
const reviewing = ['pipeline_pipeline_view', 'pipeline_build_view', 'pipeline_review_operate']
let team: Awaited<ReturnType<typeof app.team>>
let reviewer: TestCaller
let second: TestCaller

beforeAll(async () => {
  team = await app.team()
  reviewer = await team.member([...reviewing, 'pipeline_build_execute'])
  second = await team.member(reviewing)
})

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

const start = async (id: number, by = team.leader) =>
  (await by.call(builds.trigger, { params: { id }, body: {} })).number
const read = (id: number, number: number) => team.leader.call(builds.get, { params: { id, number } })
const decide = (id: number, pass: boolean, by = reviewer, more: { number?: number; reason?: string } = {}) =>
  by.call(reviews.decide, { params: { id }, body: { pass, ...more } })
const log = async (id: number, by = reviewer) => (await by.call(reviews.log, { params: { id } })).items
const claims = async ({ projectName }: { projectName: string }) =>
  (await (await testAgent(app, { labels: [projectName] })).claim(1)).work.length

/** How often a build's own page was told to read again. */
const published = async (id: number, number: number) =>
  (await app.db.selectFrom('outbox').select('seq').where('topic', '=', `build/${id}/${number}`).execute()).length

test('a build waits until enough reviewers have passed its trigger, and no agent gets it before', async () => {
  const pipeline = await reviewed({ count: 2 })
  const number = await start(pipeline.id)
  expect(await read(pipeline.id, number)).toMatchObject({ state: 'waiting' })
  expect(await claims(pipeline)).toBe(0)
  const before = await published(pipeline.id, number)
  await decide(pipeline.id, true, reviewer, { reason: 'looks right' })
  expect(await published(pipeline.id, number)).toBe(before + 1)
  expect(await claims(pipeline)).toBe(0)
  expect(await log(pipeline.id)).toMatchObject([
    { number, state: 'waiting', needed: 2, votes: [{ name: reviewer.name, pass: true, reason: 'looks right' }] },
  ])
  await decide(pipeline.id, true, second)
  expect(await read(pipeline.id, number)).toMatchObject({ state: 'queued' })
  expect(await claims(pipeline)).toBe(1)
  expect(await log(pipeline.id)).toMatchObject([{ state: 'passed', votes: [{}, {}] }])
})

test('a build waits for its review first, and its wait for an agent begins after that', async () => {
  const pipeline = await reviewed()
  const number = await start(pipeline.id)
  expect((await read(pipeline.id, number)).waits).toMatchObject([{ for: 'review', to: null }])
  await decide(pipeline.id, true)
  const { waits } = await read(pipeline.id, number)
  expect(waits).toMatchObject([
    { for: 'review', to: expect.any(String) },
    { for: 'agent', job: 0, to: null },
  ])
  expect(waits[1]?.from).toBe(waits[0]?.to)
  const [entry] = await team.leader.call(builds.queue, { params: { id: pipeline.id } })
  expect(entry?.queuedAt).toBe(waits[1]?.from)
  expect(await claims(pipeline)).toBe(1)
  expect((await read(pipeline.id, number)).waits.map(({ to }) => to === null)).toEqual([false, false])
})

test('a rejection ends the build, which shows by whom and why', async () => {
  const pipeline = await reviewed({ count: 2 })
  const number = await start(pipeline.id)
  await decide(pipeline.id, false, reviewer, { reason: 'not on a Friday' })
  const build = await read(pipeline.id, number)
  expect(build.state).toBe('aborted')
  for (const words of [reviewer.name, 'not on a Friday']) expect(build.message).toContain(words)
  expect(await log(pipeline.id)).toMatchObject([{ state: 'rejected' }])
  expect(await claims(pipeline)).toBe(0)
})

describe('a decision', () => {
  test('about the reviewer’s own trigger is refused', async () => {
    const pipeline = await reviewed()
    await start(pipeline.id, reviewer)
    await expect(decide(pipeline.id, true)).rejects.toMatchObject({ status: 403, key: 'pipelines-review-own' })
    await decide(pipeline.id, true, second)
  })

  test('is accepted once from each reviewer, and not after the review has ended or was cancelled', async () => {
    const pipeline = await reviewed({ count: 2 })
    const number = await start(pipeline.id)
    await decide(pipeline.id, true)
    await expect(decide(pipeline.id, false)).rejects.toMatchObject({ status: 409, key: 'pipelines-review-twice' })
    await decide(pipeline.id, true, second)
    for (const by of [reviewer, second])
      await expect(decide(pipeline.id, false, by, { number })).rejects.toMatchObject({
        status: 409,
        key: 'pipelines-review-over',
      })
    const stopped = await start(pipeline.id)
    await team.leader.call(builds.stop, { params: { id: pipeline.id, number: stopped } })
    await expect(decide(pipeline.id, true, second, { number: stopped })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-review-over',
    })
    expect((await log(pipeline.id))[0]).toMatchObject({ number: stopped, state: 'cancelled' })
  })

  test('is accepted only from named users and roles with the permission to review', async () => {
    const pipeline = await reviewed({ users: [second.id] })
    await start(pipeline.id)
    await expect(decide(pipeline.id, true)).rejects.toMatchObject({ status: 403, key: 'pipelines-review-not-you' })
    const viewer = await team.member(['pipeline_build_view'])
    await expect(decide(pipeline.id, true, viewer)).rejects.toMatchObject({ status: 403 })
    await expect(decide(pipeline.id, true, (await app.team()).leader)).rejects.toMatchObject({ status: 404 })
    expect((await log(pipeline.id))[0]?.obstacle).not.toBe('')
    expect((await log(pipeline.id, second))[0]?.obstacle).toBe('')
    await decide(pipeline.id, true, second)
    const { role_id: role } = await app.db
      .selectFrom('team_member')
      .select('role_id')
      .where('account_id', '=', reviewer.id)
      .executeTakeFirstOrThrow()
    const byRole = await reviewed({ roles: [role ?? 0] })
    await start(byRole.id)
    await expect(decide(byRole.id, true, second)).rejects.toMatchObject({ status: 403 })
    await decide(byRole.id, true)
  })

  test('must name its build if several wait', async () => {
    const pipeline = await reviewed()
    await expect(decide(pipeline.id, true)).rejects.toMatchObject({ status: 409, key: 'pipelines-review-nothing' })
    const [one, two] = [await start(pipeline.id), await start(pipeline.id)]
    await expect(decide(pipeline.id, true)).rejects.toMatchObject({ status: 409, key: 'pipelines-review-which' })
    await decide(pipeline.id, true, reviewer, { number: two })
    expect([(await read(pipeline.id, one)).state, (await read(pipeline.id, two)).state]).toEqual(['waiting', 'queued'])
  })

  test('lists ten reviews with as many statements as one, both for reviewers and for others', async () => {
    const pipeline = await reviewed({ users: [reviewer.id] })
    const looker = await team.member(reviewing.slice(0, 2))
    const statements = async (by: TestCaller) => {
      const { statements } = await statementsOf(app, () => log(pipeline.id, by))
      // background jobs write meanwhile
      return statements.filter(({ text }) => /^select .*(team_member|team_role)/.test(text)).length
    }
    await start(pipeline.id)
    const [may, mayNot] = [await statements(second), await statements(looker)]
    for (let more = 0; more < 9; more++) await start(pipeline.id)
    expect(await log(pipeline.id, looker)).toHaveLength(10)
    expect([await statements(second), await statements(looker)]).toEqual([may, mayNot])
    expect(may).toBeGreaterThan(0)
  })

  test('only one of concurrent approval, rejection and stop on two replicas succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const pipeline = await reviewed()
      const number = await start(pipeline.id)
      const elsewhere = beside.caller(second, second.token)
      const all = await Promise.allSettled([
        decide(pipeline.id, true),
        decide(pipeline.id, false, elsewhere),
        team.leader.call(builds.stop, { params: { id: pipeline.id, number } }),
      ])
      const { state } = await read(pipeline.id, number)
      const [review] = await log(pipeline.id)
      const decided = all.slice(0, 2).filter(({ status }) => status === 'fulfilled').length
      expect(decided).toBe(review?.state === 'cancelled' ? 0 : 1)
      if (review?.state === 'rejected') expect(state).toBe('aborted')
      expect(review?.votes.length).toBe(decided)
    }
  })
})

test('users without the permission to review cannot turn the review off, and no stranger can be named as reviewer', async () => {
  const pipeline = await reviewed()
  const editor = await team.member(['pipeline_pipeline_view', 'pipeline_pipeline_edit'])
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = await editor.call(pipelines.setting, { params })
  await expect(editor.call(pipelines.setSetting, { params, body: { ...setting, review: null } })).rejects.toMatchObject(
    { status: 403 },
  )
  await editor.call(pipelines.setSetting, { params, body: { ...setting, description: 'changed' } })
  const stranger = await app.user()
  await expect(reviewed({ users: [stranger.id] })).rejects.toMatchObject({ key: 'pipelines-review-strangers' })
})

describe('a retry', () => {
  const retry = (id: number, number: number, by = team.leader) =>
    by.call(builds.retry, { params: { id, number }, body: {} })
  const stop = (id: number, number: number) => team.leader.call(builds.stop, { params: { id, number } })

  type State = 'waiting' | 'passed' | 'rejected' | 'cancelled'
  const reach: Record<State, (id: number, number: number) => Promise<unknown>> = {
    waiting: async () => undefined,
    passed: (id) => decide(id, true),
    rejected: (id) => decide(id, false),
    cancelled: stop,
  }
  const events = {
    pass: (id: number, number: number) => decide(id, true, second, { number }),
    reject: (id: number, number: number) => decide(id, false, second, { number }),
    stop,
    retry,
  }
  const over = 'pipelines-review-over'
  /** The state of the review after the event, or the key of the refusal; a retry adds another review, which waits. */
  test.for<[State, Record<keyof typeof events, string>]>([
    ['waiting', { pass: 'passed', reject: 'rejected', stop: 'cancelled', retry: 'pipelines-build-not-ended' }],
    ['passed', { pass: over, reject: over, stop: 'passed', retry: 'pipelines-build-not-ended' }],
    ['rejected', { pass: over, reject: over, stop: 'stop-fail-build', retry: 'waiting, rejected' }],
    ['cancelled', { pass: over, reject: over, stop: 'stop-fail-build', retry: 'waiting, cancelled' }],
  ])('and every other event has the right result for a review that is %s', async ([state, expected]) => {
    for (const [event, outcome] of Object.entries(expected)) {
      const { id } = await reviewed()
      const number = await start(id)
      await reach[state](id, number)
      const refused = await events[event as keyof typeof events](id, number).then(
        () => undefined,
        (error: { key: string }) => error.key,
      )
      expect([event, refused ?? (await log(id)).map((one) => one.state).join(', ')]).toEqual([event, outcome])
    }
  })

  test('waits for a new review, and the earlier one can still be read', async () => {
    const pipeline = await reviewed()
    const number = await start(pipeline.id)
    await decide(pipeline.id, false, reviewer, { reason: 'not on a Friday' })
    await retry(pipeline.id, number)
    expect(await read(pipeline.id, number)).toMatchObject({ state: 'waiting', userCause: team.leader.name })
    expect(await claims(pipeline)).toBe(0)
    expect(await log(pipeline.id)).toMatchObject([
      { round: 2, state: 'waiting', cause: 'retry', requestedBy: team.leader.name, votes: [] },
      { round: 1, state: 'rejected', votes: [{ name: reviewer.name, reason: 'not on a Friday' }] },
    ])
    await decide(pipeline.id, true)
    expect(await claims(pipeline)).toBe(1)
  })

  test('cannot be reviewed by the user who triggered it or by the one who retried it, and deploys for the latter', async () => {
    const pipeline = await reviewed()
    const third = await team.member([...reviewing, 'pipeline_build_execute'])
    const number = await start(pipeline.id, reviewer)
    await decide(pipeline.id, false, second)
    await retry(pipeline.id, number, third)
    expect(await read(pipeline.id, number)).toMatchObject({ userCause: reviewer.name, retriedBy: third.name })
    for (const by of [reviewer, third])
      await expect(decide(pipeline.id, true, by)).rejects.toMatchObject({ status: 403, key: 'pipelines-review-own' })
    const { queueId } = await read(pipeline.id, number)
    expect(await actorOfBuild(app.ctx(), queueId)).toMatchObject({ id: third.id })
    await decide(pipeline.id, true, second)
    expect(await claims(pipeline)).toBe(1)
  })

  test('needs no review if the pipeline no longer requires one', async () => {
    const pipeline = await reviewed()
    const number = await start(pipeline.id)
    await decide(pipeline.id, false)
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, review: null } })
    await retry(pipeline.id, number)
    expect(await read(pipeline.id, number)).toMatchObject({ state: 'queued' })
  })
})

test('an administrator needs to be named if others are, and cannot review an own build', async () => {
  const { id } = await reviewed({ users: [second.id] })
  await start(id)
  await expect(decide(id, true, app.admin)).rejects.toMatchObject({ key: 'pipelines-review-not-you' })
  const open = await reviewed()
  await start(open.id, app.admin)
  await expect(decide(open.id, true, app.admin)).rejects.toMatchObject({ key: 'pipelines-review-own' })
})
