import type { RegistryRight } from '@gantry/contract/images/registry-token'
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registryConformance } from './conformance.ts'
import type { Admission } from './rights.ts'
import { registryServer } from './server.ts'
import { sweep } from './storage.ts'

async function serve(root: string, admission: Admission = {}): Promise<{ url: string; server: Server }> {
  const server = registryServer({ storage: { root }, ...admission, onError: (error) => expect.fail(String(error)) })
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
  registryConformance(async () => {
    const credential = { username: 'admin', password: 'secret' }
    const served = await serve(root, { credential })
    server = served.server
    return { url: served.url, ...credential }
  })
})

describe('features of the sandbox alone', () => {
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

  test('accepts a blob in a single request', async () => {
    const answer = await call('POST', `/v2/a/b/blobs/uploads/?digest=${digestOf('x')}`, 'x')
    expect(answer.status).toBe(201)
    expect(await (await call('GET', `/v2/a/b/blobs/${digestOf('x')}`)).text()).toBe('x')
  })

  test('a chunk out of order is refused, and the upload continues where it was', async () => {
    const started = await call('POST', '/v2/a/b/blobs/uploads/')
    const path = started.headers.get('location') ?? ''
    expect((await call('PATCH', path, 'ab', { 'content-range': '0-1' })).status).toBe(202)
    expect((await call('PATCH', path, 'zz', { 'content-range': '5-6' })).status).toBe(416)
    expect((await call('GET', path)).headers.get('range')).toBe('0-1')
    expect((await call('PUT', `${path}?digest=${digestOf('abc')}`, 'c', { 'content-range': '2-2' })).status).toBe(201)
  })

  test('an upload continues after a restart', async () => {
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

  test('deletes a single tag, pages tags, and sweeps unused blobs', async () => {
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

  test('refuses paths that lead out of the folder as invalid names', async () => {
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

describe('with a key', () => {
  const key = 'the key of this registry'
  const tokenOf = (access: RegistryRight[], { signed = key, seconds = 60 } = {}): string => {
    const expires = Date.now() + seconds * 1000
    const content = Buffer.from(JSON.stringify({ subject: 'a test', expires, access })).toString('base64url')
    return `${content}.${createHmac('sha256', signed).update(content).digest('base64url')}`
  }
  const own: RegistryRight['actions'] = ['pull', 'push']
  const all: RegistryRight['actions'] = [...own, 'delete']
  const mine = tokenOf([{ repository: 'team-1/', actions: own }])
  const theirs = tokenOf([{ repository: 'team-2/', actions: all }])

  let root = ''
  let url = ''
  let server: Server
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'registry-'))
    ;({ url, server } = await serve(root, { key }))
    for (const repository of ['team-1/app', 'team-10/app']) {
      const token = tokenOf([{ repository, actions: all }])
      await call(token, 'POST', `/v2/${repository}/blobs/uploads/?digest=${blob}`, 'x')
      await call(token, 'PUT', `/v2/${repository}/manifests/1.0`, image)
    }
    await call(theirs, 'POST', `/v2/team-2/app/blobs/uploads/?digest=${blob}`, 'x')
    await call(theirs, 'PUT', '/v2/team-2/app/manifests/1.0', image)
  })
  afterEach(() => {
    server.close()
    rmSync(root, { recursive: true })
  })

  const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
  const blob = digestOf('x')
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const image = JSON.stringify({ schemaVersion: 2, mediaType, config: { digest: blob }, layers: [] })
  const call = (token: string | undefined, method: string, path: string, body?: string) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        'content-type': path.includes('/manifests/') ? mediaType : 'application/octet-stream',
        accept: mediaType,
      },
      ...(body === undefined ? {} : { body }),
    })
  const answer = async (token: string, method: string, path: string, body?: string): Promise<number> =>
    (await call(token, method, path, body)).status

  test('without a token, or with a forged, changed or expired one, reveals and does nothing', async () => {
    const [content = '', signature = ''] = mine.split('.')
    const wider = Buffer.from(content, 'base64url').toString().replace('team-1/', 'team-2/')
    for (const token of [
      undefined,
      'x',
      content,
      `${Buffer.from(wider).toString('base64url')}.${signature}`,
      tokenOf([{ repository: 'team-2/', actions: all }], { signed: 'another key' }),
      tokenOf([{ repository: 'team-2/', actions: all }], { seconds: 0 }),
    ])
      for (const [method, path] of [
        ['GET', '/v2/'],
        ['GET', '/v2/_catalog'],
        ['GET', '/v2/team-2/app/tags/list'],
        ['DELETE', '/v2/team-2/app/manifests/1.0'],
        ['POST', '/v2/team-2/app/blobs/uploads/'],
      ] as const) {
        const refused = await call(token, method, path)
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="registry"'])
      }
    expect(await answer(theirs, 'GET', '/v2/team-2/app/manifests/1.0')).toBe(200)
  })

  test('another’s repository looks like a missing one, whatever is requested', async () => {
    const said = async (method: string, repository: string, path: string) => {
      const answered = await call(mine, method, `/v2/${repository}/${path}`)
      return { status: answered.status, text: (await answered.text()).replaceAll(repository, '<repository>') }
    }
    for (const [method, path, status] of [
      ['GET', 'tags/list', 404],
      ['GET', 'manifests/1.0', 404],
      ['HEAD', 'manifests/1.0', 404],
      ['GET', `manifests/${digestOf(image)}`, 404],
      ['DELETE', 'manifests/1.0', 404],
      ['DELETE', `manifests/${digestOf(image)}`, 404],
      ['GET', `blobs/${blob}`, 404],
      ['HEAD', `blobs/${blob}`, 404],
      ['DELETE', `blobs/${blob}`, 404],
      ['POST', 'blobs/uploads/', 403],
      ['PUT', 'manifests/1.0', 403],
    ] as const) {
      const there = await said(method, 'team-2/app', path)
      expect(there).toEqual(await said(method, 'team-2/none', path))
      expect([method, path, there.status]).toEqual([method, path, status])
      // a prefix ends with a whole name: team-1 does not include team-10
      expect((await said(method, 'team-10/app', path)).status).toBe(status)
    }
    expect(await answer(theirs, 'GET', `/v2/team-2/app/blobs/${blob}`)).toBe(200)
  })

  test('the catalogue lists what the token may read, in pages', async () => {
    const listed = async (token: string, query = '') => {
      const page = await call(token, 'GET', `/v2/_catalog${query}`)
      return [((await page.json()) as { repositories: string[] }).repositories, page.headers.get('link')]
    }
    expect(await listed(mine)).toEqual([['team-1/app'], null])
    expect(await listed(mine, '?n=1')).toEqual([['team-1/app'], null])
    expect(await listed(theirs)).toEqual([['team-2/app'], null])
  })

  test('permission to push does not include deletion, and a layer is mounted only from a readable repository', async () => {
    expect(await answer(mine, 'DELETE', '/v2/team-1/app/manifests/1.0')).toBe(403)
    expect(await answer(mine, 'DELETE', `/v2/team-1/app/blobs/${blob}`)).toBe(403)
    expect(await answer(mine, 'PUT', '/v2/team-1/app/manifests/2.0', image)).toBe(201)
    const mount = (token: string, from: string) =>
      answer(token, 'POST', `/v2/team-1/new/blobs/uploads/?mount=${blob}&from=${from}`)
    expect(await mount(mine, 'team-2/app')).toBe(202)
    expect(await mount(mine, 'team-1/app')).toBe(201)
    const both = tokenOf([
      { repository: 'team-1/', actions: own },
      { repository: 'team-2/app', actions: ['pull'] },
    ])
    expect(await mount(both, 'team-2/app')).toBe(201)
    expect(await answer(both, 'PUT', '/v2/team-2/app/manifests/1.0', image)).toBe(403)
    const may = tokenOf([{ repository: 'team-1/app', actions: all }])
    expect(await answer(may, 'DELETE', '/v2/team-1/app/manifests/1.0')).toBe(202)
  })
})
