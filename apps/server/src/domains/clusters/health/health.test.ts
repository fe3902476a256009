import { clusters } from '@gantry/contract/clusters/clusters'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { clusterApi } from '../../../../test/cluster-api.ts'
import { admitLocal, fakeApi, refuse, reply } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { keysOf, seal } from '../../../kernel/secrets/secrets.ts'
import { insertCluster } from '../clusters/clusters.store.ts'
import { checkHealth } from './health.service.ts'

const api = await clusterApi()
/** Accepts connections and never answers. */
const silent = await fakeApi(() => undefined)
const kube = openKube({ admit: admitLocal })
const app = await testApp({ onlyDomains: ['clusters', 'stacks'], ports: { kube } })
afterAll(async () => {
  await kube.close()
  for (const one of [api, silent]) await one[Symbol.asyncDispose]()
})
beforeEach(() => api.heal())

let made = 0
async function cluster(of = api.address): Promise<string> {
  const name = `cluster-${++made}`
  const address = { ...of, server: `${of.server}/clusters/${name}` }
  const at = { server: address.server, address: seal(app.ctx(), JSON.stringify(address)), reach: 'kubeconfig' as const }
  return (await insertCluster(app.db, { name, description: '', cluster: null, ...at })) ?? ''
}
const read = (uuid: string) => app.admin.call(clusters.get, { params: { uuid } })
const looked = async (uuid: string) => {
  await checkHealth(app.ctx(), uuid)
  return read(uuid)
}
const countPublished = async () => {
  const rows = await app.db.selectFrom('outbox').select('content').where('topic', '=', 'environments').execute()
  return rows.length
}
const paths = () =>
  api.seen.splice(0).map(({ path, query }) => `${path}${query.has('limit') ? `?${query.get('limit')}` : ''}`)

test('capacity is the sum of what nodes can allocate, and usage is a percentage of it', async () => {
  const uuid = await cluster()
  api.said.metrics = [
    { cpu: '1500000000n', memory: '3Gi' },
    { cpu: '1500m', memory: '3145728Ki' },
  ]
  expect(await looked(uuid)).toMatchObject({
    health: 'healthy',
    nodeNum: 2,
    capacity: { cpu: 7.5, memory: 15, pods: 220 },
    usage: { cpu: 40, memory: 40 },
  })
})

test('nodes are listed only when their number changes, and pods never', async () => {
  const uuid = await cluster()
  await looked(uuid)
  paths()
  await looked(uuid)
  expect(paths().sort()).toEqual([
    '/api/v1/nodes?1',
    '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    '/apis/metrics.k8s.io/v1beta1/nodes?5000',
    '/version',
  ])
  api.said.nodes = Array.from({ length: 1200 }, () => ({ cpu: '2', memory: '4Gi', pods: '50' }))
  expect(await looked(uuid)).toMatchObject({ nodeNum: 1200, capacity: { cpu: 2400, memory: 4800, pods: 60_000 } })
  expect(paths().filter((path) => path === '/api/v1/nodes?500')).toHaveLength(3)
})

test.each([
  ['without a metrics server', 404],
  ['with a metrics server that refuses', 403],
  ['with a metrics server that is down', 503],
])('%s the usage is unknown and the cluster healthy', async (_, status) => {
  const uuid = await cluster()
  api.said.metrics = status
  for (let look = 0; look < 4; look++)
    expect(await looked(uuid)).toMatchObject({ health: 'healthy', usage: { cpu: null, memory: null } })
})

test('a full queue of this replica says nothing about a cluster, whose state stays', async () => {
  const address = { ...api.address, server: silent.address.server }
  const uuid = await cluster(address)
  await app.db.updateTable('environment').set({ health: 'healthy' }).where('uuid', '=', uuid).execute()
  const stop = new AbortController()
  const { kube: client } = kube.cluster(uuid, address)
  const ask = () => client.get(kinds.nodes, { name: 'a' }, { signal: stop.signal })
  const all = Promise.allSettled(Array.from({ length: 250 }, ask))
  expect(await checkHealth(app.ctx(), uuid)).toBe(true)
  expect(await read(uuid)).toMatchObject({ health: 'healthy', healthMessage: '' })
  stop.abort()
  await all
})

test.each([
  [401, 'credentials', 'does not accept the stored credentials'],
  [403, 'credentials', 'lack a permission in the cluster'],
  [503, 'unreachable', 'failed with status 503'],
] as const)('status %d makes it %s, with cause and remedy, and keeps what was known', async (status, health, words) => {
  const uuid = await cluster()
  await looked(uuid)
  api.said.broken = status
  const one = await looked(uuid)
  expect(one).toMatchObject({ health, version: 'v1.34.2', nodeNum: 2, usage: { cpu: null, memory: null } })
  expect(one.capacity).not.toBeNull()
  expect(one.healthMessage).toContain(words)
  await kube.remove(uuid)
  api.heal()
  expect(await looked(uuid)).toMatchObject({ health: 'healthy', healthMessage: '' })
})

test('a required right that is withdrawn is named by the next check, and what was known stays', async () => {
  const uuid = await cluster()
  await looked(uuid)
  const before = await countPublished()
  const lost = async (right: RegExp) => {
    api.said.may = (question) => !question.startsWith('*') && !right.test(question)
    return looked(uuid)
  }
  const one = await lost(/^create secrets$/)
  expect(one).toMatchObject({ health: 'credentials', version: 'v1.34.2', nodeNum: 2 })
  expect(one.healthMessage).toMatch(/lack permissions in the cluster: create secrets\. Grant/)
  const two = await lost(/^(create secrets|get pods\/log)$/)
  expect(two.healthMessage).toContain('create secrets; get pods/log')
  await lost(/^(create secrets|get pods\/log)$/)
  expect((await countPublished()) - before).toBe(2)
  expect(await lost(/^(get nodes\.metrics|create daemonsets)/)).toMatchObject({ health: 'healthy', healthMessage: '' })
})

test('credentials that the cluster no longer checks are reported as such', async () => {
  const ignoring = await fakeApi((seen, response) =>
    seen.path === '/version'
      ? reply(response, api.said.version)
      : refuse(response, 403, 'Forbidden', `nodes is forbidden: User "system:anonymous" cannot list resource "nodes"`),
  )
  onTestFinished(() => ignoring[Symbol.asyncDispose]())
  const { health, healthMessage } = await looked(await cluster(ignoring.address))
  expect(health).toBe('credentials')
  expect(healthMessage).toMatch(/ignores the credentials.*Use the token of a service account/)
  expect(healthMessage).not.toMatch(/grant/i)
})

test('a cluster whose credentials cannot be decrypted is unhealthy, and says what to do', async () => {
  const uuid = await cluster()
  await looked(uuid)
  const keys = keysOf(['the key of another installation'])
  const address = seal({ keys }, JSON.stringify(api.address))
  await app.db.updateTable('environment').set({ address }).where('uuid', '=', uuid).execute()
  expect(await looked(uuid)).toMatchObject({
    health: 'unreachable',
    healthMessage: expect.stringContaining('GANTRY_SECRET_KEY'),
  })
  await expect(app.admin.call(clusters.recheck, { params: { uuid } })).rejects.toMatchObject({
    status: 502,
    key: 'clusters-sealed',
  })
})

test('subscribers receive each change once, and nothing without a change', async () => {
  const uuid = await cluster()
  const before = await countPublished()
  for (const broken of [undefined, undefined, 401, 401, 401]) {
    api.said.broken = broken
    await checkHealth(app.ctx(), uuid)
  }
  expect((await countPublished()) - before).toBe(2)
})

test('a check that began before the credentials were replaced is discarded', async () => {
  const uuid = await cluster()
  let release: (() => void) | undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const late = await fakeApi(async (_, response) => {
    await released
    response.writeHead(401).end()
  })
  const change = (address: object, server: string) =>
    app.db
      .updateTable('environment')
      .set({ server, address: seal(app.ctx(), JSON.stringify(address)) })
      .where('uuid', '=', uuid)
      .execute()
  await change(late.address, late.address.server)
  const old = checkHealth(app.ctx(), uuid)
  await expect.poll(() => late.seen.length).toBeGreaterThan(0)
  await change(api.address, api.address.server)
  release?.()
  await old
  expect((await read(uuid)).health).toBe('unknown')
  await late[Symbol.asyncDispose]()
})

test('one silent cluster does not delay the checks of a hundred others', async () => {
  await app.db.deleteFrom('environment').execute()
  const dead = await cluster(silent.address)
  for (let at = 0; at < 99; at++) await cluster()
  const { jobs } = await import('./health.module.ts')
  const healthy = async () =>
    (await app.db.selectFrom('environment').select('uuid').where('health', '=', 'healthy').execute()).length
  // the silent one times out only when the test advances the clock, however long the others take
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let over = false
  const all = jobs[0]?.run(app.ctx(), {}).then(() => (over = true))
  await eventually(healthy, (count) => count === 99, { ms: 45_000 })
  expect(over).toBe(false)
  await vi.advanceTimersByTimeAsync(60_000)
  await all
  expect(await read(dead)).toMatchObject({ health: 'unreachable', nodeNum: 0 })
})
