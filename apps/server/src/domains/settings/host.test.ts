import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { session } from '@gantry/contract/auth/session'
import { host } from '@gantry/contract/settings/host'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../test/test-app.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { publicUrl } from './public.ts'

const outbound = createOutbound({
  resolve: async (name) => {
    // all addresses of a changing name are checked, and only a checked one is connected to
    if (name === 'rebinding.test') return ['93.184.216.34', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    if (name === 'hanging.test') return new Promise(() => {})
    throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
  },
})
/** Like above, but with loopback allowed, so that a refusal is due to the answer and not the address. */
const open = createOutbound({ allow: ['127.0.0.0/8'] })
afterAll(() => Promise.all([outbound.close(), open.close()]))

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams', 'settings'], ports: { outbound } })
const inside = await testApp({ onlyDomains: ['auth', 'users', 'teams', 'settings'], ports: { outbound: open } })
const team = await app.team()

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close() && server.closeAllConnections()))
const listening = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const check = (url: string, by = app) => by.admin.call(host.checkUrl, { body: { url } })
const refused = { status: 400, key: 'outbound-refused' }

test.for([
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:127.0.0.1]/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'http://0.0.0.0/',
  'http://unknown.test/',
  'http://rebinding.test:1/',
])('%s is refused with the same text', async (url) => {
  await expect(check(url)).rejects.toMatchObject(refused)
})

test.for([
  'file:///etc/passwd',
  'gopher://127.0.0.1:70/',
  'ftp://example.test/',
  'http://user:pass@example.test/',
  'x',
  '',
])('%s is not checked', async (url) => {
  await expect(check(url)).rejects.toMatchObject({ status: 400 })
})

test('a redirect to this machine, an endless answer and a missing one are refused with the same text', async () => {
  const away = await listening((_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
  const endless = await listening((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  await expect(check(away, inside)).rejects.toMatchObject(refused)
  await expect(check(endless, inside)).rejects.toMatchObject(refused)
})

test('an unresolved name and a slow server end with the time limit', { timeout: 60_000 }, async () => {
  const dribbling = createTcpServer((socket) => {
    socket.on('error', () => {})
    const timer = setInterval(() => socket.write('H'), 500)
    socket.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((up) => dribbling.listen(0, '127.0.0.1', up))
  const { port } = dribbling.address() as AddressInfo
  const both = await Promise.allSettled([check(`http://127.0.0.1:${port}/`, inside), check('http://hanging.test/')])
  for (const one of both) expect(one).toMatchObject({ status: 'rejected', reason: refused })
  dribbling.close()
  await new Promise((gone) => connect(port, '127.0.0.1').on('error', gone))
})

test('a URL that answers is reachable', async () => {
  const url = await listening((_, response) => void response.writeHead(404).end('no'))
  expect(await check(url, inside)).toMatchObject({ reachable: true })
})

test('links use the configured address, or without one the address that the server listens on', async () => {
  const { effectiveUrl } = await app.admin.call(host.get)
  expect(effectiveUrl).toBe(`http://127.0.0.1:${app.config.port}`)
  const body = { publicUrl: 'https://gantry.example.test/', notice: ' Maintenance on Sunday ' }
  expect(await app.admin.call(host.set, { body })).toEqual({
    publicUrl: 'https://gantry.example.test',
    notice: 'Maintenance on Sunday',
  })
  expect(await app.admin.call(host.get)).toMatchObject({ effectiveUrl: 'https://gantry.example.test' })
  expect(await publicUrl(app.ctx())).toBe('https://gantry.example.test')
})

test('the login page shows the notice before anyone has signed in', async () => {
  await app.admin.call(host.set, { body: { publicUrl: '', notice: '<b>计划维护</b>' } })
  expect(await app.anonymous.call(session.options)).toMatchObject({ notice: '<b>计划维护</b>' })
})

test('only administrators use the host settings and the check of a URL', async () => {
  const body = { publicUrl: '', notice: '' }
  await expect(team.leader.call(host.get)).rejects.toMatchObject({ status: 403 })
  await expect(team.leader.call(host.set, { body })).rejects.toMatchObject({ status: 403, key: 'admin-only' })
  await expect(team.leader.call(host.checkUrl, { body: { url: 'http://x.test' } })).rejects.toMatchObject({
    status: 403,
  })
  for (const wrong of [{ publicUrl: 'javascript:alert(1)' }, { publicUrl: 'x' }, { notice: 'x'.repeat(501) }])
    await expect(app.admin.call(host.set, { body: { ...body, ...wrong } })).rejects.toMatchObject({ status: 400 })
})
