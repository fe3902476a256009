import { type AlarmChannelInput, alarmChannels } from '@gantry/contract/alarms/channels'
import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import { notifications } from '@gantry/contract/notifications/notifications'
import { notificationRules, type RuleInput } from '@gantry/contract/notifications/rules'
import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mail } from '@gantry/contract/settings/mail'
import { beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { tellDue } from './tell.service.ts'

const app = await testApp({ ports: { outbound: createOutbound({ allow: ['127.0.0.0/8'] }) } })
const beside = await testApp({ beside: app })
const seeing = ['pipeline_pipeline_view', 'pipeline_build_view']
let team = await app.team()
let made = 0

beforeAll(async () => {
  await app.admin.call(mail.set, {
    body: {
      enabled: true,
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
})

/** A new team with a pipeline, and a function that runs builds to the given end. */
async function builder() {
  team = await app.team()
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  return {
    pipeline,
    async build(state: 'success' | 'failed', { by = team.leader, branch = 'main' } = {}) {
      await by.call(builds.trigger, { params: { id: pipeline.id }, body: { branch } })
      const [work] = (await agent.claim(1)).work
      if (!work) throw new Error('nothing was claimed')
      await agent.events(work, 1, [{ type: 'end', state, logs: [] }])
      await tellDue(app.ctx())
    },
  }
}

const rule = (input: Partial<RuleInput> = {}, by: TestCaller = team.leader, teamId = team.id) =>
  by.call(notificationRules.create, {
    params: { teamId },
    body: { name: `rule ${++made}`, events: ['build.failed'], channels: ['bell', 'mail'], ...input },
  })

const bellOf = async (caller: TestCaller) => (await caller.call(notifications.list)).items.map(({ text }) => text)
const mailsTo = async ({ name }: TestCaller) =>
  (
    await app.db
      .selectFrom('mail_outbox')
      .select('subject')
      .where('recipient', '=', `${name}@example.test`)
      .orderBy('id')
      .execute()
  ).map(({ subject }) => subject)

test('only members and roles of a rule are notified of its events, in the bell and by email', async () => {
  const { pipeline, build } = await builder()
  const [named, byRole, other] = [await team.member(seeing), await team.member(seeing), await team.member(seeing)]
  const { roleId } = await app.db
    .selectFrom('team_member')
    .select('role_id as roleId')
    .where('account_id', '=', byRole.id)
    .executeTakeFirstOrThrow()
  await rule({ users: [named.id], roles: [roleId ?? 0] })
  await build('failed')
  await build('success')
  for (const recipient of [named, byRole]) {
    expect(await bellOf(recipient)).toEqual([`${pipeline.projectName} #1 failed`])
    expect(await mailsTo(recipient)).toEqual([`Gantry: ${pipeline.projectName} #1 failed`])
  }
  expect([await bellOf(other), await mailsTo(other)]).toEqual([[], []])
})

test('a member to whom several rules and events apply gets one message, of the most important event', async () => {
  const { pipeline, build } = await builder()
  const member = await team.member(seeing)
  await build('failed')
  await rule({ users: [member.id], events: ['build.success'] })
  await rule({ users: [member.id], events: ['build.fixed', 'build.success'] })
  await build('success')
  expect(await bellOf(member)).toEqual([`${pipeline.projectName} is fixed with #2`])
  expect(await mailsTo(member)).toEqual([`Gantry: ${pipeline.projectName} is fixed with #2`])
})

test('the user who triggered a build is not notified twice in the bell', async () => {
  const { pipeline, build } = await builder()
  const member = await team.member([...seeing, 'pipeline_build_execute'])
  await rule({ triggerer: true })
  await build('failed', { by: member })
  expect(await bellOf(member)).toEqual([`${pipeline.projectName} #1 failed`])
  expect(await mailsTo(member)).toHaveLength(1)
})

test('a rule of another group, pipeline or branch, and a disabled rule, notify nobody', async () => {
  const { pipeline, build } = await builder()
  const member = await team.member(seeing)
  const users = [member.id]
  const elsewhere = await testPipeline(app, team)
  await rule({ users, pipelineId: elsewhere.id })
  await rule({ users, branches: ['release/*'] })
  await rule({ users, enabled: false })
  await build('failed')
  expect(await bellOf(member)).toEqual([])
  await rule({ users, pipelineId: pipeline.id, branches: ['release/*', 'main'] })
  await build('failed')
  expect(await bellOf(member)).toEqual([`${pipeline.projectName} #2 failed`])
})

test('users who may no longer see builds or have left the team are not notified', async () => {
  const { build } = await builder()
  const [blind, left] = [await team.member(['pipeline_pipeline_view']), await team.member(seeing)]
  await rule({ users: [blind.id, left.id] })
  await app.db.deleteFrom('team_member').where('account_id', '=', left.id).execute()
  await build('failed')
  expect([await mailsTo(blind), await mailsTo(left)]).toEqual([[], []])
})

describe('a chat or webhook of the team', () => {
  const method = async (input: Partial<AlarmChannelInput> = {}) => {
    made += 1
    const body = { name: `method ${made}`, kind: 'slack' as const, url: `http://127.0.0.1:9/${made}`, ...input }
    return team.leader.call(alarmChannels.save, { params: { team_id: team.id }, body })
  }
  const messagesTo = async ({ id }: { id: number }) =>
    (
      await app.db
        .selectFrom('webhook_delivery')
        .select(['event', 'body'])
        .where('alarm_channel_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ event, body }) => ({ event, ...(JSON.parse(body) as { pipeline: { name: string } }) }))

  test('gets one message about a build, of the most important event, without naming anybody', async () => {
    const { pipeline, build } = await builder()
    const [chat, other] = [await method(), await method()]
    await build('failed')
    await rule({ methods: [chat.id], channels: [], events: ['build.success'] })
    const { methods } = await rule({ methods: [chat.id], channels: [], events: ['build.fixed', 'build.success'] })
    expect(methods).toEqual([chat.id])
    await build('success')
    expect(await messagesTo(chat)).toMatchObject([
      { event: 'build.fixed', pipeline: { name: pipeline.projectName }, build: { number: 2, state: 'success' } },
    ])
    expect(await messagesTo(other)).toEqual([])
  })

  test('is refused in a rule if it is another team’s, or notifies people', async () => {
    await builder()
    const mails = await method({ kind: 'mail', url: '', members: true })
    const ours = await method()
    const gone = { status: 400, key: 'alarms-channel-gone' }
    await expect(rule({ methods: [mails.id], channels: [] })).rejects.toMatchObject(gone)
    team = await app.team()
    await expect(rule({ methods: [ours.id], channels: [] })).rejects.toMatchObject(gone)
  })

  test('cannot be deleted while a rule uses it', async () => {
    await builder()
    const chat = await method()
    const { id: ruleId } = await rule({ methods: [chat.id], channels: [] })
    const remove = () => team.leader.call(alarmChannels.remove, { params: { team_id: team.id, ID: chat.id } })
    await expect(remove()).rejects.toMatchObject({ status: 409, key: 'alarms-channel-told-builds' })
    await team.leader.call(notificationRules.remove, { params: { teamId: team.id, ruleId } })
    await remove()
  })
})

describe('a waiting build', () => {
  test('notifies those who may review it, not the user who triggered it', async () => {
    const { pipeline } = await builder()
    const [reviewer, asker, onlooker] = [
      await team.member([...seeing, 'pipeline_review_operate']),
      await team.member([...seeing, 'pipeline_review_operate', 'pipeline_build_execute']),
      await team.member(seeing),
    ]
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    const review = { count: 1, users: [reviewer.id, asker.id], roles: [] }
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, review } })
    await rule({ events: ['build.waiting'], deciders: true })
    await asker.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    await tellDue(app.ctx())
    expect(await bellOf(reviewer)).toEqual([`${pipeline.projectName} #1 waits for a decision`])
    expect(await mailsTo(reviewer)).toEqual([`Gantry: ${pipeline.projectName} #1 waits for a decision`])
    for (const other of [asker, onlooker, team.leader]) expect(await mailsTo(other)).toEqual([])
  })

  test('notifies those whom an approval names, if they may see builds', async () => {
    team = await app.team()
    const reviewer = await team.member([...seeing, 'pipeline_review_operate'])
    const other = await team.member([...seeing, 'pipeline_review_operate'])
    const blind = await team.member(['pipeline_pipeline_view', 'pipeline_review_operate'])
    const step = { type: 'script' as const, name: 'run', run: 'true' }
    const approval = { users: [reviewer.name, blind.name], roles: [], parameters: [] }
    const pipeline = await testPipeline(app, team, [], [{ name: 'go', mode: 'approve', approval, steps: [step] }])
    await rule({ events: ['build.waiting'], deciders: true })
    await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    await tellDue(app.ctx())
    expect(await mailsTo(reviewer)).toEqual([`Gantry: ${pipeline.projectName} #1 waits for a decision`])
    expect([await mailsTo(other), await mailsTo(blind)]).toEqual([[], []])
  })
})

test('two concurrent workers send each notification once', async () => {
  const { pipeline, build } = await builder()
  const member = await team.member(seeing)
  await build('failed')
  await rule({ users: [member.id] })
  const { id } = await app.db
    .selectFrom('build')
    .select('id')
    .where('pipeline_id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('notification_due')
    .values({ build_id: id, events: ['build.failed'] })
    .execute()
  await Promise.all([tellDue(app.ctx()), tellDue(beside.ctx()), tellDue(app.ctx())])
  expect(await mailsTo(member)).toHaveLength(1)
  expect(await bellOf(member)).toHaveLength(1)
})

test('a build of a team without rules stores no notification', async () => {
  const { pipeline, build } = await builder()
  await build('failed')
  const due = await app.db
    .selectFrom('notification_due')
    .innerJoin('build', 'build.id', 'notification_due.build_id')
    .select('notification_due.id')
    .where('build.pipeline_id', '=', pipeline.id)
    .execute()
  expect(due).toEqual([])
})

describe('a rule', () => {
  test('is listed, found by the name of its group, changed and deleted', async () => {
    const { pipeline } = await builder()
    const { id, revision } = await rule({ triggerer: true, groupId: pipeline.appId })
    const params = { teamId: team.id, ruleId: id }
    const list = async (keyword: string) =>
      (await team.leader.call(notificationRules.list, { params, query: { keyword } })).items
    const [listed] = await list('')
    expect(await list(listed?.scopeName ?? '')).toMatchObject([{ id, groupId: pipeline.appId, pipelineId: null }])
    const body = {
      name: 'new name',
      events: ['build.success' as BuildEvent],
      channels: ['bell' as const],
      deciders: true,
    }
    await team.leader.call(notificationRules.update, { params, query: { revision }, body })
    await expect(
      team.leader.call(notificationRules.update, { params, query: { revision }, body }),
    ).rejects.toMatchObject({ status: 409, key: 'notification-rule-changed' })
    expect(await list('new name')).toMatchObject([{ triggerer: false, deciders: true, scopeName: '' }])
    await team.leader.call(notificationRules.remove, { params })
    expect(await list('')).toEqual([])
  })

  test('is refused if its name is taken, or if it names nobody, strangers or another team’s group', async () => {
    const other = await builder()
    const stranger = await team.member(seeing)
    await builder()
    const { name } = await rule({ triggerer: true })
    await expect(rule({ name, triggerer: true })).rejects.toMatchObject({ key: 'notification-rule-name-taken' })
    await expect(rule({})).rejects.toMatchObject({
      status: 400,
      problems: [{ path: 'users', key: 'notification-rule-nobody' }],
    })
    await expect(rule({ users: [stranger.id] })).rejects.toMatchObject({ key: 'notification-rule-strangers' })
    await expect(rule({ triggerer: true, groupId: other.pipeline.appId })).rejects.toMatchObject({ status: 404 })
    await expect(rule({ triggerer: true, pipelineId: other.pipeline.id })).rejects.toMatchObject({ status: 404 })
  })

  test('is deleted with its pipeline', async () => {
    const { pipeline } = await builder()
    await rule({ triggerer: true, pipelineId: pipeline.id })
    await team.leader.call(pipelines.remove, {
      params: { appId: pipeline.appId, pipelineId: pipeline.id },
      query: { confirm: pipeline.projectName },
    })
    const { totalSize } = await team.leader.call(notificationRules.list, { params: { teamId: team.id } })
    expect(totalSize).toBe(0)
  })
})
