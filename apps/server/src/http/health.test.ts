import { expect, test } from 'vitest'
import { testApp } from '../../test/test-app.ts'

test('an unreachable database ends readiness, but not liveness', async () => {
  const app = await testApp({ onlyDomains: [] })
  const get = (url: string) => app.anonymous.raw({ method: 'GET', url })
  expect([(await get('/livez')).statusCode, (await get('/readyz')).statusCode]).toEqual([200, 200])
  await app.database.pool.end()
  await expect.poll(async () => (await get('/readyz')).statusCode).toBe(503)
  expect((await get('/readyz')).json()).toEqual({ status: 'database-away' })
  expect((await get('/livez')).statusCode).toBe(200)
  app.server.draining.abort()
  expect((await get('/readyz')).json()).toEqual({ status: 'draining' })
})

test('metrics are open on loopback, and elsewhere require the token', async () => {
  const local = await testApp({ onlyDomains: [] })
  const open = await local.anonymous.raw({ method: 'GET', url: '/metrics' })
  expect(open.body).toContain('gantry_event_loop_blocked_seconds')
  const guarded = await testApp({ onlyDomains: [], config: { host: '0.0.0.0', metricsToken: 'a-token-for-metrics' } })
  const get = (headers: Record<string, string>) => guarded.anonymous.raw({ method: 'GET', url: '/metrics', headers })
  expect((await get({})).statusCode).toBe(401)
  expect((await get({ authorization: 'Bearer wrong' })).statusCode).toBe(401)
  expect((await get({ authorization: 'Bearer a-token-for-metrics' })).statusCode).toBe(200)
  const closed = await testApp({ onlyDomains: [], config: { host: '0.0.0.0' } })
  expect((await closed.anonymous.raw({ method: 'GET', url: '/metrics' })).statusCode).toBe(401)
})
