import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { samples, sampleCalls } from '../../test/samples.ts'
import { testApp } from '../../test/test-app.ts'
import { openLog } from '../kernel/log.ts'

const lines: string[] = []
const app = await testApp({ onlyDomains: [], more: sampleCalls, log: openLog('info', (line) => lines.push(line)) })
const json = { 'content-type': 'application/json' }
const echo = (payload: string, headers: Record<string, string> = json) =>
  app.anonymous.raw({ method: 'POST', url: samples.echo.path, headers, payload })

describe('the envelope', () => {
  test('of a success contains the data, but no undeclared field', async () => {
    const answer = await echo('{"name":"a"}')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ status: 1, data: { name: 'a' }, code: 200, message: '', errorMsg: null })
  })

  test('of a refusal contains the status, the key and the text in the requested language', async () => {
    const ask = (headers: Record<string, string>, query = '') =>
      app.anonymous.raw({ method: 'GET', url: samples.whoami.path + query, headers }).then((r) => r.json().errorMsg)
    expect(await ask({})).toBe('Please log in first')
    expect(await ask({ 'accept-language': 'fr, zh-CN;q=0.8' })).toBe('请先登录')
    expect(await ask({ 'accept-language': 'en' }, '?lang=zh')).toBe('请先登录')
    expect(await ask({ 'accept-language': 'x'.repeat(10_000) }, '?lang=../../x')).toBe('Please log in first')
  })

  test('names each wrong field, in words', async () => {
    const { data, message, code } = (await echo('{"name":"", "extra":1}')).json()
    expect([code, message]).toEqual([400, 'request-invalid'])
    expect(data).toEqual([
      { path: 'name', key: 'field-required', text: 'This field is required' },
      { path: '', key: 'field-unknown', text: 'Unknown fields: extra' },
    ])
  })

  test('of an unexpected error contains an id that is in the log, but no detail', async () => {
    const answer = await app.anonymous.raw({ method: 'GET', url: samples.crash.path })
    const { code, message, errorMsg } = answer.json()
    expect([code, message]).toEqual([500, 'server-error'])
    expect(errorMsg).not.toContain('no phrase')
    const id = answer.headers['x-request-id'] as string
    expect(errorMsg).toContain(id)
    expect(lines.find((line) => line.includes(id))).toContain('no phrase for this')
  })

  test('an answer of another shape than declared is a 500', async () => {
    const answer = await app.anonymous.raw({ method: 'GET', url: samples.misshapen.path })
    expect(answer.json()).toMatchObject({ status: 0, code: 500, data: null })
  })

  test('a statement that takes too long is 503 with a time to retry', async () => {
    const answer = await app.anonymous.raw({ method: 'GET', url: samples.slow.path })
    expect([answer.statusCode, answer.json().message]).toEqual([503, 'database-slow'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('bodies', () => {
  test.for(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('%s is read', async (type) => {
    expect((await echo('{"name":"a"}', { 'content-type': type })).statusCode).toBe(200)
  })

  test.for(['application/json\t;', ' application/json', 'application/json;', 'text/plain', 'application/jsonx', ''])(
    'content type "%s" is 415 where there is a body',
    async (type) => {
      const answer = await echo('{"name":"a"}', type === '' ? {} : { 'content-type': type })
      expect([answer.statusCode, answer.json().message]).toEqual([415, 'content-type-unsupported'])
    },
  )

  test.for(['text/plain', 'application/json\t;', 'nonsense', 'application/json'])(
    'an empty body under %s counts as no body',
    async (type) => {
      const answer = await app.anonymous.raw({
        method: 'POST',
        url: samples.bodiless.path,
        headers: { 'content-type': type },
      })
      expect(answer.statusCode).toBe(200)
    },
  )

  test.for([
    ['"text"', 'text'],
    ['7', 7],
    ['[1,2]', [1, 2]],
  ])('%s is a body', async ([payload, data]) => {
    const answer = await app.anonymous.raw({
      method: 'PUT',
      url: samples.primitive.path,
      headers: json,
      payload: payload as string,
    })
    expect(answer.json()).toMatchObject({ status: 1, data })
  })

  test.for([
    '{"name":"a","__proto__":{"admin":true}}',
    '{"name":"a","more":{"constructor":{"prototype":{"admin":true}}}}',
    '{"name":"a","more":[{"__proto__":1}]}',
  ])('%s is 400, and no prototype is touched', async (payload) => {
    const answer = await echo(payload)
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'request-illegal-key'])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  test.for(['{', 'undefined', '{"name":"a"}}', '\u0000', `${'['.repeat(5_000)}${']'.repeat(5_000)}`])(
    'invalid or too deeply nested JSON is 400 (%#)',
    async (payload) => {
      expect((await echo(payload)).statusCode).toBe(400)
    },
  )

  test.for([
    '"\\ud83d"',
    '{"name":"a\\ud83d"}',
    '{"name":"a","more":[{"\\ude00":1}]}',
    '{"name":"a","more":["\\ud83d"]}',
  ])('half a surrogate pair is 400: %s', async (payload) => {
    const answer = await echo(payload)
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'request-illegal-character'])
  })

  test('bytes that are not UTF-8 are 400', async () => {
    const payload = Buffer.from([0x7b, 0x22, 0xff, 0xfe])
    const answer = await app.anonymous.raw({ method: 'POST', url: samples.echo.path, headers: json, payload })
    expect(answer.statusCode).toBe(400)
  })

  test('more than 1 MB is 413', async () => {
    const answer = await echo(`{"name":"${'a'.repeat(1_100_000)}"}`)
    expect([answer.statusCode, answer.json().message]).toEqual([413, 'body-too-large'])
  })

  test('an upload has its own limit, whether its length is declared or not', async () => {
    const send = (payload: Buffer) =>
      app.anonymous.raw({ method: 'POST', url: samples.upload.path, headers: { 'content-type': 'image/png' }, payload })
    expect((await send(Buffer.alloc(2_000_000))).json()).toMatchObject({ data: 2_000_000 })
    expect((await send(Buffer.alloc(3_000_001))).statusCode).toBe(413)
    const untold = await app.fastify.inject({
      method: 'POST',
      url: samples.upload.path,
      headers: { 'transfer-encoding': 'chunked' },
      payload: Readable.from([Buffer.alloc(2_000_000), Buffer.alloc(2_000_000)]),
    })
    expect(untold.statusCode).toBe(413)
  })
})

describe('paths, methods, versions', () => {
  test('an unknown call is 404 in the envelope', async () => {
    const answer = await app.anonymous.raw({ method: 'GET', url: '/api/nothing' })
    expect(answer.json()).toMatchObject({ status: 0, code: 404, message: 'path-missing' })
  })

  test('a method that the path does not support is 405 with the supported ones', async () => {
    const answer = await app.anonymous.raw({ method: 'DELETE', url: samples.echo.path })
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST'])
  })

  test.for([
    ['application/vnd.gantry.v1+json', 200],
    ['application/json', 200],
    ['*/*', 200],
    ['text/html', 200],
    ['application/vnd.gantry.v2+json', 406],
    ['application/vnd.gantry.v2+json, application/json;q=0.5', 200],
  ])('Accept: %s answers %d', async ([accept, status]) => {
    const answer = await app.admin.raw({ method: 'GET', url: samples.whoami.path, headers: { accept: String(accept) } })
    expect(answer.statusCode).toBe(status)
  })

  test.for(['/api/sample/teams/%zz', '/api/sample/teams/..%2f1', `/api/sample/teams/${'9'.repeat(9_000)}`, '/api//x'])(
    'an invalid path is never a 500 (%#)',
    async (url) => {
      const answer = await app.admin.raw({ method: 'GET', url })
      expect([400, 404]).toContain(answer.statusCode)
      expect(answer.json()).toMatchObject({ status: 0, code: answer.statusCode })
    },
  )
})

describe('queries', () => {
  const list = (query: string) => app.admin.raw({ method: 'GET', url: `${samples.list.path}?${query}` })

  test('empty values count as absent', async () => {
    expect((await list('keyword=&pageSize=&sort=')).json()).toMatchObject({ status: 1, data: { pageSize: 10 } })
  })

  test.for([
    ['pageSize=-1', 1_000],
    ['pageSize=9999', 1_000],
    ['pageSize=1000', 1_000],
    ['pageSize=50', 50],
  ])('%s answers at most %d, and says when it was cut', async ([query, items]) => {
    const { data } = (await list(String(query))).json()
    expect(data.items).toHaveLength(Number(items))
    expect(data.totalSize).toBe(3_000)
    expect(data.truncated).toBe(String(query) === 'pageSize=-1' || String(query) === 'pageSize=9999' ? true : undefined)
  })

  test.for([
    'pageSize=0',
    'pageSize=1e9',
    'pageSize=-2',
    'pageSize=NaN',
    'requestPage=0',
    'requestPage=1e18',
    'requestPage=1%20or%201',
    'pageSize=10&pageSize=20',
    'unknown=1',
    '__proto__=1',
    'constructor=1',
    `keyword=${'k'.repeat(10_000)}`,
  ])('%s is 400', async (query) => {
    expect((await list(query)).statusCode).toBe(400)
  })

  test.for(['requestPage', 'currentPage', 'page'])('%s sets the page', async (name) => {
    expect((await list(`${name}=3&pageSize=5`)).json().data).toMatchObject({
      requestPage: 3,
      items: [10, 11, 12, 13, 14],
    })
  })
})

test.for(['0', '-1', 'NaN', '1e309', '1;--', '../1', '2147483648', '1.5', '0x1', '{1}', ' ', '9'.repeat(1_500)])(
  'a hostile id is 400 or 404 (%#)',
  async (hostile) => {
    const { statusCode } = await app.admin.raw({
      method: 'GET',
      url: `/api/sample/teams/${encodeURIComponent(hostile)}`,
    })
    expect([400, 404]).toContain(statusCode)
  },
)

test('every answer has restrictive security headers', async () => {
  for (const url of [samples.whoami.path, '/api/nothing', '/livez']) {
    const { headers } = await app.anonymous.raw({ method: 'GET', url })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('no used token is in the log', async () => {
  await app.admin.raw({ method: 'GET', url: `/api/nothing?authorization=${app.admin.token}` })
  expect(lines.join('')).not.toContain(app.admin.token)
})

test('a stream is sent as it is', async () => {
  const answer = await app.admin.raw({ method: 'GET', url: samples.download.path })
  expect([answer.headers['content-type'], answer.body]).toEqual(['text/plain; charset=utf-8', 'one\ntwo\n'])
})

test('a stream that fails before its first byte is refused like any other call', async () => {
  const answer = await app.admin.raw({ method: 'GET', url: samples.failingDownload.path })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ status: 0, code: 404, message: 'resource-missing' })
})
