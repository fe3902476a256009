import { tracingSources } from '@gantry/contract/tracing/sources'
import { traces } from '@gantry/contract/tracing/traces'
import { mask } from '@gantry/contract/validators'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { simulatedTracing } from '../../../../test/simulated-tracing.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'
import { tracedCluster } from '../../../../test/traced-cluster.ts'
import { createJaeger } from '../../../adapters/jaeger/jaeger.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'

const { app, env, mine, connect } = await tracedCluster()
const [server, other] = [await simulatedTracing(), await simulatedTracing()]
afterAll(() => {
  server.close()
  other.close()
})
beforeEach(() => {
  server.authorization = ''
  server.sessionFor = ''
  server.instead = undefined
  other.asked.length = 0
})
const read = (kind: 'jaeger' | 'kiali') => app.admin.call(tracingSources.get, { params: { env, kind } })
const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

test('a Jaeger is called before it is saved, and its password is encrypted, masked, and seen only by administrators', async () => {
  const { url } = server
  server.authorization = basic('ann', 'first-secret')
  await expect(connect('jaeger', { url, username: 'ann', password: 'wrong' })).rejects.toMatchObject({
    status: 502,
    key: 'tracing-credentials',
  })
  expect(await read('jaeger')).toMatchObject({ url: '' })
  const saved = await connect('jaeger', { url, username: 'ann', password: 'first-secret' })
  expect(saved).toMatchObject({ url, username: 'ann', password: mask, token: '', cluster: '', version: '' })
  const rows = await app.db.selectFrom('tracing_source').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('first-secret')
  const denied = mine.team.leader.call(tracingSources.get, { params: { env, kind: 'jaeger' } })
  await expect(denied).rejects.toMatchObject({ status: 403 })

  // the mask stands for it only with this server and user
  await connect('jaeger', { url: `${url}/`, username: 'ann', password: mask, cluster: 'east' })
  for (const elsewhere of [{ url: other.url }, { username: 'bob' }])
    await expect(connect('jaeger', { url, username: 'ann', password: mask, ...elsewhere })).rejects.toMatchObject({
      key: 'monitoring-secret-again',
    })
  expect(other.asked).toEqual([])
  expect(await read('jaeger')).toMatchObject({ username: 'ann', cluster: 'east' })
  await connect('jaeger', { url: other.url, username: 'ann' })
  expect(other.asked.map(({ authorization }) => authorization)).toEqual([basic('ann', '')])
  expect(await connect('jaeger', {})).toMatchObject({
    url: '',
    username: '',
    password: '',
    token: '',
    cluster: '',
    version: '',
  })
  expect(await mine.team.leader.call(traces.list, { params: mine.params })).toMatchObject({ unset: true, items: [] })
})

describe('a Kiali', () => {
  test('reports its version, and is logged in to if its own login requires it', async () => {
    server.sessionFor = 'kiali-secret-token'
    await expect(connect('kiali', { url: server.url, token: 'wrong-token' })).rejects.toMatchObject({
      key: 'tracing-credentials',
    })
    await expect(connect('kiali', { url: server.url })).rejects.toMatchObject({ key: 'tracing-credentials' })
    const saved = await connect('kiali', { url: server.url, token: 'kiali-secret-token' })
    expect(saved).toMatchObject({ version: 'v1.89.0', token: mask })
  })

  test('behind a proxy gets the token itself', async () => {
    server.authorization = 'Bearer proxy-token'
    expect(await connect('kiali', { url: server.url, token: 'proxy-token' })).toMatchObject({ token: mask })
  })
})

test.each([
  [{ status: 403, body: '' }, 'tracing-forbidden'],
  [{ status: 404, body: '' }, 'tracing-not-one'],
  [{ status: 500, body: 'a stack trace' }, 'tracing-error'],
  [{ status: 302, body: '' }, 'outbound-redirect'],
  [{ status: 200, body: '<html>' }, 'outbound-not-json'],
  [{ status: 200, body: '{"data":[1]}' }, 'outbound-not-json'],
])('a server that is no Jaeger is refused with the reason: %j', async (instead, key) => {
  server.instead = instead
  await expect(connect('jaeger', { url: server.url })).rejects.toMatchObject({ key })
})

test('invalid settings are refused at their field', async () => {
  const wrong: [object, string][] = [
    [{ url: 'ftp://x' }, 'url'],
    [{ url: 'http://a:b@x/' }, 'url'],
    [{ url: 'http://x', username: 'ann', token: 't' }, 'token'],
    [{ url: 'http://x', token: 'a\r\nX-Evil: 1' }, 'token'],
    [{ url: 'http://x', username: 'a:b' }, 'username'],
  ]
  for (const [body, field] of wrong)
    expect((await refusalOf(connect('jaeger', body))).problems).toMatchObject([
      { path: expect.stringContaining(field) },
    ])
})

test('a loopback address is refused unless it is allowed', async () => {
  const outbound = createOutbound()
  const guarded = await testApp({ beside: app, ports: { jaeger: createJaeger(outbound) } })
  const body = { url: server.url }
  await expect(guarded.admin.call(tracingSources.set, { params: { env, kind: 'jaeger' }, body })).rejects.toMatchObject(
    { key: 'outbound-refused' },
  )
  await outbound.close()
})
