import { compareNames } from '../../../kernel/in-order.ts'
import { hosts } from '@gantry/contract/clusters/hosts'
import { ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import { storage } from '@gantry/contract/clusters/storage'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, describe, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { sharedSandbox } from '../../../../test/sandbox-app.ts'
import type { TestCaller } from '../../../../test/test-app.ts'

const { app, direct, team, neighbour, alone, shared } = await sharedSandbox()
const mine = 'shop-web'
const theirs = 'other-web'

beforeAll(async () => {
  for (const name of [mine, theirs]) await direct.apply(kinds.namespaces, { metadata: { name } })
  const stack = (teamId: number, namespace: string) => ({
    team_id: teamId,
    environment: shared,
    name: namespace,
    namespace,
    actor: 'admin',
    state: 'running' as const,
  })
  await app.db
    .insertInto('stack')
    .values([stack(team.id, mine), stack(neighbour.id, theirs)])
    .execute()
})

const nfs = { type: 'nfs', server: '10.0.0.1', path: '/exports/data' } as const
let made = 0
const volumeBody = (more: object = {}) => ({
  name: `volume-${++made}`,
  capacity: 1,
  accessModes: ['ReadWriteOnce' as const],
  driver: 'manual',
  source: nfs,
  ...more,
})
const create = (more: object = {}, who: TestCaller = app.admin, env = alone) =>
  who.call(storage.createVolume, { params: { env }, body: volumeBody(more) })
const act = (what: 'activate' | 'reclaim' | 'removeVolume', name: string, who: TestCaller = app.admin) =>
  who.call<(typeof storage)[typeof what]>(storage[what], { params: { env: alone, name } })
const list = (query: object = {}, who: TestCaller = app.admin, env = alone) =>
  who.call(storage.volumes, { params: { env }, query: { pageSize: 100, ...query } })
const names = async (query: object = {}, who?: TestCaller, env?: string) =>
  (await list(query, who, env)).items.map(({ name }) => name)
const phase = async (name: string) => (await direct.get(kinds.persistentVolumes, { name })).status?.phase

/** A claim that is bound to a volume. */
async function claim(volumeName: string, namespace = mine, name = `claim-of-${volumeName}`) {
  await direct.create(kinds.persistentVolumeClaims, {
    metadata: { name, namespace },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'manual',
      volumeName,
    },
  })
  await eventually(async () => expect(await phase(volumeName)).toBe('Bound'))
  return { namespace, name }
}

async function released(more: object = {}) {
  const { name } = await create(more)
  const ref = await claim(name)
  await direct.remove(kinds.persistentVolumeClaims, ref)
  await eventually(async () => expect(await phase(name)).toBe('Released'))
  return name
}

async function podOf(claimName: string, namespace = mine) {
  const name = `uses-${claimName}`
  await direct.create(kinds.pods, {
    metadata: { name, namespace },
    spec: {
      containers: [{ name: 'main', image: 'web:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  })
  return name
}

describe('volumes', () => {
  test('are created from NFS, from a folder of every host, and from a folder of one host', async () => {
    const of = async (source: object) => {
      const volume = await create({ source })
      expect(volume).toMatchObject({ state: 'Available', capacity: 1, reclaimPolicy: 'Retain', driver: 'manual' })
      const { spec, metadata } = await direct.get(kinds.persistentVolumes, { name: volume.name })
      expect(metadata?.labels).toMatchObject({ 'gantry.dev/environment': alone })
      return { source: volume.source, spec }
    }
    expect(await of(nfs)).toMatchObject({
      source: 'nfs 10.0.0.1:/exports/data',
      spec: { nfs: { path: '/exports/data' } },
    })
    expect(await of({ type: 'hostPath', path: '/data' })).toMatchObject({ source: 'hostPath /data' })
    const local = await of({ type: 'local', path: '/data', host: 'sandbox-2' })
    expect(local.spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions).toEqual([
      { key: 'kubernetes.io/hostname', operator: 'In', values: ['sandbox-2'] },
    ])
    await expect(create({ source: { type: 'local', path: '/data', host: 'nobody' } })).rejects.toMatchObject({
      status: 409,
      key: 'hosts-missing',
    })
  })

  test.each<[string, object]>([
    ['the root of a host', { source: { type: 'hostPath', path: '/' } }],
    ['the root of a host, disguised', { source: { type: 'hostPath', path: '//./' } }],
    ['a way up', { source: { type: 'hostPath', path: '/data/../etc' } }],
    ['a way up by NFS', { source: { ...nfs, path: '/exports/..' } }],
    ['an option in place of a server', { source: { ...nfs, server: '-osuid' } }],
    ['a path with the server', { source: { ...nfs, server: '10.0.0.1:/exports' } }],
    ['a relative path', { source: { type: 'hostPath', path: 'data' } }],
    ['no capacity', { capacity: 0 }],
    ['no access mode', { accessModes: [] }],
    ['an access mode twice', { accessModes: ['ReadWriteOnce', 'ReadWriteOnce'] }],
    ['ReadWriteOncePod beside another', { accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] }],
    ['a name that is none', { name: 'Volume_1' }],
    ['another kind of source', { source: { type: 'iscsi', path: '/x' } }],
  ])('are refused with %s', async (_, more) => {
    await expect(create(more)).rejects.toMatchObject({ status: 400 })
  })

  test('have a unique name', async () => {
    const { name } = await create()
    await expect(create({ name })).rejects.toMatchObject({ status: 409, key: 'storage-volume-exists' })
  })

  test('are listed with their claims and users, filtered, sorted and paged by the server', async () => {
    const { name } = await create({ name: 'used-volume', capacity: 7 })
    const ref = await claim(name)
    const pod = await podOf(ref.name)
    await eventually(async () =>
      expect((await list({ keyword: 'used-vol' })).items).toMatchObject([
        { name, state: 'Bound', capacity: 7, claim: { ...ref, pods: [pod] } },
      ]),
    )
    expect(await names({ state: 'Bound' })).toEqual([name])
    expect(await names({ keyword: ref.name })).toEqual([name])
    expect((await names({ sort: '-capacity' }))[0]).toBe(name)
    const all = await names()
    expect(all).toEqual(all.toSorted(compareNames))
    const second = await list({ pageSize: 1, requestPage: 2 })
    expect([second.items.map((one) => one.name), second.totalSize]).toEqual([[all[1]], all.length])
    await expect(list({ sort: 'colour' })).rejects.toMatchObject({ status: 400 })
  })

  test('claimed by another team are hidden, and free ones are shown to all', async () => {
    const [own, foreign, free] = [await create(), await create(), await create()]
    await claim(own.name, mine)
    await claim(foreign.name, theirs)
    await eventually(async () => expect(await names({ state: 'Bound' })).toContain(foreign.name))
    const seen = await names({}, team.leader, shared)
    expect(seen).toEqual(expect.arrayContaining([own.name, free.name]))
    expect(seen).not.toContain(foreign.name)
    const viewer = await neighbour.member(['resource_storage_view'])
    expect(await names({ state: 'Bound' }, viewer, shared)).toEqual([foreign.name])
    await expect(list({}, neighbour.leader, alone)).rejects.toMatchObject({ status: 404 })
    await expect(list({}, await team.member([]), shared)).rejects.toMatchObject({ status: 403 })
  })

  test('in use cannot be deleted, and the refusal names the claim and its pods', async () => {
    const { name } = await create()
    const ref = await claim(name)
    const claimed = act('removeVolume', name)
    await expect(claimed).rejects.toMatchObject({ status: 409, key: 'storage-volume-claimed' })
    await expect(act('removeVolume', name)).rejects.toThrow(`${ref.namespace}/${ref.name}`)
    const pod = await podOf(ref.name)
    await expect(act('removeVolume', name)).rejects.toMatchObject({ status: 409, key: 'volume-in-use' })
    await expect(act('removeVolume', name)).rejects.toThrow(pod)
    expect(await phase(name)).toBe('Bound')
  })

  test('that are deleted while claimed say what keeps them', async () => {
    const { name } = await create()
    await claim(name)
    expect((await list({ keyword: name })).items).toMatchObject([{ heldBy: null }])
    await direct.remove(kinds.persistentVolumes, { name })
    const heldBy = ['kubernetes.io/pv-protection']
    await eventually(async () =>
      expect((await list({ keyword: name })).items).toMatchObject([{ state: 'Bound', heldBy }]),
    )
    await expect(act('removeVolume', name)).rejects.toMatchObject({ status: 409, key: 'storage-volume-deleting' })
  })

  test('that are free or released can be deleted', async () => {
    for (const name of [(await create()).name, await released()]) {
      await act('removeVolume', name)
      expect(await direct.find(kinds.persistentVolumes, { name })).toBeUndefined()
      expect(await names()).not.toContain(name)
      await expect(act('removeVolume', name)).rejects.toMatchObject({ status: 404, key: 'storage-volume-missing' })
    }
  })

  test('created elsewhere can be deleted, however long their names are', async () => {
    const name = 'x'.repeat(200)
    await direct.create(kinds.persistentVolumes, {
      metadata: { name },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], nfs: { server: '10.0.0.1', path: '/x' } },
    })
    await act('removeVolume', name)
    expect(await direct.find(kinds.persistentVolumes, { name })).toBeUndefined()
  })

  test('without their claim are activated, and can be claimed again', async () => {
    const name = await released()
    expect(await act('activate', name)).toMatchObject({ state: 'Available', claim: null })
    expect((await list({ keyword: name })).items).toMatchObject([{ state: 'Available', claim: null }])
    await claim(name, theirs)
  })

  test('without their claim are reclaimed, but if the driver cannot delete, this is reported and the volume can be activated', async () => {
    const name = await released()
    expect(await act('reclaim', name)).toMatchObject({
      state: 'Failed',
      reclaimPolicy: 'Delete',
      message: expect.stringContaining('no deletable volume plugin matched'),
    })
    await expect(act('reclaim', name)).rejects.toMatchObject({ status: 409, key: 'storage-volume-is-failed' })
    expect(await act('activate', name)).toMatchObject({ state: 'Available', reclaimPolicy: 'Retain', message: '' })
  })

  test('whose driver deletes are gone once reclaimed', async () => {
    const namespace = mine
    const name = 'provisioned'
    await direct.create(kinds.persistentVolumeClaims, {
      metadata: { name, namespace },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'sandbox',
      },
    })
    const volume = await eventually(async () => {
      const bound = (await direct.get(kinds.persistentVolumeClaims, { name, namespace })).spec?.volumeName
      expect(bound).toBeDefined()
      return bound ?? ''
    })
    await direct.merge(kinds.persistentVolumes, { name: volume }, { spec: { persistentVolumeReclaimPolicy: 'Retain' } })
    await direct.remove(kinds.persistentVolumeClaims, { name, namespace })
    await eventually(async () => expect(await phase(volume)).toBe('Released'))
    await act('reclaim', volume)
    expect(await direct.find(kinds.persistentVolumes, { name: volume })).toBeUndefined()
    expect(await names()).not.toContain(volume)
  })

  test.each([
    ['activate', 'available'],
    ['reclaim', 'available'],
    ['activate', 'bound'],
    ['reclaim', 'bound'],
  ] as const)('%s is refused for a volume that is %s, as the refusal says', async (what, state) => {
    const { name } = await create()
    if (state === 'bound') await claim(name)
    await expect(act(what, name)).rejects.toMatchObject({ status: 409, key: `storage-volume-is-${state}` })
  })
})

describe('changing storage', () => {
  const body = () => ({ name: `driver-${++made}`, provisioner: 'example.test/none' })

  test('is allowed to a team that has the cluster to itself, except in folders of hosts', async () => {
    const { name } = await create({}, team.leader)
    await act('removeVolume', name, team.leader)
    for (const source of [
      { type: 'hostPath', path: '/data' },
      { type: 'local', path: '/data', host: 'sandbox-2' },
    ])
      await expect(create({ source }, team.leader)).rejects.toMatchObject({
        status: 403,
        key: 'storage-host-path-admin',
      })
    for (const key of ['csi.storage.k8s.io/provisioner-secret-name', 'adminSecretName', 'secret_key'])
      await expect(
        team.leader.call(storage.createDriver, {
          params: { env: alone },
          body: { ...body(), parameters: { [key]: 'x' } },
        }),
      ).rejects.toMatchObject({ status: 403, key: 'storage-driver-secret-admin' })
  })

  test('is allowed only to administrators if teams share the cluster', async () => {
    const { name } = await create()
    const one = { params: { env: shared, name } }
    const shut = { status: 403, key: 'clusters-shared' }
    await expect(create({}, team.leader, shared)).rejects.toMatchObject(shut)
    for (const endpoint of [
      storage.removeVolume,
      storage.activate,
      storage.reclaim,
      storage.setDefaultDriver,
      storage.removeDriver,
    ])
      await expect(team.leader.call(endpoint, one)).rejects.toMatchObject(shut)
    await expect(
      team.leader.call(storage.createDriver, { params: { env: shared }, body: body() }),
    ).rejects.toMatchObject(shut)
    await expect(create({}, neighbour.leader, alone)).rejects.toMatchObject({ status: 404 })
    await expect(create({}, await team.member(['resource_storage_view']))).rejects.toMatchObject({ status: 403 })
  })
})

describe('drivers', () => {
  const drivers = () => app.admin.call(storage.drivers, { params: { env: alone } })
  const add = (name: string, more: object = {}) =>
    app.admin.call(storage.createDriver, {
      params: { env: alone },
      body: { name, provisioner: 'example.test/none', ...more },
    })
  const remove = (name: string) => app.admin.call(storage.removeDriver, { params: { env: alone, name } })
  const defaults = async () => (await drivers()).filter(({ isDefault }) => isDefault).map(({ name }) => name)

  test('are listed with the number of their volumes', async () => {
    await add('counted')
    await create({ driver: 'counted' })
    await eventually(async () =>
      expect(await drivers()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            name: 'sandbox',
            isDefault: true,
            reclaimPolicy: 'Delete',
            binding: 'Immediate',
          }),
          expect.objectContaining({ name: 'counted', isDefault: false, volumeNum: 1 }),
        ]),
      ),
    )
  })

  test('have one default, even if two are made the default concurrently', async () => {
    expect(await add('first', { isDefault: true })).toMatchObject({ isDefault: true })
    expect(await defaults()).toEqual(['first'])
    await Promise.all([add('a', { isDefault: true }), add('z', { isDefault: true }), add('m', { isDefault: true })])
    expect(await defaults()).toHaveLength(1)
    await app.admin.call(storage.setDefaultDriver, { params: { env: alone, name: 'first' } })
    expect(await defaults()).toEqual(['first'])
    const both = ['a', 'z'].map((name) => app.admin.call(storage.setDefaultDriver, { params: { env: alone, name } }))
    expect((await Promise.all(both)).map(({ isDefault }) => isDefault)).toEqual([true, true])
    expect(await defaults()).toHaveLength(1)
    await expect(add('a')).rejects.toMatchObject({ status: 409, key: 'storage-driver-exists' })
  })

  test('with volumes or waiting claims cannot be deleted', async () => {
    await add('kept')
    const { name } = await create({ driver: 'kept' })
    await expect(remove('kept')).rejects.toMatchObject({ status: 409, key: 'storage-driver-in-use' })
    await expect(remove('kept')).rejects.toThrow(name)
    await act('removeVolume', name)
    const waiting = { name: 'waits', namespace: mine }
    await direct.create(kinds.persistentVolumeClaims, {
      metadata: waiting,
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'kept',
      },
    })
    await expect(remove('kept')).rejects.toMatchObject({ status: 409, key: 'storage-driver-claimed' })
    await expect(remove('kept')).rejects.toThrow('shop-web/waits')
    await direct.remove(kinds.persistentVolumeClaims, waiting)
    await eventually(async () => expect(await remove('kept')).toBeNull())
    await expect(remove('kept')).rejects.toMatchObject({ status: 404 })
  })
})

test('ingress groups are the classes of the cluster, with the hosts that take their traffic', async () => {
  const groups = (who: TestCaller = app.admin) => who.call(ingressGroups.list, { params: { env: alone } })
  expect(await groups()).toMatchObject([{ name: 'sandbox', hosts: [] }])
  await app.admin.call(hosts.ingress, { params: { env: alone, host: 'sandbox-2' }, body: { enable: true } })
  expect(await groups(await team.member(['resource_ingress_view']))).toMatchObject([
    { name: 'sandbox', controller: expect.any(String), hosts: [{ name: 'sandbox-2', ready: true }] },
  ])
  await expect(groups(neighbour.leader)).rejects.toMatchObject({ status: 404 })
})
