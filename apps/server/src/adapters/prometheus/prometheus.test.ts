import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { apiUrl, createPrometheus } from './prometheus.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let answer: Answer
let requests = 0
const server = createServer((request, response) => {
  requests++
  answer(request, response)
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const { port } = server.address() as AddressInfo
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await outbound.close()
})

const send =
  (status: number, body: unknown): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const vector = { status: 'success', data: { resultType: 'vector', result: [{ metric: {}, value: [1, '7'] }] } }
const matrix = (result: unknown) => ({ status: 'success', data: { resultType: 'matrix', result } })

const access = (more: object = {}) => ({
  url: `http://127.0.0.1:${port}/`,
  username: '',
  password: '',
  token: '',
  ...more,
})
const range = { query: 'up', start: 0, end: 60_000, stepSeconds: 15, limit: 51 }

let clock = 0
let prometheus = createPrometheus(outbound, () => clock)
beforeEach(() => {
  requests = 0
  clock = 0
  prometheus = createPrometheus(outbound, () => clock)
})

test('credentials that it echoes are masked', async () => {
  answer = (request, response) => {
    const { authorization = '' } = request.headers
    const plain = Buffer.from(authorization.slice(6), 'base64').toString()
    send(422, { status: 'error', errorType: 'bad_data', error: `no: ${authorization} ${plain}` })(request, response)
  }
  for (const given of [{ username: 'ann', password: 'hunter22' }, { token: 'weak-token' }]) {
    const refused: unknown = await prometheus.instant(access(given), 'up').catch((error: unknown) => error)
    expect(refused).toMatchObject({ key: 'prometheus-refused', vars: { reason: expect.stringContaining('********') } })
    expect(JSON.stringify(refused)).not.toMatch(/hunter22|aHVudGVyMj|weak-token/)
  }
})

test('a query is sent as a form, under the path of the address, with the credentials', async () => {
  const seen: { url: string | undefined; authorization: string | undefined; form: URLSearchParams }[] = []
  answer = (request, response) => {
    void text(request).then((body) => {
      const { authorization } = request.headers
      seen.push({ url: request.url, authorization, form: new URLSearchParams(body) })
      send(200, matrix([]))(request, response)
    })
  }
  const url = `http://127.0.0.1:${port}/prometheus/?a=b#c`
  await prometheus.range(access({ url, username: 'ann', password: 'pässword' }), { ...range, start: 1500 })
  await prometheus.range(access({ url, token: 'abc', username: 'ann', password: 'x' }), range)
  await prometheus.range(access({ url }), range)
  expect(seen.map(({ url }) => url)).toEqual(Array(3).fill('/prometheus/api/v1/query_range'))
  expect(Object.fromEntries(seen[0]?.form ?? [])).toMatchObject({ query: 'up', start: '1.5', end: '60', step: '15' })
  expect(seen.map(({ authorization }) => authorization)).toEqual([
    `Basic ${Buffer.from('ann:pässword').toString('base64')}`,
    'Bearer abc',
    undefined,
  ])
  expect(apiUrl('https://p.example', 'query').href).toBe('https://p.example/api/v1/query')
})

describe('each failure has its cause', () => {
  test.each<[string, Answer, string]>([
    ['401', send(401, {}), 'prometheus-credentials'],
    ['403', send(403, {}), 'prometheus-forbidden'],
    ['404', send(404, {}), 'prometheus-not-one'],
    [
      'a refused query',
      send(400, { status: 'error', errorType: 'bad_data', error: 'parse error' }),
      'prometheus-refused',
    ],
    ['a query that took too long', send(503, { status: 'error', errorType: 'timeout', error: 'x' }), 'prometheus-slow'],
    ['500', send(500, 'oh'), 'prometheus-error'],
    ['an error under 200', send(200, { status: 'error', errorType: 'x', error: 'y' }), 'prometheus-refused'],
    ['a page', (_, response) => response.end('<html>'), 'outbound-not-json'],
    ['another kind of result', send(200, matrix([])), 'outbound-not-json'],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: 'http://elsewhere.example/' }).end(),
      'outbound-redirect',
    ],
    ['a broken line', (_, response) => response.destroy(), 'outbound-broken'],
    [
      'more than anybody draws',
      (_, response) => {
        response.write('x'.repeat(5 * 1_048_576))
        response.end('x'.repeat(5 * 1_048_576))
      },
      'outbound-too-large',
    ],
  ])('%s', async (_, given, key) => {
    answer = given
    await expect(prometheus.instant(access(), 'up')).rejects.toMatchObject({ name: 'Fault', key })
  })

  test('loopback is refused unless it is allowed', async () => {
    const guarded = createOutbound()
    await expect(createPrometheus(guarded).verify(access())).rejects.toMatchObject({ key: 'outbound-refused' })
    await guarded.close()
  })
})

describe('a server that is down or slow', () => {
  test('is not asked after three failures, and is asked again after a pause', async () => {
    answer = send(500, '')
    const ask = () => prometheus.range(access(), range)
    for (let time = 0; time < 3; time++) await expect(ask()).rejects.toMatchObject({ key: 'prometheus-error' })
    await expect(ask()).rejects.toMatchObject({ key: 'prometheus-resting' })
    expect(requests).toBe(3)
    answer = send(200, matrix([]))
    clock += 20_000
    expect(await ask()).toEqual([])
    expect(await ask()).toEqual([])
    expect(requests).toBe(5)
  })

  test('is still asked after a refused query or wrong credentials', async () => {
    for (const status of [400, 401, 403, 404]) {
      answer = send(status, { status: 'error', errorType: 'bad_data', error: 'no' })
      for (let time = 0; time < 4; time++)
        await expect(prometheus.range(access(), range)).rejects.not.toMatchObject({ key: 'prometheus-resting' })
    }
  })

  test('is asked at once for the check of a form', async () => {
    answer = send(500, '')
    for (let time = 0; time < 4; time++) await prometheus.range(access(), range).catch(() => undefined)
    answer = send(200, vector)
    await prometheus.verify(access())
    expect(await prometheus.instant(access(), 'up')).toEqual([{ metric: {}, value: 7 }])
  })

  test('is not suspended because the caller disconnects', async () => {
    answer = () => undefined
    for (let time = 0; time < 4; time++) {
      const gone = AbortSignal.timeout(20)
      await expect(prometheus.range(access(), range, gone)).rejects.toMatchObject({ name: 'TimeoutError' })
    }
    answer = send(200, matrix([]))
    expect(await prometheus.range(access(), range)).toEqual([])
  })
})
