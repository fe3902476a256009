import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { pushPath } from '@gantry/contract/push/path'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { samples, sampleCalls } from '../../test/samples.ts'
import { socketClient } from '../../test/socket-client.ts'
import { testApp } from '../../test/test-app.ts'
import { openLog } from '../kernel/log.ts'
import { jsonBody } from './body/json-body.ts'

/** A refusal costs the server next to nothing, and says why. */

const lines: string[] = []
const app = await testApp({ onlyDomains: [], more: sampleCalls, log: openLog('info', (line) => lines.push(line)) })
const { origin } = await socketClient(app)
const json = { 'content-type': 'application/json' }
const post = (path: string, payload: string | Buffer, headers: Record<string, string> = json) =>
  app.anonymous.raw({ method: 'POST', url: path, headers, payload })
const items = (count: number, item = '{}') => `[${Array.from({ length: count }, () => item).join(',')}]`

describe('a body', () => {
  test('is at most as long as its call needs: 4 kB for a login', async () => {
    const answer = await post(samples.login.path, items(2_000))
    expect([answer.statusCode, answer.json().message]).toEqual([413, 'body-too-large'])
    expect(answer.json().errorMsg).toContain('4 kB')
    const longest = { userName: '\u0001'.repeat(254), password: '\u0001'.repeat(100) }
    expect((await post(samples.login.path, JSON.stringify(longest))).statusCode).toBe(200)
  })

  test('is not parsed if it begins with the wrong JSON', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const payload = ` ${items(1_000)}`
    const answer = await post(samples.login.path, payload)
    expect(parse.mock.calls.filter(([text]) => text === payload)).toEqual([])
    parse.mockRestore()
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ message: 'request-invalid', data: [{ path: '', key: 'field-type' }] })
  })

  test('with thousands of wrong items gets a few of them in the answer, and validation stops there', async () => {
    const answer = await post(samples.lists.path, `{"things":${items(5_000)}}`)
    expect([answer.statusCode, answer.json().data.length]).toEqual([400, 10])
    expect(answer.json().data[0]).toMatchObject({ path: 'things.0.name', key: 'field-required' })
    const nested = await post(samples.lists.path, `{"things":[{"name":"a","parts":${items(5_000, '""')}}]}`)
    expect(nested.json().data).toHaveLength(10)
    expect(nested.json().data[9]).toMatchObject({ path: 'things.0.parts.9', key: 'field-type' })

    let looked = 0
    const wrong = z.unknown().refine(() => {
      looked += 1
      return false
    })
    const reading = jsonBody(z.strictObject({ list: z.array(wrong).max(5_000) })).read({
      stream: Readable.from([Buffer.from(`{"list":${items(5_000)}}`)]),
      contentType: 'application/json',
      contentEncoding: undefined,
      contentLength: undefined,
    })
    await expect(reading).rejects.toThrow(z.ZodError)
    expect(looked).toBe(10)
  })

  test('with lists in lists is validated twice, however deep they are: item by item, and as a whole', async () => {
    let looked = 0
    const counted = z.unknown().refine(() => {
      looked += 1
      return true
    })
    const list = (element: z.ZodType) => z.array(element).max(20)
    const rows = `[${Array.from({ length: 11 }, () => `[${items(11, items(11))}]`).join()}]`
    await jsonBody(list(list(list(list(counted))))).read({
      stream: Readable.from([Buffer.from(rows)]),
      contentType: 'application/json',
      contentEncoding: undefined,
      contentLength: undefined,
    })
    expect(looked).toBe(2 * 11 ** 3)
  })

  test('with a list that is too long gets that problem alone, in the list’s own phrase', async () => {
    const answer = await post(samples.lists.path, `{"things":${items(5_001)}}`)
    expect(answer.json()).toMatchObject({ code: 400, data: [{ path: 'things', key: 'list-too-long' }] })
    const nested = await post(samples.lists.path, `{"things":[{"name":"a","parts":${items(5_001, '1')}}]}`)
    expect(nested.json().data).toEqual([expect.objectContaining({ path: 'things.0.parts', key: 'field-too-many' })])
  })

  test.for([
    '{"name":"a","name":"b"}',
    '{"name":"a","more":[1,{"x":{"y":1,"z":[],"y":2}}]}',
    '{"name":"a","more":{"a\\"b":1,"a\\u0022b":2}}',
    '{"name" : "a", "more":"}", "name"\n:"a"}',
  ])('with a key twice is 400: %s', async (payload) => {
    const answer = await post(samples.echo.path, payload)
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'request-duplicate-key'])
  })

  test('may repeat a key in several objects, and contain texts that look like keys', async () => {
    const payload = '{"name":"a","more":[{"name":"name"},{"name":"\\",\\"name\\":{"},["name","name"],{"a":{"a":1}}]}'
    expect((await post(samples.echo.path, payload)).statusCode).toBe(200)
  })
})

test('a second Host header is 400, for a call and for a websocket', async () => {
  const { port } = new URL(origin)
  const ask = async (head: string) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`${head}\r\nHost: x\r\nhost: y\r\n\r\n`)
    let response = ''
    socket.on('data', (chunk) => (response += chunk.toString()))
    await once(socket, 'close')
    return response
  }
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
  for (const head of [
    `GET ${samples.whoami.path} HTTP/1.1\r\nConnection: close`,
    `GET ${pushPath} HTTP/1.1\r\n${upgrade}\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
  ]) {
    const response = await ask(head)
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain('request-two-hosts')
  }
})

describe('a compressed body', () => {
  const plain = Buffer.alloc(100_000, 'a')
  const upload = (payload: Buffer, encoding: string) =>
    post(samples.upload.path, payload, { 'content-type': 'image/png', 'content-encoding': encoding })

  test.for(['zstd', 'ZSTD'])('is read if it is zstd', async (encoding) => {
    expect((await upload(zstdCompressSync(plain), encoding)).json()).toMatchObject({ data: 100_000 })
  })

  test.for([
    ['is none', plain],
    ['is gzip', gzipSync(plain)],
    ['breaks off', zstdCompressSync(plain).subarray(0, 20)],
  ] as const)('is 400 if it claims to be zstd and %s', async ([, payload]) => {
    const answer = await upload(payload, 'zstd')
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'body-not-zstd'])
    expect(lines.filter((line) => line.includes('a call failed'))).toEqual([])
  })

  test('is 415 in another encoding, for an upload and for a form', async () => {
    for (const encoding of ['gzip', 'br', 'zstd, gzip'])
      expect((await upload(gzipSync(plain), encoding)).json()).toMatchObject({
        code: 415,
        message: 'content-encoding-unsupported',
      })
    for (const encoding of ['gzip', 'zstd']) {
      const answer = await post(samples.echo.path, gzipSync('{"name":"a"}'), { ...json, 'content-encoding': encoding })
      expect(answer.json()).toMatchObject({ code: 415, message: 'body-encoding-unsupported' })
    }
    const same = await post(samples.echo.path, '{"name":"a"}', { ...json, 'content-encoding': 'identity' })
    expect(same.statusCode).toBe(200)
  })
})

test('a NUL is 400 in every field', async () => {
  const bodyOf = async (answer: ReturnType<typeof post>) => (await answer).json()
  const refused = { code: 400, message: 'request-illegal-character' }
  expect(await bodyOf(post(samples.echo.path, '{"name":"a\\u0000"}'))).toMatchObject(refused)
  expect(await bodyOf(app.admin.raw({ method: 'GET', url: `${samples.list.path}?keyword=%00` }))).toMatchObject(refused)
  expect(await bodyOf(app.admin.raw({ method: 'GET', url: '/api/sample/teams/%00' }))).toMatchObject(refused)
})

test.for(['/api/docs', '/api/openapi.json', '/metrics'])('%s counts as a call of its address', async (url) => {
  const limited = await testApp({ onlyDomains: [], more: sampleCalls, config: { rateLimit: true } })
  const get = async () => (await limited.anonymous.raw({ method: 'GET', url })).statusCode
  let status = await get()
  expect(status).toBe(200)
  for (let n = 1; status === 200 && n < 2_000; n++) status = await get()
  expect(status).toBe(429)
})

test('metrics are gathered once for all scrapes within a short time', async () => {
  const get = async () => (await app.anonymous.raw({ method: 'GET', url: '/metrics' })).body
  const first = await get()
  await app.anonymous.request(samples.bodiless)
  expect(await get()).toBe(first)
})
