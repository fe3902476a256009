/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { eventually, must, podOf, type Case, type CaseContext } from './trial/trial.ts'

const merge = 'application/merge-patch+json'
const volumesPath = '/api/v1/persistentvolumes'
const classesPath = '/apis/storage.k8s.io/v1/storageclasses'

interface Store {
  /** Used by this case only, so that no other case claims its volumes. */
  kind: string
  volume(spec?: Json, base?: string): Promise<string>
  claim(spec?: Json, base?: string): Promise<string>
  storageClass(more: Json): Promise<void>
  pod(claim: string, spec?: Json): Promise<string>
  seen(path: string, look: (object: Json) => void): Promise<Json>
  volumeIs(name: string, phase: string): Promise<Json>
  claimIs(name: string, phase: string): Promise<Json>
  gone(path: string): Promise<void>
  change(path: string, body: Json): Promise<Json>
  claimPath(name: string): string
  podPath(name: string): string
}

/** A case with the name of a storage class of its own; it deletes everything that it creates. */
function storageCase(title: string, attempt: (store: Store, trial: CaseContext) => Promise<void>): Case {
  return {
    title,
    async run(trial) {
      const { kube, at } = trial
      const kind = trial.name('kind')
      const made: string[] = []
      const make = async (collection: string, body: Json): Promise<string> => {
        must(await kube.call('POST', collection, { body }), 201)
        made.unshift(`${collection}/${body.metadata.name}`)
        return body.metadata.name
      }
      const seen = (path: string, look: (object: Json) => void): Promise<Json> =>
        eventually(async () => {
          const now = must(await kube.call('GET', path), 200)
          look(now)
          return now
        })
      const claimPath = (name: string): string => at('v1', 'persistentvolumeclaims', name)
      const phase = (wanted: string) => (object: Json) => expect(object.status.phase).toBe(wanted)
      const store: Store = {
        kind,
        seen,
        claimPath,
        podPath: (name) => at('v1', 'pods', name),
        volume: (spec = {}, base = 'volume') =>
          make(volumesPath, {
            metadata: { name: trial.name(base) },
            spec: {
              capacity: { storage: '1Gi' },
              accessModes: ['ReadWriteOnce'],
              storageClassName: kind,
              hostPath: { path: `/tmp/${kind}` },
              ...spec,
            },
          }),
        claim: (spec = {}, base = 'claim') =>
          make(at('v1', 'persistentvolumeclaims'), {
            metadata: { name: trial.name(base) },
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '500Mi' } },
              storageClassName: kind,
              ...spec,
            },
          }),
        storageClass: async (more) => void (await make(classesPath, { metadata: { name: kind }, ...more })),
        pod: (claim, spec = {}) => {
          const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: claim } }]
          const container = { volumeMounts: [{ name: 'data', mountPath: '/data' }] }
          return make(at('v1', 'pods'), podOf(trial.name('user'), 'sleep 3600', container, { volumes, ...spec }))
        },
        volumeIs: (name, wanted) => seen(`${volumesPath}/${name}`, phase(wanted)),
        claimIs: (name, wanted) => seen(claimPath(name), phase(wanted)),
        gone: (path) => eventually(async () => void must(await kube.call('GET', path), 404)),
        change: async (path, body) => must(await kube.call('PATCH', path, { body, type: merge }), 200),
      }
      try {
        await attempt(store, trial)
      } finally {
        for (const path of made) await kube.call('DELETE', path, { body: { gracePeriodSeconds: 0 } })
      }
    },
  }
}

const scheduled = (pod: Json): Json => pod.status.conditions?.find((one: Json) => one.type === 'PodScheduled')
const finalizers = (object: Json): string[] => object.metadata.finalizers

export const storageCases: Case[] = [
  storageCase('a volume is free until a claim fits it', async ({ volume, claim, volumeIs, claimIs, kind }) => {
    const name = await volume()
    const free = await volumeIs(name, 'Available')
    expect(free.metadata.finalizers).toEqual(['kubernetes.io/pv-protection'])
    expect(free.status.lastPhaseTransitionTime).toMatch(/Z$/)
    expect(free.spec).toEqual({
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: kind,
      hostPath: { path: `/tmp/${kind}`, type: '' },
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    })
    const one = await claim()
    const bound = await claimIs(one, 'Bound')
    expect(bound.spec).toMatchObject({ volumeName: name, volumeMode: 'Filesystem' })
    expect(bound.status).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } })
    expect(bound.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection'])
    expect(bound.metadata.annotations).toEqual({
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    })
    const taken = await volumeIs(name, 'Bound')
    expect(taken.spec.claimRef).toEqual({
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      namespace: bound.metadata.namespace,
      name: one,
      uid: bound.metadata.uid,
      resourceVersion: expect.any(String),
    })
    expect(taken.metadata.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' })
  }),
  storageCase('a claim takes the volume that fits best, and none that does not fit', async (store) => {
    const { volume, claim, claimIs, volumeIs } = store
    const wide = await volume({ capacity: { storage: '10Gi' } })
    const right = await volume({ capacity: { storage: '600Mi' } })
    const small = await volume({ capacity: { storage: '100Mi' } })
    // A volume with more access modes than requested comes last, however small it is.
    const able = await volume({ capacity: { storage: '550Mi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] })
    const shared = await volume({ capacity: { storage: '5Gi' }, accessModes: ['ReadWriteMany'] })
    const raw = await volume({ volumeMode: 'Block' })
    for (const name of [wide, right, small, able, shared, raw]) await volumeIs(name, 'Available')
    for (const wanted of [right, wide, able])
      expect((await claimIs(await claim(), 'Bound')).spec.volumeName).toBe(wanted)
    const last = await claim()
    for (const name of [small, shared, raw]) await volumeIs(name, 'Available')
    await claimIs(last, 'Pending')
  }),
  storageCase('a volume is reserved for the claim that it names', async ({ volume, claim, claimIs }, { namespace }) => {
    const other = await volume({ claimRef: { namespace, name: 'another' } })
    const one = await claim()
    const kept = await volume({ capacity: { storage: '9Gi' }, claimRef: { namespace, name: one } })
    const bound = await claimIs(one, 'Bound')
    expect(bound.spec.volumeName).toBe(kept)
    expect(bound.spec.volumeName).not.toBe(other)
  }),
  storageCase('a claim names its volume', async ({ volume, claim, claimIs, volumeIs }) => {
    await volume({ capacity: { storage: '600Mi' } })
    const wanted = await volume({ capacity: { storage: '7Gi' } })
    await volumeIs(wanted, 'Available')
    const bound = await claimIs(await claim({ volumeName: wanted }), 'Bound')
    expect(bound.spec.volumeName).toBe(wanted)
    expect(bound.status.capacity).toEqual({ storage: '7Gi' })
  }),
  storageCase('a claim without a matching volume reports that', async ({ claim, claimIs }, { kube, at }) => {
    const name = await claim()
    await claimIs(name, 'Pending')
    const query = { fieldSelector: `involvedObject.name=${name}` }
    await eventually(async () => {
      const { items } = must(await kube.call('GET', at('v1', 'events'), { query }), 200)
      expect(items[0]).toMatchObject({
        type: 'Warning',
        reason: 'ProvisioningFailed',
        message: expect.stringMatching(/^storageclass\.storage\.k8s\.io "\S+" not found$/),
        source: { component: 'persistentvolume-controller' },
        involvedObject: { kind: 'PersistentVolumeClaim' },
      })
    })
  }),
  storageCase(
    'a volume is released, retained, and made available again',
    async ({ volume, claim, volumeIs, claimIs, change, ...store }, { kube }) => {
      const name = await volume()
      await volumeIs(name, 'Available')
      const one = await claim()
      await claimIs(one, 'Bound')
      const going = must(await kube.call('DELETE', store.claimPath(one)), 200)
      expect(going).toMatchObject({ kind: 'PersistentVolumeClaim', metadata: { name: one } })
      await store.gone(store.claimPath(one))
      const released = await volumeIs(name, 'Released')
      expect(released.spec.claimRef).toMatchObject({ name: one })
      // A claim of the same name is another one.
      const again = await claim()
      await claimIs(again, 'Pending')
      await volumeIs(name, 'Released')
      const freed = await change(`${volumesPath}/${name}`, { spec: { claimRef: null } })
      expect(freed.spec.claimRef).toBeUndefined()
      expect((await claimIs(again, 'Bound')).spec.volumeName).toBe(name)
    },
  ),
  storageCase('a released volume without a deleter fails', async (store, { kube }) => {
    const { volume, claim, volumeIs, claimIs, gone, claimPath, change } = store
    const nfs = { server: '10.9.9.9', path: '/export' }
    const name = await volume({ hostPath: undefined, nfs, persistentVolumeReclaimPolicy: 'Delete' })
    await volumeIs(name, 'Available')
    const one = await claim()
    await claimIs(one, 'Bound')
    must(await kube.call('DELETE', claimPath(one)), 200)
    await gone(claimPath(one))
    const failed = await volumeIs(name, 'Failed')
    const message = `error getting deleter volume plugin for volume "${name}": no deletable volume plugin matched`
    expect(failed.status.message).toBe(message)
    const query = { fieldSelector: `involvedObject.name=${name}` }
    await eventually(async () => {
      const { items } = must(await kube.call('GET', '/api/v1/namespaces/default/events', { query }), 200)
      expect(items[0]).toMatchObject({ type: 'Warning', reason: 'VolumeFailedDelete', message })
    })
    await change(`${volumesPath}/${name}`, { spec: { claimRef: null } })
    const free = await volumeIs(name, 'Available')
    expect(free.status.message).toBeUndefined()
  }),
  storageCase('deletions wait while objects are in use', async (store, { kube }) => {
    const { volume, claim, volumeIs, claimIs, pod, seen, podPath, claimPath, gone } = store
    const name = await volume()
    await volumeIs(name, 'Available')
    const one = await claim()
    await claimIs(one, 'Bound')
    const user = await pod(one)
    await seen(podPath(user), (now) => expect(now.status.phase).toBe('Running'))
    must(await kube.call('DELETE', claimPath(one)), 200)
    must(await kube.call('DELETE', `${volumesPath}/${name}`), 200)
    const claimed = await claimIs(one, 'Bound')
    expect(claimed.metadata).toMatchObject({ deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0 })
    expect(finalizers(claimed)).toEqual(['kubernetes.io/pvc-protection'])
    const bound = await volumeIs(name, 'Bound')
    expect(bound.metadata.deletionTimestamp).toBeTruthy()
    expect(finalizers(bound)).toEqual(['kubernetes.io/pv-protection'])
    // A pod that is created now waits forever.
    const late = await pod(one)
    const waiting = await seen(podPath(late), (now) => expect(scheduled(now)?.status).toBe('False'))
    expect(scheduled(waiting).message).toContain(`persistentvolumeclaim "${one}" is being deleted`)
    must(await kube.call('DELETE', podPath(user), { body: { gracePeriodSeconds: 0 } }), 200)
    await gone(claimPath(one))
    await gone(`${volumesPath}/${name}`)
  }),
  storageCase('a free volume is deleted at once', async ({ volume, volumeIs, gone }, { kube }) => {
    const name = await volume()
    await volumeIs(name, 'Available')
    const answer = must(await kube.call('DELETE', `${volumesPath}/${name}`), 200)
    expect(answer).toMatchObject({ kind: 'PersistentVolume', metadata: { name } })
    await gone(`${volumesPath}/${name}`)
  }),
  storageCase('pods wait for their claims', async ({ volume, claim, pod, seen, podPath, claimIs }) => {
    const none = await pod('nothing')
    const first = await seen(podPath(none), (now) => expect(scheduled(now)?.status).toBe('False'))
    expect(scheduled(first)).toMatchObject({ reason: 'Unschedulable' })
    expect(scheduled(first).message).toMatch(
      /^0\/\d+ nodes are available: persistentvolumeclaim "nothing" not found\. /,
    )
    const one = await claim()
    const user = await pod(one)
    const waiting = await seen(podPath(user), (now) => expect(scheduled(now)?.status).toBe('False'))
    expect(scheduled(waiting).message).toMatch(
      /^0\/\d+ nodes are available: pod has unbound immediate PersistentVolumeClaims\. /,
    )
    await volume()
    await claimIs(one, 'Bound')
    await seen(podPath(user), (now) => expect(now.status.phase).toBe('Running'))
  }),
  storageCase(
    'a claim waits for its first pod, which is scheduled to the node of the volume',
    async (store, { kube }) => {
      const { storageClass, volume, claim, claimIs, volumeIs, pod, seen, podPath } = store
      const { items } = must(await kube.call('GET', '/api/v1/nodes'), 200)
      const free = items.find(
        ({ spec, status }: Json) =>
          !spec.taints?.length && status.conditions?.some((one: Json) => one.type === 'Ready' && one.status === 'True'),
      )
      await storageClass({ provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' })
      const on = (name: string): Json => ({
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }] },
          ],
        },
      })
      const elsewhere = await volume({ nodeAffinity: on('nowhere'), capacity: { storage: '600Mi' } })
      await volumeIs(elsewhere, 'Available')
      const one = await claim()
      const user = await pod(one)
      const waiting = await seen(podPath(user), (now) => expect(scheduled(now)?.status).toBe('False'))
      expect(scheduled(waiting).message).toContain("node(s) didn't find available persistent volumes to bind")
      await claimIs(one, 'Pending')
      const here = await volume({ nodeAffinity: on(free.metadata.labels['kubernetes.io/hostname']) })
      const bound = await claimIs(one, 'Bound')
      expect(bound.spec.volumeName).toBe(here)
      const running = await seen(podPath(user), (now) => expect(now.status.phase).toBe('Running'))
      expect(running.spec.nodeName).toBe(free.metadata.name)
      await volumeIs(elsewhere, 'Available')
    },
  ),
  storageCase('the default class, and its annotations', async ({ storageClass, kind }, { kube, at, name }) => {
    const { items } = must(await kube.call('GET', classesPath), 200)
    const mark = 'storageclass.kubernetes.io/is-default-class'
    const standard = items.find(({ metadata }: Json) => metadata.annotations?.[mark] === 'true')
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0.5Gi' } } }
    const body = { metadata: { name: name('claim') }, spec }
    const query = { dryRun: 'All' }
    const made = must(await kube.call('POST', at('v1', 'persistentvolumeclaims'), { body, query }), 201)
    expect(made.spec).toEqual({
      ...spec,
      resources: { requests: { storage: '512Mi' } },
      storageClassName: standard.metadata.name,
      volumeMode: 'Filesystem',
    })
    await storageClass({ provisioner: 'contract.example/none', parameters: { a: '1' }, allowVolumeExpansion: true })
    const path = `${classesPath}/${kind}`
    expect(must(await kube.call('GET', path), 200)).toMatchObject({
      provisioner: 'contract.example/none',
      parameters: { a: '1' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    })
    expect(must(await kube.call('DELETE', path), 200)).toMatchObject({ kind: 'StorageClass', metadata: { name: kind } })
  }),
  storageCase('a bound claim may not grow unless its class allows it', async (store, { kube }) => {
    const { volume, claim, volumeIs, claimIs, claimPath } = store
    await volumeIs(await volume(), 'Available')
    const one = await claim()
    await claimIs(one, 'Bound')
    const ask = (storage: string) =>
      kube.call('PATCH', claimPath(one), { body: { spec: { resources: { requests: { storage } } } }, type: merge })
    const why =
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
    expect((await ask('2Gi')).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `persistentvolumeclaims "${one}" is forbidden: ${why}`,
    })
    expect((await ask('1Mi')).body).toMatchObject({ code: 422, reason: 'Invalid' })
  }),
  storageCase('requests a volume from an external provisioner', async (store, { kube, at }) => {
    const { storageClass, claim, seen, claimPath, claimIs } = store
    await storageClass({ provisioner: 'contract.example/none' })
    const one = await claim()
    await seen(claimPath(one), ({ metadata }) =>
      expect(metadata.annotations).toMatchObject({
        'volume.kubernetes.io/storage-provisioner': 'contract.example/none',
      }),
    )
    const query = { fieldSelector: `involvedObject.name=${one}` }
    await eventually(async () => {
      const { items } = must(await kube.call('GET', at('v1', 'events'), { query }), 200)
      expect(items[0]).toMatchObject({
        type: 'Normal',
        reason: 'ExternalProvisioning',
        message: expect.stringContaining("by the external provisioner 'contract.example/none' or manually"),
      })
    })
    await claimIs(one, 'Pending')
  }),
]
