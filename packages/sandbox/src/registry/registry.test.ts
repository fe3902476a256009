import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registryContract } from './contract.ts'
import { registryServer } from './server.ts'
import { sweep } from './storage.ts'

async function serve(
  root: string,
  credential?: { username: string; password: string },
): Promise<{ url: string; server: Server }> {
  const server = registryServer({ storage: { root }, credential, onError: (error) => expect.fail(String(error)) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describe('the sandbox’s registry', () => {
  const root = mkdtempSync(join(tmpdir(), 'registry-'))
  let server: Server | undefined
  afterAll(() => {
    server?.close()
    rmSync(root, { recursive: true })
  })
  registryContract(async () => {
    const credential = { username: 'admin', password: 'secret' }
    const served = await serve(root, credential)
    server = served.server
    return { url: served.url, ...credential }
  })
})

describe('what only the sandbox promises', () => {
  let root = ''
  let url = ''
  let server: Server
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'registry-'))
    ;({ url, server } = await serve(root))
  })
  afterEach(() => {
    server.close()
    rmSync(root, { recursive: true })
  })
  const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
  const call = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const files = (): string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

  test('a blob in a single request', async () => {
    const answer = await call('POST', `/v2/a/b/blobs/uploads/?digest=${digestOf('x')}`, 'x')
    expect(answer.status).toBe(201)
    expect(await (await call('GET', `/v2/a/b/blobs/${digestOf('x')}`)).text()).toBe('x')
  })

  test('a chunk out of turn is refused, and the upload goes on from where it was', async () => {
    const started = await call('POST', '/v2/a/b/blobs/uploads/')
    const path = started.headers.get('location') ?? ''
    expect((await call('PATCH', path, 'ab', { 'content-range': '0-1' })).status).toBe(202)
    expect((await call('PATCH', path, 'zz', { 'content-range': '5-6' })).status).toBe(416)
    expect((await call('GET', path)).headers.get('range')).toBe('0-1')
    expect((await call('PUT', `${path}?digest=${digestOf('abc')}`, 'c', { 'content-range': '2-2' })).status).toBe(201)
  })

  test('an upload goes on after a restart', async () => {
    const path = (await call('POST', '/v2/a/b/blobs/uploads/')).headers.get('location') ?? ''
    await call('PATCH', path, 'ab')
    server.close()
    server.closeAllConnections()
    ;({ url, server } = await serve(root))
    expect((await call('PATCH', path, 'c')).status).toBe(202)
    expect((await call('PUT', `${path}?digest=${digestOf('abc')}`)).status).toBe(201)
  })

  const manifest = (layers: string[]): string =>
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { digest: digestOf('{}') },
      layers: layers.map((text) => ({ digest: digestOf(text) })),
    })
  const type = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' }

  test('a tag is deleted alone, tags come in pages, and what nobody names is swept away', async () => {
    for (const text of ['{}', 'layer', 'loose'])
      await call('POST', `/v2/a/b/blobs/uploads/?digest=${digestOf(text)}`, text)
    for (const tag of ['1', '2', '3'])
      expect((await call('PUT', `/v2/a/b/manifests/${tag}`, manifest(['layer']), type)).status).toBe(201)
    const page = await call('GET', '/v2/a/b/tags/list?n=2&last=1')
    expect([await page.json(), page.headers.get('link')]).toEqual([{ name: 'a/b', tags: ['2', '3'] }, null])
    expect((await call('GET', '/v2/a/b/tags/list?n=2')).headers.get('link')).toBe(
      '</v2/a/b/tags/list?last=2&n=2>; rel="next"',
    )
    expect((await call('DELETE', '/v2/a/b/manifests/2')).status).toBe(202)
    expect(await (await call('GET', '/v2/a/b/tags/list')).json()).toEqual({ name: 'a/b', tags: ['1', '3'] })
    const blobs = (): number => files().filter((path) => path.startsWith('/blobs')).length
    expect(blobs()).toBe(4)
    await call('DELETE', `/v2/a/b/blobs/${digestOf('loose')}`)
    await call('POST', '/v2/a/b/blobs/uploads/')
    sweep({ root }, Date.now())
    expect([blobs(), files().filter((path) => path.includes('_uploads')).length]).toEqual([3, 1])
    sweep({ root }, Date.now() + 2 * 24 * 3600 * 1000)
    expect(files().filter((path) => path.includes('_uploads'))).toEqual([])
  })

  test('paths that lead out of the folder are names that are none', async () => {
    for (const path of [
      '/v2/a/..%2f..%2fx/tags/list',
      '/v2/a/manifests/..%2f..%2fx',
      '/v2/%00/tags/list',
      '/v2/%zz/tags/list',
    ])
      expect((await call('GET', path)).status).toBeGreaterThanOrEqual(400)
    expect((await call('GET', `/v2/${'a'.repeat(300)}/tags/list`)).status).toBe(400)
    expect(files()).toEqual([])
  })
})
