import { createHmac } from 'node:crypto'
import { alarmChannels } from '@gantry/contract/alarms/channels'
import { alarmRules } from '@gantry/contract/alarms/rules'
import { alarmTemplates } from '@gantry/contract/alarms/templates'
import { setRevision } from '@gantry/contract/revision'
import { search } from '@gantry/contract/search/search'
import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import { jsonb } from '../../../db/json.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'
import { fakePorts } from '../../../../test/fake-ports.ts'
import { deliverDue } from '../../webhooks/deliveries.service.ts'

const received: { url: string; headers: Record<string, string>; body: string }[] = []
const app = await testApp({
  ports: {
    outbound: {
      ...fakePorts().outbound,
      admit: async () => undefined,
      request: async (request: { url: string; headers?: Record<string, string>; body?: unknown }) => {
        received.push({ url: request.url, headers: request.headers ?? {}, body: String(request.body) })
        return { status: 204, headers: {}, body: { destroy: () => undefined } } as never
      },
    } as never,
  },
})

const condition = {
  metric: 'cpu_percent' as const,
  operator: '>' as const,
  threshold: 80,
  for: 5,
  severity: 'warning' as const,
}

async function scene() {
  const team = await app.team()
  const { uuid: environment } = await app.db
    .insertInto('environment')
    .values({ name: `of-${team.name}`, server: 'https://127.0.0.1:1', address: 'x' })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const stack = await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment, name: 'shop', namespace: team.name, actor: 'a', state: 'running' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const service = await app.db
    .insertInto('service')
    .values({ stack_id: stack.id, name: 'web', state: 'stable', spec: jsonb({}), actor: 'a' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const params = { team_id: team.id }
  return {
    team,
    params,
    stack,
    service,
    list: { id: team.id },
    at: { t: team.id, e: environment, s: stack.uuid, svc: service.id },
    create: (body: object) =>
      team.leader.call(alarmRules.create, { params, body: { name: 'busy', rules: [condition], ...body } }),
  }
}

test('a rule is listed with what it watches and whom it notifies, and is found, changed and deleted by name', async () => {
  const s = await scene()
  const channel = await s.team.leader.call(alarmChannels.save, {
    params: s.params,
    body: { name: 'all', kind: 'push', members: true },
  })
  const rule = await s.create({
    name: 'busy / 100 %',
    maps: [{ resource: 'service', id: s.service.id }],
    channels: [channel.id],
  })
  expect(rule).toMatchObject({
    state: 'idle',
    repeatHours: 4,
    maps: [{ resource: 'service', name: 'web', stackName: 'shop' }],
    channels: [{ name: 'all', kind: 'push' }],
    conditions: [condition],
  })
  await s.create({ name: 'another', enabled: false })
  const list = async (query: object) =>
    (await s.team.leader.call(alarmRules.list, { params: s.list, query })).items.map(({ name }) => name)
  expect(await list({})).toEqual(['busy / 100 %', 'another'])
  expect(await list({ sort: 'name' })).toEqual(['another', 'busy / 100 %'])
  expect(await list({ state: 'off' })).toEqual(['another'])
  expect(await list({ keyword: '100 %' })).toEqual(['busy / 100 %'])
  const { items } = await s.team.leader.call(search.find, { query: { keyword: 'busy' } })
  expect(items).toMatchObject([{ kind: 'alarm-rule', name: 'busy / 100 %', place: { id: rule.id } }])
  const body = { id: rule.id, name: rule.name, rules: [condition], repeatHours: 0, revision: rule.revision }
  expect(await s.team.leader.call(alarmRules.update, { body })).toMatchObject({ repeatHours: 0, revision: 2, maps: [] })
  await expect(s.team.leader.call(alarmRules.update, { body })).rejects.toMatchObject({ key: 'alarms-changed' })
  await expect(s.create({ name: rule.name })).rejects.toMatchObject({ key: 'alarms-name-taken' })
  await s.team.leader.call(alarmRules.remove, { params: { ...s.params, name: rule.name } })
  expect(await list({})).toEqual(['another'])
})

test('a saved rule is evaluated within seconds, once however many are saved together', async () => {
  const s = await scene()
  await Promise.all(['one', 'two', 'three'].map((name) => s.create({ name })))
  const { rows } = await app.database.pool.query("select state from pgboss.job where name = 'alarms-evaluate'")
  expect(rows).toEqual([{ state: 'created' }])
})

test('objects and users of another team are refused in a rule or notification method', async () => {
  const [s, theirs] = [await scene(), await scene()]
  await expect(s.create({ maps: [{ resource: 'stack', id: theirs.stack.id }] })).rejects.toMatchObject({
    key: 'alarms-resource-gone',
  })
  const channel = await theirs.team.leader.call(alarmChannels.save, {
    params: theirs.params,
    body: { name: 'all', kind: 'push', members: true },
  })
  await expect(s.create({ channels: [channel.id] })).rejects.toMatchObject({ key: 'alarms-channel-gone' })
  const template = await theirs.team.leader.call(alarmTemplates.save, {
    params: theirs.params,
    body: { name: 't', rules: [condition] },
  })
  await expect(s.create({ templateId: template.id })).rejects.toMatchObject({ key: 'alarms-template-gone' })
  await expect(
    s.team.leader.call(alarmChannels.save, {
      params: s.params,
      body: { name: 'x', kind: 'push', users: [theirs.team.leader.id] },
    }),
  ).rejects.toMatchObject({ key: 'alarms-channel-strangers' })
  const rule = await theirs.create({})
  await expect(
    s.team.leader.call(alarmRules.bindService, { params: s.at, body: { maps: [rule.id] } }),
  ).rejects.toMatchObject({ key: 'alarms-rule-gone' })
  await expect(
    s.team.leader.call(alarmRules.ofService, { params: { ...theirs.at, t: s.team.id } }),
  ).rejects.toMatchObject({
    status: 404,
  })
})

test('the rules of a service are set on the service, apart from those of its stack', async () => {
  const s = await scene()
  const [one, two] = [await s.create({}), await s.create({ name: 'two' })]
  await s.create({ name: 'whole', maps: [{ resource: 'stack', id: s.stack.id }] })
  const of = async () =>
    (await s.team.leader.call(alarmRules.ofService, { params: s.at })).map(({ name, via }) => `${name} ${via}`)
  await s.team.leader.call(alarmRules.bindService, { params: s.at, body: { maps: [one.id, two.id] } })
  expect(await of()).toEqual(['busy service', 'two service', 'whole stack'])
  await s.team.leader.call(alarmRules.unbindService, { params: { ...s.at, ruleId: one.id } })
  expect(await of()).toEqual(['two service', 'whole stack'])
  await expect(
    s.team.leader.call(alarmRules.unbindService, { params: { ...s.at, ruleId: one.id } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('the rules of a service are replaced only if they are still those that the caller read', async () => {
  const s = await scene()
  const [one, two] = [(await s.create({})).id, (await s.create({ name: 'two' })).id]
  const set = (maps: number[], revision?: string) =>
    s.team.leader.call(alarmRules.bindService, { params: s.at, body: { maps, revision } })
  const bound = async () =>
    (await s.team.leader.call(alarmRules.ofService, { params: s.at })).map(({ ruleId }) => ruleId)
  await set([one], setRevision([]))
  expect(await refusalOf(set([two], setRevision([])))).toMatchObject({ status: 409, key: 'edit-on-older' })
  expect(await bound()).toEqual([one])
  await set([one, two], setRevision([one]))
  await set([two])
  expect(await bound()).toEqual([two])
})

test('a rule’s revision covers what it watches, set on the rule or on the service', async () => {
  const s = await scene()
  const { id, revision } = await s.create({})
  const other = await s.create({ name: 'other' })
  const params = { alert_id: id }
  const read = () => s.team.leader.call(alarmRules.get, { params })
  const bind = (service: boolean, on?: number) => {
    const maps = service ? [{ resource: 'service' as const, id: s.service.id }] : []
    return s.team.leader.call(alarmRules.bind, { params, body: { maps, revision: on } })
  }
  const bound = await bind(true, revision)
  expect(await refusalOf(bind(false, revision))).toMatchObject({ status: 409, key: 'alarms-changed' })
  expect(await read()).toMatchObject({ revision: bound.revision, maps: [{ name: 'web' }] })

  await s.team.leader.call(alarmRules.unbindService, { params: { ...s.at, ruleId: id } })
  const body = { id, name: 'busy', rules: [condition], revision: bound.revision }
  expect(await refusalOf(s.team.leader.call(alarmRules.update, { body }))).toMatchObject({ key: 'alarms-changed' })
  const unbound = (await read()).revision
  await s.team.leader.call(alarmRules.bindService, { params: s.at, body: { maps: [id] } })
  expect(await refusalOf(bind(false, unbound))).toMatchObject({ key: 'alarms-changed' })
  await bind(false)
  expect(await read()).toMatchObject({ maps: [] })
  expect(await s.team.leader.call(alarmRules.get, { params: { alert_id: other.id } })).toEqual(other)
})

test('a template gives conditions to its rules, and cannot be deleted while a rule uses it', async () => {
  const s = await scene()
  const save = (body: object) =>
    s.team.leader.call(alarmTemplates.save, { params: s.params, body: { name: 'usual', rules: [condition], ...body } })
  const template = await save({})
  const rule = await s.create({ rules: [{ ...condition, threshold: 95 }], templateId: template.id })
  expect(rule.conditions.map(({ threshold }) => threshold)).toEqual([95, 80])
  await save({ id: template.id, rules: [{ ...condition, threshold: 60 }] })
  const { items } = await s.team.leader.call(alarmRules.list, { params: s.list })
  expect(items[0]?.conditions.map(({ threshold }) => threshold)).toEqual([95, 60])
  const remove = () => s.team.leader.call(alarmTemplates.remove, { params: { ...s.params, ID: template.id } })
  await expect(remove()).rejects.toMatchObject({ key: 'alarms-template-in-use' })
  await s.team.leader.call(alarmRules.remove, { params: { ...s.params, name: rule.name } })
  await remove()
  await expect(s.create({ rules: [] })).rejects.toMatchObject({ status: 400 })
})

test('a notification method that an enabled rule uses is not deleted; a disabled rule loses it', async () => {
  const s = await scene()
  const channel = await s.team.leader.call(alarmChannels.save, {
    params: s.params,
    body: { name: 'mail', kind: 'mail', addresses: ['on-call@example.com'], language: 'zh' },
  })
  const rule = await s.create({ channels: [channel.id] })
  const remove = () => s.team.leader.call(alarmChannels.remove, { params: { ...s.params, ID: channel.id } })
  await expect(remove()).rejects.toMatchObject({ key: 'alarms-channel-in-use' })
  const body = { id: rule.id, name: rule.name, rules: [condition], channels: [channel.id], enabled: false }
  await s.team.leader.call(alarmRules.update, { body })
  await remove()
  expect(await s.team.leader.call(alarmRules.get, { params: { alert_id: rule.id } })).toMatchObject({ channels: [] })
})

test('a webhook test is signed like an alarm, and a stored secret does not go to another address', async () => {
  const s = await scene()
  const save = (body: object) =>
    s.team.leader.call(alarmChannels.save, {
      params: s.params,
      body: {
        name: 'chat',
        kind: 'webhook',
        url: 'http://hook.example/a',
        secret: 'a secret',
        language: 'zh',
        ...body,
      },
    })
  const channel = await save({})
  expect(channel).toMatchObject({ secret: mask, last: null })
  const params = { ...s.params, ID: channel.id }
  expect(await s.team.leader.call(alarmChannels.test, { params })).toEqual({ told: 1 })
  await deliverDue(app.ctx())
  const [message] = received
  const {
    'webhook-id': uuid = '',
    'webhook-timestamp': time = '',
    'webhook-signature': signature,
  } = message?.headers ?? {}
  const expected = createHmac('sha256', 'a secret').update(`${uuid}.${time}.${message?.body}`).digest('base64')
  expect(signature).toBe(`v1,${expected}`)
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    event: 'alarm.test',
    text: expect.stringContaining('测试消息'),
    team: { id: s.team.id },
  })
  const { items } = await s.team.leader.call(alarmChannels.list, { params: s.list })
  expect(items).toMatchObject([{ name: 'chat', last: { state: 'sent', problem: '' } }])
  await expect(save({ id: channel.id, url: 'http://hook.example/b', secret: mask })).rejects.toMatchObject({
    key: 'webhooks-secret-again',
  })
  await save({ id: channel.id, secret: mask, language: 'en' })
})

test('a mail goes once to each member in their language, and once to each address in that of the method', async () => {
  const s = await scene()
  const value = {
    enabled: true,
    host: 'smtp.example',
    port: 587,
    security: 'starttls',
    userName: '',
    password: null,
    from: 'gantry@example.test',
    fromName: '',
    lang: 'en',
  }
  await app.db
    .insertInto('setting')
    .values({ name: 'mail', value: jsonb(value) })
    .execute()
  await app.db
    .updateTable('account')
    .set({ email: 'lead@example.com', setting: jsonb({ lang: 'en' }) })
    .where('id', '=', s.team.leader.id)
    .execute()
  const channel = await s.team.leader.call(alarmChannels.save, {
    params: s.params,
    body: { name: 'mail', kind: 'mail', members: true, addresses: ['ops@example.com'], language: 'zh' },
  })
  await s.team.leader.call(alarmChannels.test, { params: { ...s.params, ID: channel.id } })
  const mails = await app.db.selectFrom('mail_outbox').select(['recipient', 'subject', 'text']).orderBy('id').execute()
  expect(mails.filter(({ subject }) => /mail/.test(subject))).toMatchObject([
    { recipient: 'lead@example.com', subject: expect.stringContaining('Test of the notification method mail') },
    { recipient: 'ops@example.com', subject: expect.stringContaining('通知方式 mail 的测试消息') },
  ])
  expect(mails[0]?.text).toContain(`/teams/${s.team.id}/rule`)
  await app.db.deleteFrom('setting').where('name', '=', 'mail').execute()
})

test('a notification method that would reach nobody says so when it is tested', async () => {
  const s = await scene()
  const member = await s.team.member()
  const channel = await s.team.leader.call(alarmChannels.save, {
    params: s.params,
    body: { name: 'one', kind: 'push', users: [member.id] },
  })
  await expect(
    s.team.leader.call(alarmChannels.test, { params: { ...s.params, ID: channel.id } }),
  ).rejects.toMatchObject({ key: 'alarms-channel-empty' })
})
