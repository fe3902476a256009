import { connect, type Socket } from 'node:net'
import { endpoint } from '@gantry/contract/endpoint'
import { eventually } from '@gantry/waiting/eventually'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { samples, sampleCalls } from '../../test/samples.ts'
import { socketClient } from '../../test/socket-client.ts'
import { type TestApp, testApp } from '../../test/test-app.ts'
import { openLog } from '../kernel/log.ts'

const small = endpoint({
  method: 'POST',
  path: '/api/sample/small',
  access: 'public',
  audit: 'sample.small',
  summary: 'Counts the bytes of a small upload',
  upload: 64 * 1024,
  data: z.number(),
  topics: [],
})
const waiting = endpoint({
  method: 'GET',
  path: '/api/sample/held',
  access: 'user',
  summary: 'Answers when it is let',
  data: z.null(),
})
let running = 0
const gate = Promise.withResolvers<void>()

const lines: string[] = []
const more: typeof sampleCalls = {
  ...sampleCalls,
  endpoints: [...sampleCalls.endpoints, small, waiting],
  routes: (route) => {
    sampleCalls.routes(route)
    route(small, async (_ctx, { upload }) => {
      let size = 0
      for await (const chunk of upload) size += (chunk as Buffer).length
      return size
    })
    route(waiting, async () => {
      running += 1
      await gate.promise
      return null
    })
  },
}
const log = openLog('info', (line) => lines.push(line))
const app = await testApp({ onlyDomains: [], more, log })
const limited = await testApp({ onlyDomains: [], more, config: { rateLimit: true } })
const ports = new Map<TestApp, number>()
for (const one of [app, limited]) ports.set(one, Number(new URL((await socketClient(one)).origin).port))

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Starts calls whose bodies never arrive completely; resolves once the server has received all their heads. */
async function beginBodies(to: TestApp, count: number, path: string): Promise<Socket[]> {
  let begun = 0
  const onRequest = () => void (begun += 1)
  to.fastify.server.on('request', onRequest)
  const own = Array.from({ length: count }, () => {
    const socket = connect(ports.get(to) ?? 0, '127.0.0.1').on('error', () => undefined)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{`)
    return socket
  })
  sockets.push(...own)
  await eventually(() => expect(begun).toBe(count))
  to.fastify.server.off('request', onRequest)
  return own
}

describe('bodies that do not arrive', () => {
  test.for([samples.echo.path, small.path])('500 unfinished calls of %s delay no other call', async (path) => {
    await beginBodies(app, 500, path)
    expect((await app.admin.request(samples.whoami)).statusCode).toBe(200)
    expect((await app.anonymous.request(samples.echo, { body: { name: 'a' } })).statusCode).toBe(200)
  })

  test('are cut off, and none is logged as a failed call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const own = [...(await beginBodies(app, 1, samples.echo.path)), ...(await beginBodies(app, 1, small.path))]
      const closed = own.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      await vi.advanceTimersByTimeAsync(30_001)
      await Promise.all(closed)
    } finally {
      vi.useRealTimers()
    }
    expect((await app.admin.request(samples.whoami)).statusCode).toBe(200)
    expect(lines.filter((line) => line.includes('a call failed'))).toEqual([])
  })

  test('are limited to 30 per address; a known user is counted separately', async () => {
    const [first] = await beginBodies(limited, 30, small.path)
    const call = () => limited.anonymous.raw({ method: 'POST', url: small.path, payload: 'a' })
    expect((await call()).statusCode).toBe(429)
    expect((await limited.admin.raw({ method: 'POST', url: small.path, payload: 'a' })).statusCode).toBe(200)
    first?.destroy()
    await eventually(async () => expect((await call()).statusCode).toBe(200))
  })

  test('do not keep a small body of the same address out, however many they are', async () => {
    await beginBodies(limited, 30, small.path)
    // one more than the larger bodies that may arrive at once from an address
    await beginBodies(limited, 31, samples.login.path)
    const login = await limited.anonymous.request(samples.login, { body: { userName: 'a', password: 'b' } })
    expect(login.statusCode).toBe(200)
  })
})

test('a small upload is complete when its handler runs', async () => {
  const answer = await app.anonymous.raw({ method: 'POST', url: small.path, payload: 'a'.repeat(1_000) })
  expect(answer.json()).toMatchObject({ data: 1_000 })
  const large = await app.anonymous.raw({ method: 'POST', url: small.path, payload: 'a'.repeat(64 * 1024 + 1) })
  expect(large.statusCode).toBe(413)
})

test('30 calls of one user run at a time, and calls of others do not wait', async () => {
  const [one, other] = [await app.user(), await app.user()]
  const many = Array.from({ length: 50 }, () => one.request(waiting))
  await eventually(() => expect(running).toBe(30))
  expect((await other.request(samples.whoami)).statusCode).toBe(200)
  expect(running).toBe(30)
  gate.resolve()
  expect(new Set((await Promise.all(many)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(running).toBe(50)
})

describe('a visitor who is rate-limited', () => {
  test.for([
    ['an audited call', samples.bodiless],
    ['a call of agents', samples.agent],
  ] as const)('leaves no further audit rows by %s', async ([, call]) => {
    const rows = async () => {
      const { count } = await limited.db
        .selectFrom('audit_log')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('action', '=', call.audit ?? '')
        .executeTakeFirstOrThrow()
      return Number(count)
    }
    const requests = Array.from({ length: 400 }, () => limited.anonymous.request(call))
    const answers = (await Promise.all(requests)).map(({ statusCode }) => statusCode)
    expect(answers).toContain(429)
    expect(await rows()).toBe(answers.filter((status) => status !== 429).length)
  })
})
