import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { storage } from '@gantry/contract/clusters/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { labCluster } from '../../../../test/lab.ts'
import { ownNamespace, type OwnNamespace, until } from '../../../../test/own-namespace.ts'
import { testApp } from '../../../../test/test-app.ts'

const lab = labCluster()

/** The same steps as on the sandbox, on a real Kubernetes, whose own controllers decide what happens to volumes. */
describe.skipIf(!lab)(`storage of a real cluster${lab ? '' : ' (skipped: no lab)'}`, async () => {
  if (!lab) return
  const kube = openKube({ admit: admitLocal })
  const app = await testApp({ ports: { kube } })
  let own: OwnNamespace
  let env = ''
  const made: string[] = []
  beforeAll(async () => {
    own = await ownNamespace(lab.kubeconfig)
    const kubeconfig = readFileSync(lab.kubeconfig, 'utf8')
    ;({ uuid: env } = await app.admin.call(clusters.create, { body: { name: 'lab', kubeconfig } }))
  }, 60_000)
  afterAll(async () => {
    for (const name of made) await own.kube.remove(kinds.persistentVolumes, { name })
    await own.close()
    await kube.close()
  }, 60_000)

  const create = async (source: object) => {
    const name = `gantry-test-${own.labels.run}-${made.length}`
    made.push(name)
    return app.admin.call(storage.createVolume, {
      params: { env },
      body: {
        name,
        capacity: 0.25,
        accessModes: ['ReadWriteOnce'],
        driver: `manual-${own.labels.run}`,
        source: source as { type: 'hostPath'; path: string },
      },
    })
  }
  const phase = async (name: string) => (await own.kube.get(kinds.persistentVolumes, { name })).status?.phase
  const act = (what: 'activate' | 'reclaim' | 'removeVolume', name: string) =>
    app.admin.call<(typeof storage)[typeof what]>(storage[what], { params: { env, name } })
  const bound = async (volumeName: string) => {
    const ref = { namespace: own.namespace, name: `data-${volumeName}` }
    await own.kube.create(kinds.persistentVolumeClaims, {
      metadata: ref,
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '64Mi' } },
        storageClassName: `manual-${own.labels.run}`,
        volumeName,
      },
    })
    await until('the claim is bound', async () => (await phase(volumeName)) === 'Bound')
    return ref
  }

  test('a volume in use stays; once released it is reclaimed as far as its driver can, activated, and deleted', async () => {
    const { name } = await create({ type: 'nfs', server: '127.0.0.1', path: '/nowhere' })
    const claim = await bound(name)
    await expect(act('removeVolume', name)).rejects.toMatchObject({ status: 409, key: 'storage-volume-claimed' })
    await expect(act('activate', name)).rejects.toMatchObject({ status: 409, key: 'storage-volume-is-bound' })
    await own.kube.remove(kinds.persistentVolumeClaims, claim)
    await until('the volume is released', async () => (await phase(name)) === 'Released')
    await act('reclaim', name)
    const failed = await until('the reclaim fails', async () => {
      const { items } = await app.admin.call(storage.volumes, { params: { env }, query: { keyword: name } })
      return items.find(({ state }) => state === 'Failed')
    })
    expect(failed.message).toMatch(/no deletable volume plugin matched/i)
    expect(await act('activate', name)).toMatchObject({ state: 'Available', claim: null, reclaimPolicy: 'Retain' })
    await bound(name).then((ref) => own.kube.remove(kinds.persistentVolumeClaims, ref))
    await until('the volume is released again', async () => (await phase(name)) === 'Released')
    await act('removeVolume', name)
    await until('the volume is gone', async () => !(await own.kube.find(kinds.persistentVolumes, { name })))
  }, 120_000)

  test('a refusal of Kubernetes itself is reported with its reason', async () => {
    const { name, source } = await create({ type: 'hostPath', path: '/tmp/gantry-test' })
    expect(source).toBe('hostPath /tmp/gantry-test')
    await act('removeVolume', name)
    await expect(create({ type: 'local', path: '/tmp/gantry-test', host: 'no-such-host' })).rejects.toMatchObject({
      status: 409,
      key: 'hosts-missing',
    })
  }, 60_000)

  test('of drivers that are made the default concurrently, one is', async () => {
    const defaults = async () =>
      (await app.admin.call(storage.drivers, { params: { env } }))
        .filter(({ isDefault }) => isDefault)
        .map(({ name }) => name)
    const before = await defaults()
    const names = ['a', 'b', 'c'].map((letter) => `gantry-test-${own.labels.run}-${letter}`)
    const choose = (name: string) => app.admin.call(storage.setDefaultDriver, { params: { env, name } })
    try {
      const body = { provisioner: 'example.test/none', isDefault: true }
      await Promise.all(
        names.map((name) => app.admin.call(storage.createDriver, { params: { env }, body: { name, ...body } })),
      )
      expect(await defaults()).toHaveLength(1)
      await Promise.all(names.map(choose))
      expect(await defaults()).toHaveLength(1)
      for (const name of names) {
        await choose(name)
        expect(await defaults()).toEqual([name])
      }
    } finally {
      for (const name of names) await own.kube.remove(kinds.storageClasses, { name })
      for (const name of before) await choose(name)
    }
  }, 60_000)
})
