import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admitLocal } from '../../../test/kube-api.ts'
import { ownNamespace } from '../../../test/own-namespace.ts'
import type { OwnNamespace } from '../../../test/own-namespace.ts'
import { labCluster } from '../../../test/lab.ts'
import { openReflector } from './cache/reflector.ts'
import * as kinds from './resources.ts'
import { openTransport } from './transport/transport.ts'
import { watch } from './cache/watch.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'

/** Our types forbid an unknown field; a user's YAML does not. */
const misspelt = <T extends object>(object: T): T => ({ ...object, bogus: 1 })

const map = ({ namespace, labels }: OwnNamespace, name: string, value: string) => ({
  metadata: { name, namespace, labels },
  data: { value },
})

describe.skipIf(lab === undefined)('a real cluster (needs the lab’s kube)', () => {
  let place: OwnNamespace
  beforeAll(async () => {
    place = await ownNamespace(lab?.kubeconfig ?? '')
  })
  afterAll(() => place.close())

  test('reports its version, and refuses wrong credentials', async () => {
    expect((await place.kube.version()).gitVersion).toMatch(/^v1\.3\d/)
    const wrong = { ...place.address, auth: { kind: 'token', token: 'wrong' } } as const
    await expect(place.port.trial(wrong, (kube) => kube.version())).rejects.toMatchObject({ kind: 'credentials' })
    const stranger = { ...place.address, ca: undefined }
    await expect(place.port.trial(stranger, (kube) => kube.version())).rejects.toMatchObject({ kind: 'tls-untrusted' })
  })

  test('applies objects again without a change, merges, refuses by name, deletes', async () => {
    const { kube, namespace } = place
    const ref = { namespace, name: 'm' }
    const first = await kube.apply(kinds.configMaps, map(place, 'm', '1'))
    const second = await kube.apply(kinds.configMaps, map(place, 'm', '1'))
    expect(second.metadata?.resourceVersion).toBe(first.metadata?.resourceVersion)
    expect(first.metadata?.managedFields?.[0]).toMatchObject({ manager: 'gantry', operation: 'Apply' })
    await expect(kube.create(kinds.configMaps, map(place, 'm', '2'))).rejects.toMatchObject({ kind: 'exists' })
    await kube.merge(kinds.configMaps, ref, { data: { value: null, other: 'x' } })
    expect((await kube.get(kinds.configMaps, ref)).data).toEqual({ other: 'x' })
    await kube.apply(kinds.configMaps, map(place, 'dry', '1'), { dryRun: true })
    expect(await kube.find(kinds.configMaps, { namespace, name: 'dry' })).toBeUndefined()
    await expect(kube.apply(kinds.configMaps, misspelt(map(place, 'm', '1')))).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('bogus'),
    })
    await expect(kube.create(kinds.configMaps, misspelt(map(place, 'n', '1')))).rejects.toMatchObject({
      kind: 'invalid',
    })
    await expect(kube.remove(kinds.configMaps, ref, { uid: 'other' })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await kube.remove(kinds.configMaps, ref)).toBe(true)
    expect(await kube.remove(kinds.configMaps, ref)).toBe(false)
    await expect(kube.get(kinds.configMaps, ref)).rejects.toMatchObject({ kind: 'missing', reason: 'NotFound' })
    await expect(kube.list({ ...kinds.configMaps, group: 'no.such' })).rejects.toMatchObject({
      kind: 'missing',
      reason: '',
    })
  })

  test('lists in pages, and deletes a selection together', async () => {
    const { kube } = place
    for (let i = 0; i < 12; i++) await kube.create(kinds.configMaps, map(place, `page-${i}`, 'x'))
    const selection = place.selection
    const first = await kube.list(kinds.configMaps, selection, { limit: 5 })
    const second = await kube.list(kinds.configMaps, selection, { limit: 50, after: first.next })
    expect([first.items.length, second.items.length, second.next]).toEqual([5, 7, undefined])
    await expect(kube.list(kinds.configMaps, selection, { after: 'nonsense' })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await kube.removeAll(kinds.configMaps, selection)
    expect((await kube.list(kinds.configMaps, selection)).items).toEqual([])
  })

  test('a reflector follows every change, over many watches', async () => {
    const transport = openTransport(place.address, { admit: admitLocal })
    const reflector = openReflector(
      transport,
      {
        resource: kinds.configMaps,
        keep: ({ metadata, data }) => `${metadata?.name}=${data?.['value'] ?? ''}`,
        selection: place.selection,
      },
      { timing: { watch: 1, lived: 0 } },
    )
    const lease = reflector.need()
    const changes: string[] = []
    lease.on(({ type, row }) => changes.push(`${type} ${row}`))
    expect((await lease.ready()).state).toBe('live')
    const wanted: string[] = []
    for (let i = 0; i < 40; i++) {
      await place.kube.apply(kinds.configMaps, map(place, 'w', String(i)))
      wanted.push(`${i ? 'changed' : 'added'} w=${i}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await place.kube.remove(kinds.configMaps, { namespace: place.namespace, name: 'w' })
    wanted.push('removed w=39')
    await expect.poll(() => changes).toEqual(wanted)
    reflector.stop()
    await transport.close()
  })

  test('an old version is reported as gone', async () => {
    const transport = openTransport(place.address, { admit: admitLocal })
    const stop = new AbortController()
    const events = watch(transport, kinds.nodes, { version: '1', seconds: 5, quiet: 60_000, signal: stop.signal })
    const first = await events.next().catch((error: unknown) => error)
    // a young cluster still has its first version: then the watch sends all changes since
    expect(first).toSatisfy((it: { kind?: string; done?: boolean }) => it.kind === 'gone' || it.done === false)
    stop.abort()
    await transport.close()
  })

  test('a deployment is scaled, rolls out, and is evicted from within its budget', async () => {
    const { kube, namespace } = place
    const labels = { app: 'web', ...place.labels }
    const container = { name: 'c', image, imagePullPolicy: 'Never', command: ['sleep', '1000'] }
    const spec = { terminationGracePeriodSeconds: 0, containers: [container] }
    const ref = { namespace, name: 'web' }
    await kube.apply(kinds.deployments, {
      metadata: { ...ref, labels },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    })
    using rows = place.cluster.need('deployments')
    await rows.ready()
    const rollout = () => {
      const row = rows.get(ref)
      return row && `${row.rollout} ${row.ready}/${row.replicas}`
    }
    await expect.poll(rollout).toBe('complete 1/1')
    expect(await kube.scale(kinds.deployments, ref, 2)).toBe(2)
    await expect.poll(rollout).toBe('complete 2/2')
    await kube.apply(kinds.disruptionBudgets, {
      metadata: ref,
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    })
    const [pod] = (await place.cluster.rows('pods', namespace)).rows.filter(({ owner }) => owner?.kind === 'ReplicaSet')
    const one = { namespace, name: pod?.name ?? '' }
    await expect(
      (async () => {
        // the controller needs a moment to see the budget; dry runs are harmless until then
        for (let i = 0; i < 50; i++) await kube.evict(one, { dryRun: true })
      })(),
    ).rejects.toMatchObject({ kind: 'throttled' })
    await kube.apply(kinds.disruptionBudgets, {
      metadata: ref,
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    })
    await expect
      .poll(() =>
        kube.evict(one).then(
          () => 'evicted',
          ({ kind }) => kind,
        ),
      )
      .toBe('evicted')
    await kube.remove(kinds.deployments, ref, { dependants: 'Foreground' })
    await expect.poll(() => rows.get(ref)).toBeUndefined()
  })

  test('quota, pod security and a terminating namespace are refused by their names', async () => {
    const { kube, namespace } = place
    const strict = `${namespace}-strict`
    const inStrict = (spec: object = {}) => ({
      metadata: { name: 'p', namespace: strict },
      spec: { containers: [{ name: 'c', image, ...spec }] },
    })
    await place.namespaceOf(strict, { 'pod-security.kubernetes.io/enforce': 'baseline' })
    await expect(kube.create(kinds.pods, inStrict({ securityContext: { privileged: true } }))).rejects.toMatchObject({
      kind: 'policy',
    })
    await kube.apply(kinds.resourceQuotas, {
      metadata: { name: 'q', namespace: strict },
      spec: { hard: { pods: '0' } },
    })
    await expect
      .poll(() =>
        kube.create(kinds.pods, inStrict(), { dryRun: true }).then(
          () => 'made',
          ({ kind }) => kind,
        ),
      )
      .toBe('quota')
    await kube.apply(kinds.configMaps, {
      metadata: { name: 'stay', namespace: strict, finalizers: ['gantry.dev/test'] },
    })
    await kube.remove(kinds.namespaces, { name: strict })
    await expect
      .poll(() =>
        kube.create(kinds.configMaps, { metadata: { name: 'new', namespace: strict } }).then(
          () => 'made',
          ({ kind }) => kind,
        ),
      )
      .toMatch(/terminating|exists/)
    await kube.merge(kinds.configMaps, { namespace: strict, name: 'stay' }, { metadata: { finalizers: null } })
  })

  test('nodes, events, namespaces, services and quotas have their rows', async () => {
    const { namespace } = place
    const nodes = await place.cluster.rows('nodes')
    expect(nodes.rows.find(({ ready }) => ready)).toMatchObject({
      schedulable: true,
      allocatable: { cpu: expect.any(Number), pods: 110 },
      runtime: expect.stringContaining('containerd'),
    })
    expect((await place.cluster.rows('events', namespace)).rows.some(({ about }) => about.kind === 'Deployment')).toBe(
      true,
    )
    expect((await place.cluster.rows('namespaces')).rows.map(({ name }) => name)).toContain(namespace)
    const dns = (await place.cluster.rows('services', 'kube-system')).rows.find(({ name }) => name === 'kube-dns')
    expect(dns?.ports.map(({ port, protocol }) => `${port}/${protocol}`)).toContain('53/UDP')
    expect(place.port.held()[0]).toMatchObject({ environment: 'lab', health: { state: 'up' } })
  })
})
