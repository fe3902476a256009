import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { charts } from '@gantry/contract/helm/charts'
import { type HelmRepositoryInput, helmRepositories } from '@gantry/contract/helm/repositories'
import { mask } from '@gantry/contract/validators'
import { digestOf } from '@gantry/oci/names'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createCharts } from '../../../adapters/helm/charts.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createRegistry } from '../../../adapters/registry/registry.ts'
import { say } from '../../../kernel/phrase.ts'
import { chartArchive } from '../../../../test/chart-archive.ts'
import { testApp } from '../../../../test/test-app.ts'

const hello = await chartArchive({ 'Chart.yaml': 'apiVersion: v2\nname: hello\nversion: 0.2.0\nappVersion: "1.1"\n' })

/**
 * What the repository answers by path, or a status: `silent` never answers, `endless` sends two gigabytes, `cut` breaks
 * off.
 */
const files = new Map<string, string | Buffer | 404 | 503>()
const requests: { path: string; headers: IncomingHttpHeaders }[] = []

/** How much of a two-gigabyte answer was sent before the reader stopped. */
let sent = 0
async function endless(response: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(1_048_576, ' ')
  const closed = once(response, 'close')
  for (sent = 0; sent < 2 * 2 ** 30 && !response.closed; sent += chunk.length)
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed])
  response.end()
}

const answer: RequestListener = (request, response) => {
  const path = request.url ?? ''
  requests.push({ path, headers: request.headers })
  const password = files.get('password')
  const expected = `Basic ${Buffer.from(`charts:${String(password)}`).toString('base64')}`
  if (password !== undefined && request.headers.authorization !== expected) return response.writeHead(401).end()
  const file = files.get(path) ?? 404
  if (path.endsWith('.png')) response.setHeader('content-type', 'image/png')
  if (file === 'silent') return undefined
  if (file === 'endless') return void endless(response)
  if (file === 'cut') return response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy())
  return typeof file === 'number' ? response.writeHead(file).end() : response.end(file)
}
const repository = createServer(answer).listen(0, '127.0.0.1')
await once(repository, 'listening')
afterAll(() => {
  repository.closeAllConnections()
  repository.close()
})
const origin = `http://127.0.0.1:${(repository.address() as AddressInfo).port}`

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../../../test/certificates', name), 'utf8')

/** Serves the same over TLS by a private CA while the test runs; returns host and port. */
async function encrypted(): Promise<string> {
  const secure = createTlsServer({ cert: pem('server.pem'), key: pem('server-key.pem') }, answer)
  await once(secure.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    secure.closeAllConnections()
    secure.close()
  })
  return `127.0.0.1:${(secure.address() as AddressInfo).port}`
}

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
afterAll(() => outbound.close())
const ports = { outbound, charts: createCharts(outbound, createRegistry(outbound)) }
const app = await testApp({ ports })

const indexOf = (entries: Record<string, { version: string; [more: string]: unknown }[]>): string =>
  JSON.stringify({
    apiVersion: 'v1',
    entries: Object.fromEntries(
      Object.entries(entries).map(([name, versions]) => [
        name,
        versions.map((version) => ({ name, urls: [`${name}-${version.version}.tgz`], ...version })),
      ]),
    ),
  })

const plain = indexOf({
  hello: [
    { version: '0.1.0', appVersion: '1.0', description: 'Says hello' },
    {
      version: '0.2.0',
      appVersion: '1.1',
      description: 'Says hello',
      digest: createHash('sha256').update(hello).digest('hex'),
    },
    { version: '0.3.0-rc.1' },
  ],
})

beforeEach(() => {
  files.clear()
  files.set('/index.yaml', plain)
  files.set('/hello-0.2.0.tgz', hello)
  requests.length = 0
})

let made = 0
const add = (input: Partial<HelmRepositoryInput> = {}) =>
  app.admin.call(helmRepositories.create, { body: { name: `repository ${++made}`, url: origin, ...input } })

const stored = () => app.db.selectFrom('helm_repository').selectAll().execute()

describe('a repository', () => {
  test('is read before it is saved, and lists its charts with the newest version first', async () => {
    const added = await add()
    expect(added).toMatchObject({ kind: 'index', charts: 1, versions: 3, state: 'ready', problem: '', revision: 1 })
    const team = await app.team()
    await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
    const params = { repoId: added.id, tenantId: team.id }
    const listed = await team.leader.call(charts.list, { params })
    expect(listed.items).toEqual([
      { name: 'hello', version: '0.2.0', appVersion: '1.1', description: 'Says hello', deprecated: false, versions: 3 },
    ])
    const { items } = await team.leader.call(charts.versions, { params: { ...params, chartName: 'hello' } })
    expect(items.map(({ version }) => version)).toEqual(['0.3.0-rc.1', '0.2.0', '0.1.0'])
  })

  test('that is wrong stores nothing, and the refusal says what is wrong', async () => {
    const before = await stored()
    const wrong = async (key: string, input: Partial<HelmRepositoryInput> = {}) =>
      expect(add(input)).rejects.toMatchObject({ key })
    await wrong('helm-not-there', { url: `${origin}/elsewhere` })
    await wrong('helm-ca-invalid', { ca: 'no certificate' })
    files.set('/index.yaml', '<html>')
    await wrong('helm-index-invalid')
    files.set('/index.yaml', plain)
    files.set('password', 'right')
    await wrong('helm-password-needed')
    await wrong('helm-wrong-password', { username: 'charts', password: 'wrong' })
    await wrong('outbound-unreachable', { url: 'http://127.0.0.1:1' })
    await wrong('outbound-refused', { url: 'http://169.254.169.254' })
    expect(await stored()).toEqual(before)
  })

  test('with a certificate of a private CA is read only with that CA, and so are its charts', async () => {
    const url = `https://${await encrypted()}`
    await expect(add({ url })).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    await expect(add({ url, ca: pem('other.pem') })).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    const added = await add({ url, ca: pem('ca.pem') })
    expect(added).toMatchObject({ state: 'ready', versions: 3 })
    const team = await app.team()
    await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
    const params = { repoName: added.name, chartName: 'hello', version: '0.2.0', tenantId: team.id }
    expect(await team.leader.call(charts.inspect, { params })).toMatchObject({ name: 'hello', version: '0.2.0' })
  })

  test('in a registry with a certificate of a private CA is read only with that CA, and so are its charts', async () => {
    const config = JSON.stringify({ name: 'hello', version: '0.2.0', appVersion: '1.1', description: 'Says hello' })
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: {
        mediaType: 'application/vnd.cncf.helm.config.v1+json',
        digest: digestOf(config),
        size: Buffer.byteLength(config),
      },
      layers: [
        {
          mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
          digest: digestOf(hello),
          size: hello.length,
        },
      ],
    })
    const image = '/v2/charts/hello'
    files.set('/v2/', '{}')
    files.set('/v2/_catalog?n=1000', '{"repositories":["charts/hello"]}')
    files.set(`${image}/tags/list?n=1000`, '{"name":"charts/hello","tags":["0.2.0"]}')
    files.set(`${image}/manifests/0.2.0`, manifest)
    files.set(`${image}/blobs/${digestOf(config)}`, config)
    files.set(`${image}/blobs/${digestOf(hello)}`, hello)
    const url = `oci://${await encrypted()}/charts`
    await expect(add({ url })).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    await expect(add({ url, ca: pem('other.pem') })).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    const added = await add({ url, ca: pem('ca.pem') })
    expect(added).toMatchObject({ kind: 'oci', charts: 1, versions: 1, state: 'ready' })
    const team = await app.team()
    await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
    const params = { repoName: added.name, chartName: 'hello', version: '0.2.0', tenantId: team.id }
    expect(await team.leader.call(charts.inspect, { params })).toMatchObject({ name: 'hello', version: '0.2.0' })
  })

  test('stores its password encrypted, masks it, and never sends it to another host', async () => {
    files.set('password', 'canary-password')
    const added = await add({ username: 'charts', password: 'canary-password' })
    expect(added.password).toBe(mask)
    const row = await app.db
      .selectFrom('helm_repository')
      .select('password')
      .where('id', '=', added.id)
      .executeTakeFirstOrThrow()
    expect(row.password).not.toContain('canary')
    const { id, name, revision } = added
    const elsewhere = origin.replace('127.0.0.1', 'localhost')
    requests.length = 0
    await expect(
      app.admin.call(helmRepositories.update, {
        body: { id, name, revision, url: elsewhere, username: 'charts', password: mask },
      }),
    ).rejects.toMatchObject({ key: 'helm-wrong-password' })
    const canary = Buffer.from('charts:canary-password').toString('base64')
    expect(requests.length).toBeGreaterThan(0)
    expect(JSON.stringify(requests)).not.toContain(canary)
    await app.admin.call(helmRepositories.update, {
      body: { id, name, revision, url: `${origin}/`, username: 'charts', password: mask },
    })
    await expect(
      app.admin.call(helmRepositories.update, { body: { id, name, revision, url: origin } }),
    ).rejects.toMatchObject({ key: 'helm-repository-changed' })
  })

  test('with archives on another host gets them without the password', async () => {
    const seen: IncomingHttpHeaders[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers)
      response.end(hello)
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    files.set('password', 'right')
    files.set('/index.yaml', indexOf({ hello: [{ version: '0.2.0', urls: [`http://127.0.0.1:${port}/hello.tgz`] }] }))
    const added = await add({ username: 'charts', password: 'right' })
    const team = await app.team()
    await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
    const inspected = await team.leader.call(charts.inspect, {
      params: { chartName: 'hello', repoName: added.name, tenantId: team.id, version: '0.2.0' },
    })
    expect(inspected).toMatchObject({ name: 'hello', version: '0.2.0', icon: '' })
    expect(seen.map(({ authorization }) => authorization)).toEqual([undefined])
  })

  test('that fails is reported when all are read again, and keeps what was read before', async () => {
    const [fine, broken] = [await add(), await add({ url: `${origin}/.` })]
    files.set('/index.yaml', 404)
    const read = await app.admin.call(helmRepositories.readAll)
    expect(read.find(({ id }) => id === broken.id)).toMatchObject({ state: 'failed', name: broken.name })
    files.set('/index.yaml', plain)
    const again = await app.admin.call(helmRepositories.readAll)
    expect(again.filter(({ id }) => id === fine.id || id === broken.id).map(({ state }) => state)).toEqual([
      'ready',
      'ready',
    ])
    files.set('/index.yaml', 404)
    await app.admin.call(helmRepositories.readAll)
    const { items } = await app.admin.call(helmRepositories.list, { query: { keyword: fine.name } })
    expect(items).toMatchObject([{ state: 'failed', charts: 1, problem: expect.stringContaining('index.yaml') }])
  })

  test('of other teams does not exist for a team that it is not assigned to', async () => {
    const added = await add()
    const [mine, other] = [await app.team(), await app.team()]
    await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [mine.id] } })
    expect(await mine.leader.call(helmRepositories.all, { query: { tenantId: mine.id } })).toMatchObject([
      { id: added.id, state: 'ready' },
    ])
    expect(await other.leader.call(helmRepositories.all, { query: { tenantId: other.id } })).toEqual([])
    await expect(mine.leader.call(helmRepositories.all, { query: { tenantId: other.id } })).rejects.toMatchObject({
      key: 'user-team',
    })
    for (const repoId of [added.id, 2_000_000_000])
      await expect(other.leader.call(charts.list, { params: { repoId, tenantId: other.id } })).rejects.toMatchObject({
        status: 404,
        key: 'resource-missing',
      })
  })
})

test('a repository that does not answer costs seconds and a badge, and the others are read meanwhile', async () => {
  const fine = await add()
  files.set('/quiet/index.yaml', plain)
  const quiet = await add({ url: `${origin}/quiet` })
  files.set('/quiet/index.yaml', 'silent')
  const read = await app.admin.call(helmRepositories.readAll)
  expect(read.find(({ id }) => id === quiet.id)).toMatchObject({ state: 'failed' })
  expect(read.find(({ id }) => id === fine.id)).toMatchObject({ state: 'ready' })
}, 30_000)

test.each([
  ['503', 503],
  ['half of an answer', 'cut'],
] as const)('a repository that answers %s once is read all the same', async (_, failing) => {
  files.set('/index.yaml', failing)
  const adding = add()
  await expect.poll(() => requests.length).toBe(1)
  files.set('/index.yaml', plain)
  expect(await adding).toMatchObject({ state: 'ready', versions: 3 })
})

test('a repository that keeps failing is reported with the number of attempts and the cause, in both languages', async () => {
  files.set('/vain/index.yaml', plain)
  const { name } = await add({ url: `${origin}/vain` })
  files.set('/vain/index.yaml', 503)
  requests.length = 0
  await app.admin.call(helmRepositories.readAll)
  expect(requests.filter(({ path }) => path === '/vain/index.yaml')).toHaveLength(3)
  const { host } = new URL(origin)
  for (const lang of ['en', 'zh'] as const) {
    const cause = say(lang, 'outbound-status', { host, status: 503 })
    const message = say(lang, 'retry-exceeded', { host, tries: 3, cause })
    const list = { query: { keyword: name } }
    const { items } = await app.admin.call(helmRepositories.list, list, { 'accept-language': lang })
    expect(items).toMatchObject([{ state: 'failed', charts: 1, problem: message }])
  }
  await expect(add({ url: `${origin}/vain` })).rejects.toMatchObject({ status: 502, key: 'retry-exceeded' })
}, 30_000)

describe('an archive', () => {
  const inspecting = async (archive: Buffer | string, version = '0.2.0') => {
    files.set('/index.yaml', indexOf({ hello: [{ version }] }))
    files.set(`/hello-${version}.tgz`, archive)
    const added = await add()
    const team = await app.team()
    await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
    return team.leader.call(charts.inspect, {
      params: { chartName: 'hello', repoName: added.name, tenantId: team.id, version },
    })
  }
  const chart = { 'Chart.yaml': 'apiVersion: v2\nname: hello\nversion: 0.2.0\n' }

  test('is shown with its readme, values, schema and definitions', async () => {
    const archive = await chartArchive({
      ...chart,
      'README.md': '# Hello <script>alert(1)</script>',
      'values.yaml': '# how many\nreplicas: 1\n',
      'values.schema.json': '{"type":"object"}',
      'crds/thing.yaml': 'kind: CustomResourceDefinition\nmetadata:\n  name: things.example.test\n',
    })
    expect(await inspecting(archive)).toMatchObject({
      readme: '# Hello <script>alert(1)</script>',
      values: '# how many\nreplicas: 1\n',
      schema: '{"type":"object"}',
      definitions: ['things.example.test'],
    })
  })

  test('is shown with its picture, which the server fetches, unless that is no picture', async () => {
    const pictured = (icon: string) => chartArchive({ 'Chart.yaml': `${chart['Chart.yaml']}icon: ${icon}\n` })
    files.set('/hello.png', 'a picture')
    expect((await inspecting(await pictured(`${origin}/hello.png`))).icon).toBe(
      `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`,
    )
    files.set('/hello.html', '<script>')
    for (const none of [
      `${origin}/hello.html`,
      `${origin}/none.png`,
      'http://169.254.169.254/a.png',
      'file:///etc/passwd',
    ])
      expect((await inspecting(await pictured(none))).icon).toBe('')
  })

  test('with links, paths that leave it, or beyond the limits is refused', async () => {
    const refused = async (archive: Buffer | string, key: string) =>
      expect(inspecting(archive)).rejects.toMatchObject({ status: 400, key })
    await refused('no archive', 'helm-archive-invalid')
    await refused(await chartArchive({ 'values.yaml': '' }), 'helm-archive-invalid')
    await refused(await chartArchive({ ...chart, '../../evil': 'x' }), 'helm-archive-invalid')
    await refused(await chartArchive({ ...chart, '/etc/evil': 'x' }, { rooted: false }), 'helm-archive-invalid')
    await refused(await chartArchive(chart, { link: '/etc/passwd' }), 'helm-archive-links')
    await refused(await chartArchive({ ...chart, bomb: Buffer.alloc(110 * 1_048_576) }), 'helm-archive-too-large')
  }, 60_000)

  test('with another digest than in the index is refused', async () => {
    files.set('/hello-0.2.0.tgz', Buffer.concat([hello, Buffer.from('x')]))
    const added = await add()
    const team = await app.team()
    await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
    await expect(
      team.leader.call(charts.inspect, {
        params: { chartName: 'hello', repoName: added.name, tenantId: team.id, version: '0.2.0' },
      }),
    ).rejects.toMatchObject({ key: 'helm-archive-digest' })
  })
})

test('an index with too many versions is a 400', async () => {
  const versions = Array.from({ length: 50_001 }, (_, at) => ({ version: `0.0.${at}` }))
  files.set('/index.yaml', indexOf({ hello: versions }))
  await expect(add()).rejects.toMatchObject({ status: 400, key: 'helm-index-too-many' })
}, 60_000)

test('an index of two gigabytes is a 400 as soon as it exceeds the limit', async () => {
  files.set('/index.yaml', 'endless')
  await expect(add()).rejects.toMatchObject({ status: 400, key: 'outbound-too-large' })
  // including what was buffered before the connection was closed
  expect(sent).toBeLessThan(128 * 1_048_576)
}, 60_000)

test('an index of a million charts is a 400', async () => {
  const names = Array.from({ length: 1_000_000 }, (_, at) => `"c${at}":[]`)
  files.set('/index.yaml', `{"apiVersion":"v1","entries":{${names.join(',')}}}`)
  await expect(add()).rejects.toMatchObject({ status: 400, key: 'helm-index-too-many' })
}, 60_000)

test('a chart whose name would leave its path is not listed', async () => {
  const version = [{ version: '1.0.0' }]
  files.set(
    '/index.yaml',
    indexOf({ hello: version, '..': version, '../up': version, 'a/../../b': version, '': version }),
  )
  const added = await add()
  const team = await app.team()
  await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
  const { items } = await team.leader.call(charts.list, { params: { repoId: added.id, tenantId: team.id } })
  expect(items.map(({ name }) => name)).toEqual(['hello'])
})

test('an index of 10,000 versions is read, and the newest is listed first', async () => {
  const versions = Array.from({ length: 10_000 }, (_, at) => ({ version: `0.0.${at}`, description: 'One of many' }))
  files.set('/index.yaml', indexOf({ hello: versions }))
  const added = await add()
  expect(added).toMatchObject({ charts: 1, versions: 10_000 })
  const team = await app.team()
  await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
  const params = { repoId: added.id, tenantId: team.id, chartName: 'hello' }
  const { items, totalSize } = await team.leader.call(charts.versions, { params })
  expect(items[0]).toMatchObject({ version: '0.0.9999' })
  expect(totalSize).toBe(10_000)
}, 60_000)
