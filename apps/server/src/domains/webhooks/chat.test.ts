import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { alarmChannels } from '@gantry/contract/alarms/channels'
import { audit } from '@gantry/contract/audit/audit'
import { builds } from '@gantry/contract/pipelines/builds'
import { mask } from '@gantry/contract/validators'
import { type WebhookInput, webhooks } from '@gantry/contract/webhooks/webhooks'
import { afterAll, expect, test } from 'vitest'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import { deliverDue } from './deliveries.service.ts'

const received: { path: string; query: URLSearchParams; body: unknown }[] = []
const answers = new Map<string, { status: number; text: string }>()
const taken: Record<string, string> = {
  dingtalk: '{"errcode":0,"errmsg":"ok"}',
  wecom: '{"errcode":0,"errmsg":"ok"}',
  feishu: '{"code":0,"msg":"success","data":{}}',
  slack: 'ok',
}
const chat = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://chat')
  void buffer(request).then((body) => {
    received.push({ path: url.pathname, query: url.searchParams, body: JSON.parse(body.toString()) })
    const answer = answers.get(url.pathname) ?? { status: 200, text: taken[url.pathname.split('/')[1] ?? ''] ?? '' }
    response.writeHead(answer.status).end(answer.text)
  })
}).listen(0, '127.0.0.1')
await once(chat, 'listening')
afterAll(() => chat.close())
const origin = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`

const app = await testApp({ ports: { outbound: createOutbound({ allow: ['127.0.0.0/8'] }) } })

let made = 0
type Kind = 'dingtalk' | 'wecom' | 'feishu' | 'slack'
async function add(kind: Kind, more: Partial<WebhookInput> = {}) {
  const path = `/${kind}/${++made}`
  const body = { name: `chat ${made}`, kind, url: `${origin}${path}?access_token=canary-token`, secret: '', ...more }
  const webhook = await app.admin.call(webhooks.create, { body: { events: ['build.failed' as const], ...body } })
  return { ...webhook, path }
}
const at = (path: string) => received.filter((one) => one.path === path)
const deliveriesOf = async (id: number) => (await app.admin.call(webhooks.deliveries, { params: { id } })).items
async function tested(id: number) {
  await app.admin.call(webhooks.test, { params: { id } })
  await deliverDue(app.ctx())
  return (await deliveriesOf(id))[0]
}

test('a failed build is sent to each chat in its own format and language, with a link', async () => {
  const team = await app.team()
  const pipeline = await testPipeline(app, team)
  const all = await Promise.all(
    (['dingtalk', 'wecom', 'feishu', 'slack'] as const).map((kind) => add(kind, { teamId: team.id, language: 'zh' })),
  )
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  await agent.events(work, 1, [{ type: 'end', state: 'failed', logs: [] }])
  const seen = (await app.db.selectFrom('outbox').select('seq').where('topic', '=', 'webhook-deliveries').execute())
    .length
  await deliverDue(app.ctx())
  // pages with the deliveries are notified of each result
  const published = await app.db.selectFrom('outbox').select('seq').where('topic', '=', 'webhook-deliveries').execute()
  expect(published).toHaveLength(seen + all.length)
  const text = `${pipeline.projectName} #1 构建失败`
  const link = expect.stringMatching(/history\/1\/info/) as string
  const [dingtalk, wecom, feishu, slack] = all.map(({ path }) => at(path)[0]?.body as never)
  expect(dingtalk).toEqual({ msgtype: 'markdown', markdown: { title: text, text: link } })
  expect(wecom).toEqual({ msgtype: 'markdown', markdown: { content: link } })
  expect(feishu).toEqual({ msg_type: 'text', content: { text: link } })
  expect(slack).toEqual({ text: link })
  for (const body of [dingtalk, wecom, feishu, slack]) expect(JSON.stringify(body)).toContain(text)
  for (const { id } of all) expect(await deliveriesOf(id)).toMatchObject([{ state: 'sent', status: 200 }])
})

test('DingTalk and Feishu are signed with the secret', async () => {
  const [dingtalk, feishu] = [await add('dingtalk', { secret: 'SEC1' }), await add('feishu', { secret: 'SEC2' })]
  expect(await tested(dingtalk.id)).toMatchObject({ event: 'test', state: 'sent' })
  expect(await tested(feishu.id)).toMatchObject({ event: 'test', state: 'sent' })
  const { query } = at(dingtalk.path)[0] ?? {}
  const time = query?.get('timestamp') ?? ''
  expect(query?.get('access_token')).toBe('canary-token')
  expect(query?.get('sign')).toBe(createHmac('sha256', 'SEC1').update(`${time}\nSEC1`).digest('base64'))
  const [message] = at(feishu.path)
  const { timestamp, sign } = (message?.body ?? {}) as Record<string, unknown>
  expect(sign).toBe(
    createHmac('sha256', `${String(timestamp)}\nSEC2`)
      .update('')
      .digest('base64'),
  )
})

test.each<[Kind, number, string, string]>([
  ['dingtalk', 200, '{"errcode":310000,"errmsg":"sign not match"}', 'sign not match (code 310000)'],
  ['wecom', 200, '{"errcode":93000,"errmsg":"invalid webhook url"}', 'invalid webhook url (code 93000)'],
  ['feishu', 200, '{"code":19021,"msg":"sign match fail"}', 'sign match fail (code 19021)'],
  ['slack', 404, 'no_service', 'no_service (code 404)'],
  ['slack', 200, '<html>canary-page</html>', 'answered with status 200'],
  ['wecom', 502, 'canary-page', 'answered with status 502'],
])('the answer of %s with %i %s is a failure, with its own message', async (kind, status, text, problem) => {
  const webhook = await add(kind)
  answers.set(webhook.path, { status, text })
  const delivery = await tested(webhook.id)
  expect(delivery).toMatchObject({ state: 'waiting', status, attempts: 1 })
  expect(delivery?.problem).toContain(problem)
  expect(JSON.stringify(delivery)).not.toContain('canary-page')
})

test('the address of a chat is shown as its host only, kept when that is saved, and in no audit row', async () => {
  const webhook = await add('wecom')
  expect(webhook.url).toBe(`${origin}/${mask}`)
  const { name, url, events, secret, kind } = webhook
  const save = (body: Partial<WebhookInput>) =>
    app.admin.call(webhooks.update, {
      params: { id: webhook.id },
      body: { name, kind, url, events, secret, ...body },
    })
  await save({ language: 'zh' })
  expect(await tested(webhook.id)).toMatchObject({ state: 'sent' })
  expect(at(webhook.path)[0]?.query.get('access_token')).toBe('canary-token')
  await expect(save({ kind: 'feishu' })).rejects.toMatchObject({ key: 'webhooks-address-again' })
  const rows = await app.admin.call(audit.search, { query: { pageSize: -1 } })
  const details = await Promise.all(
    rows.items.slice(0, 20).map(({ id }) => app.admin.call(audit.get, { params: { id } })),
  )
  expect(JSON.stringify(details)).not.toContain('canary-token')
})

test('a team’s alarms can be sent to a chat too', async () => {
  const team = await app.team()
  const body = { name: 'group', kind: 'dingtalk' as const, url: `${origin}/dingtalk/alarms?access_token=x` }
  const channel = await team.leader.call(alarmChannels.save, { params: { team_id: team.id }, body })
  expect(channel.url).toBe(`${origin}/${mask}`)
  await team.leader.call(alarmChannels.test, { params: { team_id: team.id, ID: channel.id } })
  await deliverDue(app.ctx())
  expect(JSON.stringify(at('/dingtalk/alarms'))).toContain('group')
  const { items } = await team.leader.call(alarmChannels.list, { params: { id: team.id }, query: {} })
  expect(items).toMatchObject([{ kind: 'dingtalk', last: { state: 'sent' } }])
})
