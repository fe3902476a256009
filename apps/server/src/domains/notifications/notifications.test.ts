import { keptNotifications, notifications } from '@gantry/contract/notifications/notifications'
import { notificationsTopic } from '@gantry/contract/notifications/topics'
import { builds } from '@gantry/contract/pipelines/builds'
import { eventually } from '@gantry/waiting/eventually'
import { describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { inTx } from '../../kernel/context.ts'
import { notify } from './public.ts'

const app = await testApp()

const of = (caller: TestCaller, query = {}, headers = {}) => caller.call(notifications.list, { query }, headers)
const texts = async (caller: TestCaller, headers = {}) => (await of(caller, {}, headers)).items.map(({ text }) => text)

const tell = (to: number[], vars: { service: string }, more: { teamId?: number; permission?: string } = {}) =>
  notify(app.ctx(), to, {
    kind: 'service',
    tone: 'bad',
    text: { key: 'notifications-service-failed', vars: { ...vars, stack: 'shop' } },
    ...more,
  })

describe('a build that ends', () => {
  /** A team whose member triggers a build that an agent has claimed. */
  async function claimed() {
    const team = await app.team()
    const pipeline = await testPipeline(app, team)
    const member = await team.member(['pipeline_build_view', 'pipeline_build_execute'])
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const trigger = (caller: TestCaller) => caller.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    const { number } = await trigger(member)
    const [work] = (await agent.claim()).work
    if (!work) throw new Error('nothing was claimed')
    const end = (state: 'success' | 'failed' | 'aborted') => agent.events(work, 1, [{ type: 'end', state, logs: [] }])
    return { team, pipeline, member, number, trigger, end }
  }

  test('notifies only its own user, in the reader’s language, with a link to it', async () => {
    const { team, pipeline, member, number, end } = await claimed()
    await end('failed')
    const { items, unread, totalSize } = await of(member)
    expect({ unread, totalSize }).toEqual({ unread: 1, totalSize: 1 })
    expect(items).toMatchObject([
      {
        kind: 'build',
        tone: 'bad',
        text: `${pipeline.projectName} #${number} failed`,
        teamName: team.name,
        read: false,
        target: { route: 'cd-build-info', params: { pipeline_id: pipeline.id, build_number: number } },
      },
    ])
    expect(await texts(member, { 'accept-language': 'zh' })).toEqual([`${pipeline.projectName} #${number} 构建失败`])
    expect(await texts(team.leader)).toEqual([])
  })

  test('notifies once, however often the agent reports its end', async () => {
    const { member, end } = await claimed()
    await end('success')
    await end('success').catch(() => undefined)
    expect((await of(member)).totalSize).toBe(1)
  })

  test.each([
    ['its own user', 'member', 0],
    ['another', 'leader', 1],
  ] as const)('stopped by %s notifies its own user if somebody else stopped it', async (_, who, count) => {
    const { team, pipeline, member, number, end } = await claimed()
    const stopper = who === 'member' ? member : team.leader
    await stopper.call(builds.stop, { params: { id: pipeline.id, number } })
    await end('aborted')
    expect((await of(member)).totalSize).toBe(count)
  })

  test('is hidden once the permission or the team is lost, and shown again with it', async () => {
    const { member, end } = await claimed()
    await end('failed')
    const role = (permissions: string[]) =>
      app.db.updateTable('team_role').set({ permissions }).where('name', '=', `role-${member.id}`).execute()
    await role(['pipeline_pipeline_view'])
    expect(await of(member)).toMatchObject({ items: [], unread: 0, totalSize: 0 })
    await member.call(notifications.markRead, { body: {} })
    await role(['pipeline_build_view'])
    expect(await of(member)).toMatchObject({ unread: 1, totalSize: 1 })
    await app.db.deleteFrom('team_member').where('account_id', '=', member.id).execute()
    expect(await of(member)).toMatchObject({ items: [], unread: 0, totalSize: 0 })
  })
})

test('one or all are marked as read, only one’s own', async () => {
  const [one, other] = [await app.user(), await app.user()]
  for (const service of ['a', 'b', 'c']) await tell([one.id, other.id], { service })
  const [newest] = (await of(one)).items
  await one.call(notifications.markRead, { body: { ids: [newest?.id ?? 0] } })
  expect((await of(one)).items.map(({ read }) => read)).toEqual([true, false, false])
  await other.call(notifications.markRead, { body: { ids: (await of(one)).items.map(({ id }) => id) } })
  expect(await of(one)).toMatchObject({ unread: 2 })
  await one.call(notifications.markRead, { body: {} })
  expect(await of(one)).toMatchObject({ unread: 0, totalSize: 3 })
  expect(await of(other)).toMatchObject({ unread: 3 })
})

test('the list is paged, newest first, and keeps the newest of each user', async () => {
  const [one, other] = [await app.user(), await app.user()]
  await tell([other.id], { service: 'before' })
  for (let n = 1; n <= keptNotifications + 3; n++) await tell([one.id], { service: `s${n}` })
  const last = await of(one, { requestPage: 11 })
  expect(last.totalSize).toBe(keptNotifications)
  expect(last.items).toHaveLength(0)
  expect((await of(one, { requestPage: 10 })).items.at(-1)?.text).toContain('s4 ')
  expect((await of(one, { pageSize: 1 })).items[0]?.text).toContain(`s${keptNotifications + 3} `)
  expect((await of(other)).totalSize).toBe(1)
})

test('nothing is sent if the transaction rolls back, or to a deleted user', async () => {
  const one = await app.user()
  await expect(
    inTx(app.ctx(), async (ctx) => {
      await notify(ctx, [one.id], { kind: 'build', tone: 'ok', text: { key: 'notifications-none', vars: {} } })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await app.db.deleteFrom('account').where('id', '=', one.id).execute()
  await tell([one.id, app.admin.id], { service: 'stays' })
  expect(await texts(app.admin)).toContain('stays in shop failed')
})

test('notifications are deleted with their user and with their team', async () => {
  const team = await app.team()
  const [one, other] = [await team.member(), await team.member()]
  await tell([one.id, other.id], { service: 'x' }, { teamId: team.id })
  const left = async () =>
    (await app.db.selectFrom('notification').select('account_id').where('team_id', '=', team.id).execute()).length
  expect(await left()).toBe(2)
  await app.db.deleteFrom('account').where('id', '=', one.id).execute()
  expect(await left()).toBe(1)
  await app.db.deleteFrom('team').where('id', '=', team.id).execute()
  expect(await left()).toBe(0)
  expect((await of(other)).totalSize).toBe(0)
})

test('new and read notifications are published to the user’s own topic', async () => {
  const one = await app.user()
  const published: unknown[] = []
  app.server.events.subscribe(({ topic, content }) => {
    if (topic === notificationsTopic.name({ userId: one.id })) published.push(content)
  })
  await tell([one.id], { service: 'x' })
  await one.call(notifications.markRead, { body: {} })
  // none is unread any more, so nothing is published
  await one.call(notifications.markRead, { body: {} })
  await tell([one.id], { service: 'y' })
  await eventually(() => expect(published).toEqual([{ changed: 'new' }, { changed: 'read' }, { changed: 'new' }]))
})

test('an error that the console showed is kept for its user, as long as they are in that team', async () => {
  const team = await app.team()
  const one = await team.member()
  const headers = { 'x-tenant-id': String(team.id) }
  await one.call(notifications.keepError, { body: { text: 'The quota {text} is used up' } }, headers)
  expect((await of(one)).items).toMatchObject([{ kind: 'error', tone: 'bad', text: 'The quota {text} is used up' }])
  await app.db.deleteFrom('team_member').where('account_id', '=', one.id).execute()
  expect((await of(one)).items).toEqual([])
})
