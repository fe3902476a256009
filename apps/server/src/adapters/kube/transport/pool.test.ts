import { afterEach, expect, test } from 'vitest'
import { admitLocal, fakeApi, refuse, reply } from '../../../../test/kube-api.ts'
import type { Answer } from '../../../../test/kube-api.ts'
import { openKube } from './pool.ts'
import type { KubeOptions } from './pool.ts'
import * as kinds from '../resources.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const pod = (name: string, namespace = 'n') => ({
  metadata: { name, namespace, uid: name, resourceVersion: '1' },
  spec: { containers: [] },
})

const answering =
  (...names: string[]): Answer =>
  ({ query }, response) =>
    query.get('watch') === 'true'
      ? response.writeHead(200).flushHeaders()
      : reply(response, { metadata: { resourceVersion: '9' }, items: names.map((name) => pod(name)) })

async function api(answer: Answer) {
  const made = await fakeApi(answer)
  open.push(() => made[Symbol.asyncDispose]())
  return made
}

function port(options: Partial<KubeOptions> = {}) {
  const made = openKube({ admit: admitLocal, timing: { rest: 0.01 }, ...options })
  open.push(made.close)
  return made
}

test('an environment has one cluster, whose rows all readers share', async () => {
  const one = await api(answering('a', 'b'))
  const kube = port()
  const cluster = kube.cluster('e1', one.address)
  expect(kube.cluster('e1', { ...one.address })).toBe(cluster)
  const [first, second] = await Promise.all([cluster.rows('pods'), cluster.rows('pods', 'n')])
  expect(first.freshness.state).toBe('live')
  expect(first.rows.map(({ name, status }) => [name, status])).toEqual([
    ['a', 'Unknown'],
    ['b', 'Unknown'],
  ])
  expect(second.rows).toEqual(first.rows)
  expect((await cluster.rows('pods', 'other')).rows).toEqual([])
  expect(one.seen.filter(({ query }) => !query.has('watch'))).toHaveLength(1)
  expect(kube.held()).toMatchObject([{ environment: 'e1', reflectors: 1, rows: 2, health: { state: 'up' } }])
})

test('a hanging cluster slows down no other, and reports its state', async () => {
  const dead = await api(() => {})
  const fine = await api(answering('a'))
  const kube = port()
  const waits = kube.cluster('dead', dead.address).rows('pods', undefined, 50)
  for (let i = 0; i < 100; i++)
    kube
      .cluster('dead', dead.address)
      .kube.get(kinds.pods, pod('x').metadata)
      .catch(() => {})
  expect((await kube.cluster('fine', fine.address).rows('pods')).rows).toHaveLength(1)
  expect(await waits).toMatchObject({ rows: [], freshness: { state: 'loading' } })
})

test('calls and reflectors use new credentials at once; rows stay until they are read again', async () => {
  const one = await api(answering('a'))
  const kube = port()
  const cluster = kube.cluster('e', one.address)
  const lease = cluster.need('pods')
  await lease.ready()
  one.answer((_, response) => refuse(response, 401, 'Unauthorized'))
  one.cut()
  await expect.poll(() => cluster.health().kind).toBe('credentials')
  expect(lease.size()).toBe(1)
  one.answer((seen, response) =>
    seen.headers.authorization === 'Bearer new'
      ? answering('a', 'b')(seen, response)
      : refuse(response, 401, 'Unauthorized'),
  )
  expect(kube.cluster('e', { ...one.address, auth: { kind: 'token', token: 'new' } })).toBe(cluster)
  await expect.poll(() => lease.size()).toBe(2)
  expect(cluster.health().state).toBe('up')
})

test('after a change of server the old rows are gone at once, and listeners learn it', async () => {
  const [one, other] = [await api(answering('a')), await api(() => {})]
  const kube = port()
  const lease = kube.cluster('e', one.address).need('pods')
  await lease.ready()
  const changes: string[] = []
  lease.on(({ type, row }) => changes.push(`${type} ${row.name}`))
  kube.cluster('e', other.address)
  expect(changes).toEqual(['removed a'])
  expect(lease.all()).toEqual([])
  expect(lease.freshness()).toMatchObject({ state: 'loading' })
  other.answer(answering('b'))
  other.cut()
  await expect.poll(() => lease.all().map(({ name }) => name)).toEqual(['b'])
})

test('health is reported once per change, with its environment', async () => {
  const one = await api((_, response) => refuse(response, 401, 'Unauthorized'))
  const kube = port()
  const reports: string[] = []
  const off = kube.onHealth((environment, { state, kind }) => reports.push(`${environment} ${kind ?? state}`))
  const { kube: client } = kube.cluster('e', one.address)
  for (let i = 0; i < 4; i++) await client.version().catch(() => {})
  one.answer((_, response) => reply(response, {}))
  for (let i = 0; i < 4; i++) await client.version()
  expect(reports).toEqual(['e credentials', 'e up'])
  off()
  one.answer((_, response) => refuse(response, 401, 'Unauthorized'))
  await client.version().catch(() => {})
  expect(reports).toHaveLength(2)
})

test('a recovered cluster ends the pauses', async () => {
  const one = await api((_, response) => refuse(response, 503, 'ServiceUnavailable'))
  const kube = port({ timing: { rest: 10_000 } })
  const cluster = kube.cluster('e', one.address)
  const lease = cluster.need('pods')
  expect((await lease.ready()).error?.kind).toBe('server')
  one.answer(answering('a'))
  await expect
    .poll(() =>
      cluster.kube.version().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await expect.poll(() => lease.size()).toBe(1)
})

test('requests are counted by environment', async () => {
  const one = await api(answering())
  const seen: string[] = []
  const kube = port({ onRequest: (environment, { kind }) => seen.push(`${environment} ${kind}`) })
  await kube.cluster('e', one.address).kube.version()
  expect(seen).toEqual(['e ok'])
})

test('an address can be tried without being stored', async () => {
  const one = await api((_, response) => reply(response, { gitVersion: 'v1.34.4' }))
  const kube = port()
  expect(await kube.trial(one.address, async (client) => (await client.version()).gitVersion)).toBe('v1.34.4')
  one.answer((_, response) => refuse(response, 401, 'Unauthorized'))
  await expect(kube.trial(one.address, (client) => client.version())).rejects.toMatchObject({ kind: 'credentials' })
  expect(kube.held()).toEqual([])
})

test('a removed cluster is not asked any more, and may be added again', async () => {
  const one = await api(answering('a'))
  const kube = port()
  const cluster = kube.cluster('e', one.address)
  const lease = cluster.need('pods')
  await lease.ready()
  await kube.remove('e')
  await kube.remove('e')
  expect(kube.held()).toEqual([])
  await expect(cluster.kube.version()).rejects.toMatchObject({ kind: 'reset' })
  const before = one.seen.length
  expect((await kube.cluster('e', one.address).rows('pods')).rows).toHaveLength(1)
  expect(one.seen.length).toBeGreaterThan(before)
})
