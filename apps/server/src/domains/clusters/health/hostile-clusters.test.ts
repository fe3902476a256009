import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import { pods } from '@gantry/contract/clusters/pods'
import { storage } from '@gantry/contract/clusters/storage'
import { afterAll, expect, test } from 'vitest'
import { fakeApi, reply } from '../../../../test/kube-api.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { checkHealth } from './health.service.ts'

/**
 * A cluster may belong to anybody, so nothing that it answers may spoil answers about anything else, especially about
 * other clusters.
 */
const { app, direct, newEnvironment } = await sandboxApp()
const team = await app.team()
const { uuid: sound } = await newEnvironment('sound', team)

const metadata = { name: 'bad', uid: 'bad', resourceVersion: '1', namespace: 'shop' }
const object = (body: object) => ({ metadata, ...body })
const wild = { cpu: '1E400', memory: 1e308, pods: '9E', 'ephemeral-storage': [] }
/** By the last segment of the list path. */
const hostile: Record<string, object> = {
  nodes: object({
    metadata: { ...metadata, labels: { 'gantry.dev/dedicated': '9999999999', 'gantry.dev/ingress': 'true', other: 5 } },
    spec: { taints: [{ key: 7, effect: null }] },
    status: {
      nodeInfo: { kubeletVersion: 131, operatingSystem: {} },
      allocatable: wild,
      capacity: wild,
      addresses: [{ type: 'InternalIP', address: 5 }],
      conditions: [{ type: 'Ready', status: 'False', message: {} }, null, { type: 3, status: 'True' }],
      images: [{ names: [1], sizeBytes: 'x' }, 'image'],
    },
  }),
  pods: object({
    spec: { nodeName: 'bad', containers: [{ name: 1, image: {}, resources: { requests: wild } }] },
    status: {
      phase: 8,
      podIP: 3,
      containerStatuses: [{ name: 1, restartCount: 1e300, state: { waiting: { reason: 4 } } }],
    },
  }),
  events: object({ count: 1e300, reason: {}, message: 5, involvedObject: null, series: { lastObservedTime: 3 } }),
  persistentvolumes: object({
    spec: { capacity: { storage: 1e308 }, accessModes: [1], nfs: { server: {} }, claimRef: 5 },
  }),
  ingressclasses: object({ metadata: { ...metadata, creationTimestamp: 5 }, spec: { controller: 5 } }),
  gatewayclasses: object({
    metadata: { ...metadata, name: 'worse' },
    spec: { controllerName: {} },
    status: { conditions: [null, 4, { type: 'Accepted', status: 'True' }], supportedFeatures: [7, null, { name: {} }] },
  }),
}

const api = await fakeApi((seen, response) => {
  if (seen.path === '/version') return reply(response, { gitVersion: 131, major: '1', minor: '34' })
  if (seen.path.endsWith('/selfsubjectrulesreviews'))
    return reply(response, { status: { resourceRules: [{ verbs: 5, apiGroups: null }, 'all'] } }, 201)
  if (seen.path.endsWith('/selfsubjectaccessreviews')) return reply(response, { status: { allowed: true } }, 201)
  if (seen.query.get('watch') === 'true') return void response.writeHead(200, { 'content-type': 'application/json' })
  const found = hostile[seen.path.split('/').at(-1) ?? '']
  const one = seen.path.endsWith('/nodes/bad') ? hostile['nodes'] : undefined
  if (one) return reply(response, one)
  return reply(response, {
    kind: 'List',
    metadata: { resourceVersion: '1', remainingItemCount: 'many' },
    items: found ? [found] : [],
  })
})
afterAll(() => api[Symbol.asyncDispose]())
const { uuid: bad } = await app.db
  .insertInto('environment')
  .values({ name: 'bad', server: api.address.server, address: seal(app.ctx(), JSON.stringify(api.address)) })
  .returning('uuid')
  .executeTakeFirstOrThrow()
await app.db.insertInto('environment_team').values({ environment: bad, team_id: team.id }).execute()

test('a node that is dedicated to an impossible team does not break the list', async () => {
  const { items } = await direct.list(kinds.nodes)
  const name = items[1]?.metadata?.name ?? ''
  for (const label of ['9999999999', '2147483648', '1.5', 'x']) {
    await direct.merge(kinds.nodes, { name }, { metadata: { labels: { 'gantry.dev/dedicated': label } } })
    const found = await app.admin.call(hosts.get, { params: { env: sound, host: name } })
    expect(found.dedicated).toBeNull()
    await expect
      .poll(async () => {
        const { items } = await app.admin.call(hosts.list, { query: { envUuid: sound, keyword: `dedicated=${label}` } })
        return items.map((host) => [host.name, host.dedicated])
      })
      .toEqual([[name, null]])
  }
})

test.for(['admin', 'team'] as const)('hosts of all clusters are listed despite hostile ones, as %s', async (who) => {
  const caller = who === 'admin' ? app.admin : team.leader
  const { items, stale } = await caller.call(hosts.list, {})
  expect(stale).toEqual([])
  expect(items.filter(({ envUuid }) => envUuid === sound)).toHaveLength(3)
  expect(items.filter(({ envUuid }) => envUuid === bad)).toMatchObject([
    { name: 'bad', version: '', os: '', ip: '', dedicated: null, troubles: [''] },
  ])
})

test('objects of the hostile cluster are shown in their proper shape', async () => {
  const env = { params: { env: bad } }
  expect(await app.admin.call(hosts.get, { params: { env: bad, host: 'bad' } })).toMatchObject({
    name: 'bad',
    taints: [],
  })
  expect((await app.admin.call(pods.list, env)).items).toMatchObject([{ name: 'bad', restarts: 0, ip: '' }])
  expect((await app.admin.call(pods.events, env)).items).toMatchObject([{ uid: 'bad', count: 1, reason: '', kind: '' }])
  expect((await app.admin.call(storage.volumes, env)).items).toMatchObject([{ name: 'bad', accessModes: [] }])
  expect(await app.admin.call(ingressGroups.list, env)).toMatchObject([
    { way: 'ingress', name: 'bad', controller: '' },
    { way: 'gateway', name: 'worse', controller: '' },
  ])
})

test('the hostile cluster’s health is reported, and its figures do not distort any sum', async () => {
  expect(await checkHealth(app.ctx(), bad)).toBe(true)
  const { items } = await app.admin.call(clusters.list, {})
  const listed = items.find(({ uuid }) => uuid === bad)
  expect(listed).toMatchObject({ health: 'healthy', version: '', nodeNum: 1 })
  expect(Object.values(listed?.capacity ?? {}).every(Number.isFinite)).toBe(true)
})
