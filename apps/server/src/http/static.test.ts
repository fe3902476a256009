import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../test/test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'gantry-console-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'dist', 'assets'), { recursive: true })
const script = `console.log("${'console '.repeat(500)}")`
const page = `<html><head><meta property="csp-nonce" nonce="__GANTRY_NONCE__"><script nonce="__GANTRY_NONCE__" src="/assets/index-Ab12Cd34.js"></script></head></html>`
writeFileSync(join(folder, 'secret.txt'), 'outside')
writeFileSync(join(folder, 'dist', 'index.html'), page)
writeFileSync(join(folder, 'dist', 'favicon.svg'), '<svg/>')
writeFileSync(join(folder, 'dist', 'large.js'), script)
writeFileSync(join(folder, 'dist', '.built-from'), 'hidden')
writeFileSync(join(folder, 'dist', 'assets', 'index-Ab12Cd34.js'), script)
writeFileSync(join(folder, 'dist', 'assets', 'built-Ab12Cd34.js'), script)
writeFileSync(join(folder, 'dist', 'assets', 'gone-Ab12Cd34.js'), 'gone')
const copies = { br: brotliCompressSync(`${script} // by the build`), gz: gzipSync(`${script} // by the build`) }
for (const [ending, copy] of Object.entries(copies))
  writeFileSync(join(folder, 'dist', 'assets', `built-Ab12Cd34.js.${ending}`), copy)

const app = await testApp({ onlyDomains: [], config: { console: join(folder, 'dist') } })
const get = (url: string, headers: Record<string, string> = {}) => app.anonymous.raw({ method: 'GET', url, headers })

describe('the page', () => {
  test.for(['/', '/login', '/teams/7/dashboard', '/teams/7/registries/thirdpart/repos/1', '/500', '/index.html'])(
    'is answered for %s, with a nonce that is new each time, and is not cached',
    async (url) => {
      const [one, two] = await Promise.all([get(url), get(url)])
      const nonce = /nonce-([\w-]{20,})/.exec(String(one.headers['content-security-policy']))?.[1] ?? ''
      expect(one.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
      expect(one.body.split(`nonce="${nonce}"`)).toHaveLength(3)
      expect(one.body).not.toContain('__GANTRY_NONCE__')
      expect(two.body).not.toBe(one.body)
    },
  )

  test('has a policy that allows only our own files and elements that carry the nonce', async () => {
    const policy = String((await get('/')).headers['content-security-policy'])
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/)
    expect(policy).toMatch(/default-src 'none'; script-src 'self' 'nonce-[\w-]+'; style-src 'self' 'nonce-[\w-]+';/)
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

describe('files', () => {
  test('are cached forever if their names carry a hash, others are revalidated', async () => {
    expect((await get('/assets/index-Ab12Cd34.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    )
    const icon = await get('/favicon.svg')
    expect(icon.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' })
    expect((await get('/favicon.svg', { 'if-none-match': String(icon.headers['etag']) })).statusCode).toBe(304)
  })

  test('are compressed as the browser accepts', async () => {
    const url = '/large.js'
    const [br, gzip, plain] = await Promise.all([
      get(url, { 'accept-encoding': 'gzip, deflate, br' }),
      get(url, { 'accept-encoding': 'gzip' }),
      get(url),
    ])
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script)
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(script)
    expect(plain.body).toBe(script)
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length)
  })

  test('are sent as the build compressed them, and the compressed copies have no address', async () => {
    const url = '/assets/built-Ab12Cd34.js'
    const br = await get(url, { 'accept-encoding': 'gzip, br' })
    expect([br.headers['content-encoding'], br.rawPayload.equals(copies.br)]).toEqual(['br', true])
    const gzip = await get(url, { 'accept-encoding': 'gzip' })
    expect([gzip.headers['content-encoding'], gzip.rawPayload.equals(copies.gz)]).toEqual(['gzip', true])
    expect((await get(url)).body).toBe(script)
    for (const ending of ['br', 'gz']) expect((await get(`${url}.${ending}`)).statusCode).toBe(404)
  })

  test('that a newer build has removed are missing, and files of the build itself are not served', async () => {
    rmSync(join(folder, 'dist', 'assets', 'gone-Ab12Cd34.js'))
    expect((await get('/.built-from')).body).not.toContain('hidden')
    expect((await get('/assets/gone-Ab12Cd34.js')).json()).toMatchObject({ code: 404, message: 'path-missing' })
  })

  test.for([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
  ])('outside of the folder are not reachable by %s', async (url) => {
    expect((await get(url)).body).not.toContain('outside')
  })

  test('that do not exist are not answered with the page: a call and an asset get 404', async () => {
    for (const url of [
      '/api/nothing',
      '/assets/gone-12345678.js',
      '/resource-manager/api/nothing',
      '/document/nothing',
    ])
      expect((await get(url)).json()).toMatchObject({ code: 404, message: 'path-missing' })
  })
})

test('the manual opens in the reader’s language, and its policy allows its own style sheet', async () => {
  const chosen = await get('/document/?lang=zh', { 'accept-language': 'en' })
  expect([chosen.statusCode, chosen.headers.location]).toEqual([302, '/document/zh/'])
  expect((await get('/document', { 'accept-language': 'en-GB,en' })).headers.location).toBe('/document/en/')
  for (const url of ['/document/en/', '/document/zh/', '/document/en/pods.html']) {
    const manual = await get(url)
    expect(manual.headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'self';/)
    expect((await get(/href="([^"]+\.css)"/.exec(manual.body)?.[1] ?? '')).statusCode).toBe(200)
  }
})

test('only GET and HEAD get the page', async () => {
  expect((await app.anonymous.raw({ method: 'POST', url: '/login' })).statusCode).toBe(404)
  expect((await app.anonymous.raw({ method: 'HEAD', url: '/login' })).statusCode).toBe(200)
})
