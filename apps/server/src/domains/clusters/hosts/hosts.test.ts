import { hosts } from '@gantry/contract/clusters/hosts'
import { eventually } from '@gantry/waiting/eventually'
import { describe, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { sharedSandbox } from '../../../../test/sandbox-app.ts'

const { app, direct, team, neighbour, alone, shared } = await sharedSandbox()

/** The sandbox's hosts: the first runs its control plane. */
const [controller, worker, other] = ['sandbox-1', 'sandbox-2', 'sandbox-3'] as const
const namespace = 'drained'
await direct.apply(kinds.namespaces, { metadata: { name: namespace } })

const one = (host: string = worker, env = alone) => ({ env, host })
const node = (name: string = worker) => direct.get(kinds.nodes, { name })
const list = (query: object = {}, who = team.leader) => who.call(hosts.list, { query: { envUuid: alone, ...query } })

describe('the list', () => {
  test('has every host of the cluster, with the requests of its pods', async () => {
    const { items, stale } = await list()
    expect(items.map(({ name, controller }) => [name, controller])).toEqual([
      [controller, true],
      [worker, false],
      [other, false],
    ])
    expect(stale).toEqual([])
    expect(items[1]).toMatchObject({
      state: 'ready',
      envName: 'alone',
      alone: true,
      os: 'linux',
      dedicated: null,
      ingress: false,
    })
    expect(items[1]?.allocatable.cpu).toBeGreaterThan(0)
    expect(items[1]?.used?.cpu).toBeGreaterThan(0)
  })

  test('is sorted, filtered and paged by the server', async () => {
    const names = async (query: object) => (await list(query)).items.map(({ name }) => name)
    expect(await names({ sort: '-name' })).toEqual([other, worker, controller])
    expect(await names({ sort: '-name', pageSize: 1, requestPage: 2 })).toEqual([worker])
    expect(await names({ keyword: 'SANDBOX-3' })).toEqual([other])
    expect(await names({ keyword: 'control-plane' })).toEqual([controller])
    expect(await names({ keyword: 'hostname=sandbox-2' })).toEqual([worker])
    expect(await names({ keyword: 'hostname' })).toEqual([])
    expect(await names({ state: 'cordoned' })).toEqual([])
    expect(await list({ pageSize: 1 })).toMatchObject({ totalSize: 3, requestPage: 1 })
    await expect(list({ sort: 'colour' })).rejects.toMatchObject({ status: 400 })
  })

  test('covers all visible clusters, and a dead one is reported without delaying the others', async () => {
    const address = { server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } }
    const { uuid } = await app.db
      .insertInto('environment')
      .values({ name: 'dead', server: address.server, address: seal(app.ctx(), JSON.stringify(address)) })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    await app.db.insertInto('environment_team').values({ environment: uuid, team_id: team.id }).execute()
    const all = await team.leader.call(hosts.list, {})
    expect(all.items.filter(({ name }) => name === worker).map(({ envName }) => envName)).toEqual(['alone', 'shared'])
    const stale = { envUuid: uuid, envName: 'dead', since: expect.any(String), uncounted: false }
    expect(all.stale).toEqual([{ ...stale, message: expect.not.stringContaining('127.0.0.1') }])
    const forAdmin = await app.admin.call(hosts.list, {})
    expect(forAdmin.stale).toEqual([{ ...stale, message: expect.stringContaining('127.0.0.1:1') }])
    const input = { params: one(worker, uuid) }
    await expect(app.admin.call(hosts.get, input)).rejects.toMatchObject({
      message: expect.stringContaining('127.0.0'),
    })
    await expect(team.leader.call(hosts.get, input)).rejects.toMatchObject({
      status: 503,
      key: 'kube-refused',
      message: 'The cluster is not responding. Administrators can see the reason.',
    })
    await app.db.deleteFrom('environment').where('uuid', '=', uuid).execute()
  })

  test('hides hosts of clusters of other teams, or without the permission', async () => {
    const mine = await neighbour.leader.call(hosts.list, {})
    expect(new Set(mine.items.map(({ envName }) => envName))).toEqual(new Set(['shared']))
    expect(new Set(mine.items.map(({ alone }) => alone))).toEqual(new Set([false]))
    await expect(list({}, neighbour.leader)).rejects.toMatchObject({ status: 404 })
    const blind = await team.member(['resource_cluster_view'])
    expect((await blind.call(hosts.list, {})).items).toEqual([])
    await expect(list({}, blind)).rejects.toMatchObject({ status: 403, key: 'permission-missing-nobody' })
    const header = { 'x-tenant-id': String(neighbour.id) }
    const ofTheirs = async (all: 'true' | 'false') =>
      (await app.admin.call(hosts.list, { query: { all } }, header)).items.map(({ envName }) => envName)
    expect(await ofTheirs('false')).not.toContain('alone')
    expect(await ofTheirs('true')).toContain('alone')
    const theirs = await neighbour.leader.call(hosts.list, { query: { all: 'true' } })
    expect(theirs.items.map(({ envName }) => envName)).not.toContain('alone')
  })
})

test('a host’s images have their most informative name, the largest first', async () => {
  const name = 'hand-made'
  const images = [
    { names: ['localhost/small@sha256:1'], sizeBytes: 3 * 2 ** 20 },
    { names: ['localhost/app@sha256:2', 'localhost/app:2'], sizeBytes: 9 * 2 ** 20 },
    // what a kubelet reports for an image whose name was moved to a newer one
    { names: null, sizeBytes: 5 * 2 ** 20 },
  ]
  await direct.create(kinds.nodes, { metadata: { name }, status: { images } } as never)
  expect((await team.leader.call(hosts.get, { params: one(name) })).images).toEqual([
    { name: 'localhost/app:2', sizeMib: 9 },
    { name: '', sizeMib: 5 },
    { name: 'localhost/small@sha256:1', sizeMib: 3 },
  ])
  await direct.remove(kinds.nodes, { name })
})

test('a host is read with its conditions and addresses', async () => {
  const host = await team.leader.call(hosts.get, { params: one() })
  expect(host).toMatchObject({
    name: worker,
    maintenance: null,
    labels: { 'kubernetes.io/hostname': worker },
    alone: true,
  })
  expect(host.conditions.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' })
  await expect(team.leader.call(hosts.get, { params: one('nobody') })).rejects.toMatchObject({
    status: 404,
    key: 'hosts-missing',
  })
})

test('a host’s events are listed latest first', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const event = (name: string, host: string, last: string) => ({
    metadata: { name, namespace: 'default' },
    involvedObject: { kind: 'Node', name: host, uid: host },
    type: 'Warning' as const,
    reason: 'Rebooted',
    message: name,
    firstTimestamp: last,
    lastTimestamp: last,
    count: 1,
    source: { component: 'kubelet' },
  })
  await direct.create(kinds.events, event('early', worker, minutesAgo(3)))
  await direct.create(kinds.events, event('late', worker, minutesAgo(2)))
  await direct.create(kinds.events, event('foreign', other, minutesAgo(1)))
  await eventually(async () => {
    const { items } = await team.leader.call(hosts.events, { params: one(), query: { keyword: 'rebooted' } })
    expect(items.map(({ message }) => message)).toEqual(['late', 'early'])
  })
})

describe('labels, annotations and taints', () => {
  const label = (body: { host: string; key: string; value: string }, who = team.leader) =>
    who.call(hosts.setLabel, { params: { env: alone }, body })

  test('are set and removed, and the next read shows this', async () => {
    await label({ host: worker, key: 'example.com/disk', value: 'ssd' })
    expect((await node()).metadata?.labels).toMatchObject({ 'example.com/disk': 'ssd' })
    await team.leader.call(hosts.setAnnotation, {
      params: { env: alone },
      body: { host: worker, key: 'example.com/rack', value: 'a long text, with blanks' },
    })
    const read = await team.leader.call(hosts.get, { params: one() })
    expect(read.annotations['example.com/rack']).toBe('a long text, with blanks')
    await team.leader.call(hosts.removeLabel, {
      params: { env: alone },
      query: { host: worker, key: 'example.com/disk' },
    })
    await team.leader.call(hosts.removeAnnotation, {
      params: { env: alone },
      query: { host: worker, key: 'example.com/rack' },
    })
    const { metadata } = await node()
    expect(metadata?.labels).not.toHaveProperty('example.com/disk')
    expect(metadata?.annotations ?? {}).not.toHaveProperty('example.com/rack')
  })

  test('are limited to 64 of each, besides those of the cluster', async () => {
    const given = Object.fromEntries(Array.from({ length: 63 }, (_, at) => [`example.com/label-${at}`, 'x']))
    await direct.merge(kinds.nodes, { name: worker }, { metadata: { labels: given } })
    await label({ host: worker, key: 'example.com/last', value: 'x' })
    await expect(label({ host: worker, key: 'example.com/beyond', value: 'x' })).rejects.toMatchObject({
      status: 409,
      key: 'hosts-too-many-labels',
    })
    // an existing one may be changed, and removing one makes room
    await label({ host: worker, key: 'example.com/last', value: 'y' })
    const none = Object.fromEntries([...Object.keys(given), 'example.com/last'].map((key) => [key, null]))
    await direct.merge(kinds.nodes, { name: worker }, { metadata: { labels: none } })
    await label({ host: worker, key: 'example.com/beyond', value: 'x' })
    const query = { host: worker, key: 'example.com/beyond' }
    await team.leader.call(hosts.removeLabel, { params: { env: alone }, query })
  })

  test.each([
    'kubernetes.io/hostname',
    'node.kubernetes.io/instance-type',
    'node-role.kubernetes.io/control-plane',
    'topology.kubernetes.io/zone',
    'kubeadm.alpha.kubernetes.io/cri-socket',
    'gantry.dev/dedicated',
    'io.wise2c.stack',
    'app',
  ])('the reserved key %s is refused, for administrators too', async (key) => {
    await expect(label({ host: worker, key, value: 'x' }, app.admin)).rejects.toMatchObject({
      status: 400,
      key: 'hosts-own-key',
    })
    const gone = app.admin.call(hosts.removeLabel, { params: { env: alone }, query: { host: controller, key } })
    await expect(gone).rejects.toMatchObject({ status: 400, key: 'hosts-own-key' })
  })

  test.each(['', 'a b', '-a', 'x'.repeat(64), '../etc', 'a/b/c', 'UPPER.example/x'])(
    'the key %j is invalid',
    async (key) => {
      await expect(label({ host: worker, key, value: 'x' })).rejects.toMatchObject({ status: 400 })
    },
  )

  test('taints replace those that are not reserved', async () => {
    const set = (host: string, taints: object[]) =>
      app.admin.call(hosts.setTaints, { params: one(host), body: { taints: taints as [] } })
    await set(worker, [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }])
    await set(worker, [{ key: 'slow', effect: 'PreferNoSchedule' }])
    expect((await node()).spec?.taints).toMatchObject([{ key: 'slow', effect: 'PreferNoSchedule' }])
    await expect(set(worker, [{ key: 'node.kubernetes.io/x', effect: 'NoExecute' }])).rejects.toMatchObject({
      key: 'hosts-own-key',
    })
    const twice = { key: 'gpu', effect: 'NoSchedule' }
    await expect(set(worker, [twice, twice])).rejects.toMatchObject({ status: 400, key: 'hosts-taint-twice' })
    for (const wrong of [{ key: 'a b' }, { key: '-gpu' }, { key: 'gpu', value: 'two words' }])
      await expect(set(worker, [{ ...wrong, effect: 'NoSchedule' }])).rejects.toMatchObject({
        status: 400,
        key: expect.stringMatching(/^label-/),
      })
    await expect(set(controller, [{ key: 'gpu', effect: 'NoExecute' }])).rejects.toMatchObject({
      status: 409,
      key: 'hosts-controller',
    })
    await set(controller, [{ key: 'slow', effect: 'PreferNoSchedule' }])
    expect((await node(controller)).spec?.taints).toHaveLength(2)
    await set(controller, [])
    expect((await node(controller)).spec?.taints).toMatchObject([{ key: 'node-role.kubernetes.io/control-plane' }])
    await set(worker, [])
  })
})

describe('permissions', () => {
  test('allow only administrators to change what several teams use', async () => {
    const params = one(worker, shared)
    const refused = { status: 403, key: 'clusters-shared' }
    const { leader } = team
    const body = { enable: true }
    await expect(leader.call(hosts.cordon, { params, body })).rejects.toMatchObject(refused)
    await expect(leader.call(hosts.maintenance, { params, body })).rejects.toMatchObject(refused)
    await expect(leader.call(hosts.ingress, { params, body })).rejects.toMatchObject(refused)
    await expect(leader.call(hosts.remove, { params })).rejects.toMatchObject(refused)
    await expect(leader.call(hosts.setTaints, { params, body: { taints: [] } })).rejects.toMatchObject(refused)
    const label = { params: { env: shared }, body: { host: worker, key: 'a', value: 'b' } }
    await expect(leader.call(hosts.setLabel, label)).rejects.toMatchObject(refused)
    await expect(leader.call(hosts.logs, { params })).rejects.toMatchObject(refused)
    expect((await node()).spec?.unschedulable).toBeUndefined()
    expect((await leader.call(hosts.get, { params })).images).toEqual([])
  })

  test('allow only administrators to dedicate a host', async () => {
    const dedicated = team.leader.call(hosts.dedicated, { params: one(), body: { teamId: team.id } })
    await expect(dedicated).rejects.toMatchObject({ status: 403, key: 'admin-only' })
  })
})

test('keep the host of the control plane in service, for administrators too', async () => {
  const params = one(controller)
  const refused = { status: 409, key: 'hosts-controller' }
  const body = { enable: true }
  await expect(app.admin.call(hosts.cordon, { params, body })).rejects.toMatchObject(refused)
  await expect(app.admin.call(hosts.maintenance, { params, body })).rejects.toMatchObject(refused)
  await expect(app.admin.call(hosts.remove, { params })).rejects.toMatchObject(refused)
  await expect(app.admin.call(hosts.dedicated, { params, body: { teamId: team.id } })).rejects.toMatchObject(refused)
  await expect(app.admin.call(hosts.dedicated, { params, body: { teamId: null } })).rejects.toMatchObject(refused)
  const { spec, metadata } = await node(controller)
  expect(spec?.unschedulable).toBeUndefined()
  expect(metadata?.labels).not.toHaveProperty('gantry.dev/dedicated')
})

test('keep every host on which this product runs in service', async () => {
  const pod = {
    metadata: { name: 'gantry-0', namespace, labels: { 'gantry.dev/component': 'server' } },
    spec: { nodeName: other, containers: [{ name: 'server', image: 'gantry:1' }] },
  }
  await direct.create(kinds.pods, pod)
  const maintenance = app.admin.call(hosts.maintenance, { params: one(other), body: { enable: true } })
  await expect(maintenance).rejects.toMatchObject({ status: 409, key: 'hosts-controller' })
  await eventually(async () => expect((await list({ keyword: other })).items[0]?.controller).toBe(true))
  // if it was dedicated before, it can be returned, but not dedicated
  const dedicate = (teamId: number | null) => app.admin.call(hosts.dedicated, { params: one(other), body: { teamId } })
  const taint = { key: 'gantry.dev/dedicated', value: String(team.id), effect: 'NoSchedule' }
  const labels = { 'gantry.dev/dedicated': String(team.id) }
  await direct.merge(kinds.nodes, { name: other }, { metadata: { labels }, spec: { taints: [taint] } })
  await expect(dedicate(team.id)).rejects.toMatchObject({ status: 409, key: 'hosts-controller' })
  await dedicate(null)
  expect((await node(other)).spec?.taints ?? []).toEqual([])
  await direct.remove(kinds.pods, { name: 'gantry-0', namespace }, { grace: 0 })
  await eventually(async () => expect((await list({ keyword: other })).items[0]?.controller).toBe(false))
})

test('a host is cordoned and uncordoned', async () => {
  const cordon = (enable: boolean) => team.leader.call(hosts.cordon, { params: one(), body: { enable } })
  await cordon(true)
  expect((await list({ keyword: worker })).items[0]?.state).toBe('cordoned')
  await cordon(true)
  await cordon(false)
  expect((await list({ keyword: worker })).items[0]?.state).toBe('ready')
})

test('a host that is not ready is cordoned and uncordoned like any other', async () => {
  const name = 'asleep'
  await direct.create(kinds.nodes, { metadata: { name } })
  const seen = async () => (await list({ keyword: name })).items[0]
  const cordon = (enable: boolean) => team.leader.call(hosts.cordon, { params: one(name), body: { enable } })
  await cordon(true)
  expect(await seen()).toMatchObject({ state: 'not_ready', schedulable: false })
  await cordon(false)
  expect(await seen()).toMatchObject({ state: 'not_ready', schedulable: true })
  await direct.remove(kinds.nodes, { name })
})

test('a dedicated host keeps others out and attracts the team’s own pods', async () => {
  const dedicate = (teamId: number | null) =>
    app.admin.call(hosts.dedicated, { params: one(worker, shared), body: { teamId } })
  const stranger = await app.team()
  await expect(dedicate(stranger.id)).rejects.toMatchObject({ status: 409, key: 'hosts-team-not-here' })
  await expect(dedicate(999_999)).rejects.toMatchObject({ status: 400 })
  await dedicate(team.id)
  const { spec, metadata } = await node()
  expect(metadata?.labels).toMatchObject({ 'gantry.dev/dedicated': String(team.id) })
  expect(spec?.taints).toEqual([{ key: 'gantry.dev/dedicated', value: String(team.id), effect: 'NoSchedule' }])
  const seen = async (who = team.leader) =>
    (await who.call(hosts.list, { query: { envUuid: shared, keyword: worker } })).items[0]?.dedicated
  expect(await seen()).toEqual({ id: team.id, name: team.name })
  expect(await seen(neighbour.leader)).toEqual({ id: 0, name: '' })
  await dedicate(null)
  expect(await seen()).toBeNull()
  expect((await node()).spec?.taints ?? []).toEqual([])
})

test('a host takes ingress traffic, unless it runs Windows', async () => {
  const ingress = (enable: boolean, host: string = worker) =>
    team.leader.call(hosts.ingress, { params: one(host), body: { enable } })
  await ingress(true)
  expect((await node()).metadata?.labels).toMatchObject({ 'gantry.dev/ingress': 'true' })
  await ingress(false)
  expect((await node()).metadata?.labels).not.toHaveProperty('gantry.dev/ingress')
})

describe('deleting a host', () => {
  test('is refused while stacks run on it', async () => {
    const stack = await app.db
      .insertInto('stack')
      .values({ team_id: team.id, environment: alone, name: 'shop', namespace, actor: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await direct.create(kinds.pods, {
      metadata: { name: 'web-x', namespace },
      spec: { nodeName: worker, containers: [{ name: 'c', image: 'web:1' }] },
    })
    await expect(team.leader.call(hosts.remove, { params: one() })).rejects.toMatchObject({
      status: 409,
      key: 'hosts-in-use',
      message: expect.stringContaining('shop/web-x'),
    })
    await app.db.deleteFrom('stack').where('id', '=', stack.id).execute()
  })

  test('removes the node', async () => {
    await team.leader.call(hosts.remove, { params: one() })
    expect(await direct.find(kinds.nodes, { name: worker })).toBeUndefined()
    await eventually(async () => expect((await list()).items.map(({ name }) => name)).toEqual([controller, other]))
    await expect(team.leader.call(hosts.remove, { params: one() })).rejects.toMatchObject({ status: 404 })
  })
})
