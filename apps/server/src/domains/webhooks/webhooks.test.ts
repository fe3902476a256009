import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { builds } from '@gantry/contract/pipelines/builds'
import { mask } from '@gantry/contract/validators'
import { type WebhookInput, webhooks } from '@gantry/contract/webhooks/webhooks'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import { deliverDue } from './deliveries.service.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}
const received: Received[] = []
const answers = new Map<string, number>()
const secretAnswer = 'canary-answer'

const receiver = createServer((request, response) => {
  const path = request.url ?? ''
  void buffer(request).then((body) => {
    received.push({ path, headers: request.headers, body: body.toString() })
    response.writeHead(answers.get(path) ?? 204).end(secretAnswer)
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
afterAll(() => receiver.close())
const at = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`

const app = await testApp({ ports: { outbound: createOutbound({ allow: ['127.0.0.0/8'] }) } })
const guarded = await testApp({ beside: app, ports: { outbound: createOutbound() } })

let made = 0
const add = (input: Partial<WebhookInput> = {}, by = app.admin) => {
  const name = `webhook ${++made}`
  const body = { name, url: at(`/${made}`), secret: 'a secret', events: ['build.failed' as const], ...input }
  return by.call(webhooks.create, { body })
}

/** A team with a pipeline, and a function that ends its builds. */
async function builder() {
  const team = await app.team()
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  return {
    team,
    pipeline,
    build: async (state: 'success' | 'failed' | 'aborted') => {
      await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
      const [work] = (await agent.claim(1)).work
      if (!work) throw new Error('nothing was claimed')
      await agent.events(work, 1, [{ type: 'end', state, logs: [] }])
      await deliverDue(app.ctx())
    },
  }
}

const pathOf = ({ url }: { url: string }) => new URL(url).pathname
const eventsAt = (webhook: { url: string }) =>
  received.filter(({ path }) => path === pathOf(webhook)).map(({ headers }) => headers['webhook-event'])
const deliveriesOf = async ({ id }: { id: number }) =>
  (await app.admin.call(webhooks.deliveries, { params: { id } })).items

test('a message is signed as receivers verify it, and contains the build and a link to it', async () => {
  const { team, pipeline, build } = await builder()
  const webhook = await add({ teamId: team.id })
  await build('failed')
  const message = received.findLast(({ path }) => path === pathOf(webhook))
  if (!message) throw new Error('nothing was received')
  const { 'webhook-id': uuid, 'webhook-timestamp': time, 'webhook-signature': signature } = message.headers
  const expected = createHmac('sha256', 'a secret').update(`${String(uuid)}.${String(time)}.${message.body}`)
  expect(signature).toBe(`v1,${expected.digest('base64')}`)
  expect(JSON.parse(message.body)).toMatchObject({
    event: 'build.failed',
    team: { id: team.id, name: team.name },
    pipeline: { id: pipeline.id, name: pipeline.projectName },
    build: { number: 1, state: 'failed', url: expect.stringMatching(/\/history\/1\/info$/) },
  })
  expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'sent', status: 204, attempts: 1, uuid, problem: '' }])
})

test('a webhook gets the events that it names, of its own team or of all teams', async () => {
  const [one, other] = [await builder(), await builder()]
  const own = await add({ teamId: one.team.id, events: ['build.fixed', 'build.success', 'build.aborted'] })
  const all = await add({ events: ['build.failed'] })
  const off = await add({ enabled: false })
  await one.build('success')
  await one.build('failed')
  await one.build('success')
  await one.build('aborted')
  await other.build('failed')
  expect(eventsAt(own).toSorted()).toEqual(['build.aborted', 'build.fixed', 'build.success', 'build.success'])
  expect(eventsAt(all)).toEqual(['build.failed', 'build.failed'])
  expect(eventsAt(off)).toEqual([])
})

describe('a message that is not accepted', () => {
  const due = (id: number) =>
    app.db
      .updateTable('webhook_delivery')
      .set({ next_at: sql`now()` })
      .where('webhook_id', '=', id)
      .execute()

  test('is sent again with the same id at growing intervals, and only the status of the answer is kept', async () => {
    const { team, build } = await builder()
    const webhook = await add({ teamId: team.id })
    answers.set(pathOf(webhook), 503)
    await build('failed')
    const [first] = await deliveriesOf(webhook)
    expect(first).toMatchObject({ state: 'waiting', status: 503, attempts: 1, nextAt: expect.any(String) })
    expect(first?.problem).toContain('503')
    expect(JSON.stringify(first)).not.toContain(secretAnswer)
    await deliverDue(app.ctx())
    expect(eventsAt(webhook)).toHaveLength(1)
    answers.delete(pathOf(webhook))
    await due(webhook.id)
    await deliverDue(app.ctx())
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'sent', attempts: 2 }])
    const ids = received.filter(({ path }) => path === pathOf(webhook)).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids)).toEqual(new Set([first?.uuid]))
  })

  test('is given up after a day, and sent again on request', async () => {
    const { team, build } = await builder()
    const webhook = await add({ teamId: team.id })
    answers.set(pathOf(webhook), 500)
    await build('failed')
    await app.db
      .updateTable('webhook_delivery')
      .set({ since: sql`now() - interval '25 hours'`, next_at: sql`now()` })
      .where('webhook_id', '=', webhook.id)
      .execute()
    await deliverDue(app.ctx())
    const [given] = await deliveriesOf(webhook)
    expect(given).toMatchObject({ state: 'failed', nextAt: null })
    answers.delete(pathOf(webhook))
    const params = { id: webhook.id, deliveryId: given?.id ?? 0 }
    await app.admin.call(webhooks.redeliver, { params })
    await deliverDue(app.ctx())
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'sent', attempts: 1 }])
    const another = await add()
    await expect(app.admin.call(webhooks.redeliver, { params: { ...params, id: another.id } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('does not follow a redirect', async () => {
    const { team, build } = await builder()
    const webhook = await add({ teamId: team.id })
    answers.set(pathOf(webhook), 302)
    await build('failed')
    expect(await deliveriesOf(webhook)).toMatchObject([{ state: 'waiting', status: 302 }])
  })
})

describe('an address', () => {
  test('inside the network is refused when it is saved, and again when it is called', async () => {
    for (const url of ['http://127.0.0.1:5432/', 'http://169.254.169.254/latest', 'http://[::1]/', 'http://0x7f.1/'])
      await expect(add({ url }, guarded.admin)).rejects.toMatchObject({ key: 'outbound-refused' })
    const webhook = await add()
    await expect(
      guarded.admin.call(webhooks.update, {
        params: { id: webhook.id },
        body: { name: webhook.name, url: at('/inside'), secret: mask, events: webhook.events },
      }),
    ).rejects.toMatchObject({ key: 'outbound-refused' })
  })

  test('that changes does not keep the stored secret', async () => {
    const webhook = await add()
    expect(webhook.secret).toBe(mask)
    const { name, url, events } = webhook
    const save = (body: Partial<WebhookInput>) =>
      app.admin.call(webhooks.update, {
        params: { id: webhook.id },
        body: { name, url, events, secret: mask, ...body },
      })
    const stored = async () =>
      (await app.db.selectFrom('webhook').select('secret').where('id', '=', webhook.id).executeTakeFirstOrThrow())
        .secret
    const before = await stored()
    await save({ events: ['build.success'] })
    expect(await stored()).toBe(before)
    await expect(save({ url: at('/elsewhere') })).rejects.toMatchObject({ key: 'webhooks-secret-again' })
    await save({ url: at('/elsewhere'), secret: 'another' })
    expect(await stored()).not.toBe(before)
  })
})

test('a change based on an outdated revision, and a duplicate name, are refused', async () => {
  const webhook = await add()
  const { name, url, events } = webhook
  const body = { name, url, events, secret: mask, revision: webhook.revision }
  await app.admin.call(webhooks.update, { params: { id: webhook.id }, body })
  await expect(app.admin.call(webhooks.update, { params: { id: webhook.id }, body })).rejects.toMatchObject({
    key: 'webhooks-changed',
  })
  await expect(add({ name })).rejects.toMatchObject({ key: 'webhooks-name-taken' })
  await app.admin.call(webhooks.remove, { params: { id: webhook.id } })
  await expect(app.admin.call(webhooks.get, { params: { id: webhook.id } })).rejects.toMatchObject({ status: 404 })
})
