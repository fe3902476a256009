/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from '../trial/client.ts'
import { merge, nodeCase } from '../trial/machine-case.ts'
import { eventually, must, podOf, watched, type Case } from '../trial/trial.ts'

const scheduled = (pod: Json): Json => pod.status.conditions?.find((one: Json) => one.type === 'PodScheduled')
/** A kubelet reports at most this number of images: its `nodeStatusMaxImages`. */
const maxImages = 50
const keys = (node: Json): string[] => (node.spec.taints ?? []).map(({ key, effect }: Json) => `${key}:${effect}`)

export const nodeCases: Case[] = [
  {
    title: 'a running node reports itself',
    async run({ kube }) {
      const { items } = must(await kube.call('GET', '/api/v1/nodes'), 200)
      const ready = (node: Json): Json => node.status.conditions?.find((one: Json) => one.type === 'Ready')
      const node = items.find((one: Json) => ready(one)?.status === 'True')
      expect(ready(node)).toEqual({
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: expect.stringContaining('kubelet is posting ready status'),
        lastHeartbeatTime: expect.stringMatching(/Z$/),
        lastTransitionTime: expect.stringMatching(/Z$/),
      })
      expect(node.status.conditions.map((one: Json) => one.type).sort()).toEqual([
        'DiskPressure',
        'MemoryPressure',
        'PIDPressure',
        'Ready',
      ])
      const amounts = {
        cpu: expect.stringMatching(/^\d+$/),
        memory: expect.stringMatching(/^\d+Ki$/),
        pods: '110',
        'ephemeral-storage': expect.any(String),
        'hugepages-1Gi': '0',
        'hugepages-2Mi': '0',
      }
      expect(node.status).toMatchObject({
        capacity: amounts,
        allocatable: amounts,
        addresses: [
          { type: 'InternalIP', address: expect.stringMatching(/^10\.200\.0\.\d+$/) },
          { type: 'Hostname', address: node.metadata.name },
        ],
        daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      })
      expect(Object.keys(node.status.nodeInfo)).toEqual(
        expect.arrayContaining(['architecture', 'containerRuntimeVersion', 'kernelVersion', 'machineID', 'osImage']),
      )
      expect(node.metadata.labels).toMatchObject({ 'kubernetes.io/hostname': node.metadata.name })
    },
  },
  {
    title: 'a node reports the images of pods that ran, at most the fifty largest',
    async run({ kube, at, name }) {
      const one = name('image')
      must(await kube.call('POST', at('v1', 'pods'), { body: podOf(one, 'true', {}, { restartPolicy: 'Never' }) }), 201)
      const pod = await eventually(async () => {
        const now = must(await kube.call('GET', at('v1', 'pods', one)), 200)
        expect(now.status.phase).toBe('Succeeded')
        return now
      })
      await eventually(async () => {
        const node = must(await kube.call('GET', `/api/v1/nodes/${pod.spec.nodeName}`), 200)
        const images: { names?: string[]; sizeBytes: number }[] = node.status.images
        const sizes = images.map(({ sizeBytes }) => sizeBytes)
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
        // With that many larger images, the image is not reported.
        if (images.length < maxImages)
          expect(images.flatMap(({ names }) => names ?? [])).toContain('localhost/busybox:1')
        expect(images.length).toBeLessThanOrEqual(maxImages)
        expect(sizes.at(-1)).toBeGreaterThan(0)
      })
      must(await kube.call('DELETE', at('v1', 'pods', one)), 200)
    },
  },
  {
    title: 'a new node is not ready until its state is evaluated',
    async run({ kube, name }) {
      const metadata = { name: name('machine') }
      const path = `/api/v1/nodes/${metadata.name}`
      const status = { images: [{ names: ['localhost/kept:1'], sizeBytes: 5 }] }
      const made = must(await kube.call('POST', '/api/v1/nodes', { body: { metadata, status } }), 201)
      expect(keys(made)).toEqual(['node.kubernetes.io/not-ready:NoSchedule'])
      // The creator of a node sets its status.
      expect(made.status.images).toEqual(status.images)
      // The state of a node without a kubelet is unknown.
      await eventually(async () => expect(keys(must(await kube.call('GET', path), 200))).toEqual([]))
      must(await kube.call('DELETE', path), 200)
    },
  },
  nodeCase('a node without a kubelet takes pods, and none ever starts', async ({ pod, name }) => {
    const shy = await pod({}, { shy: true })
    const waiting = await shy.until((now) => expect(scheduled(now)?.status).toBe('False'))
    expect(scheduled(waiting).message).toContain('node(s) had untolerated taint(s)')
    const bold = await pod()
    const placed = await bold.until((now) => expect(now.spec.nodeName).toBe(name))
    expect(scheduled(placed)).toMatchObject({ status: 'True' })
    expect(placed.status).toMatchObject({ phase: 'Pending' })
    expect(placed.status.containerStatuses).toBeUndefined()
  }),
  nodeCase('a taint keeps pods off, and a toleration permits them', async ({ merge: change, read, pod, name }) => {
    const taint = { key: 'contract/for', value: 'team-7', effect: 'NoSchedule' }
    const { spec } = await read()
    await change({ spec: { taints: [...(spec.taints ?? []), taint] } })
    const stranger = await pod()
    const waiting = await stranger.until((now) => expect(scheduled(now)?.status).toBe('False'))
    expect(scheduled(waiting)).toMatchObject({ reason: 'Unschedulable' })
    expect(scheduled(waiting).message).toContain('node(s) had untolerated taint(s)')
    const tolerated = { key: 'contract/for', operator: 'Equal', value: 'team-7', effect: 'NoSchedule' }
    const guest = await pod({ tolerations: [tolerated] })
    await guest.until((now) => expect(now.spec.nodeName).toBe(name))
    const other = await pod({ tolerations: [{ ...tolerated, value: 'team-8' }] })
    await other.until((now) => expect(scheduled(now)?.status).toBe('False'))
    const all = await pod({ tolerations: [{ operator: 'Exists' }] })
    await all.until((now) => expect(now.spec.nodeName).toBe(name))
    // Without the taint the other pods are scheduled too.
    const now = await read()
    await change({ spec: { taints: now.spec.taints.filter(({ key }: Json) => key !== 'contract/for') } })
    await stranger.until((seen) => expect(seen.spec.nodeName).toBe(name))
  }),
  nodeCase('a taint evicts pods', async ({ merge: change, read, pod, name }) => {
    const taint = { key: 'contract/out', effect: 'NoExecute' }
    const terminationGracePeriodSeconds = 60
    const leaves = await pod({ terminationGracePeriodSeconds })
    const stays = await pod({ tolerations: [{ key: 'contract/out', operator: 'Exists' }] })
    const lingers = await pod({
      terminationGracePeriodSeconds,
      tolerations: [{ key: 'contract/out', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 }],
    })
    for (const one of [leaves, stays, lingers]) await one.until((now) => expect(now.spec.nodeName).toBe(name))
    const { spec } = await read()
    await change({ spec: { taints: [...(spec.taints ?? []), taint] } })
    for (const one of [leaves, lingers]) {
      const gone = await one.until((now) => expect(now.metadata.deletionTimestamp).toBeTruthy())
      expect(gone.status.conditions.find((each: Json) => each.type === 'DisruptionTarget')).toMatchObject({
        status: 'True',
        reason: 'DeletionByTaintManager',
        message: 'Taint manager: deleting due to NoExecute taint',
      })
    }
    const kept = await stays.until((now) => expect(now.spec.nodeName).toBe(name))
    expect(kept.metadata.deletionTimestamp).toBeUndefined()
  }),
  nodeCase('cordons and uncordons a node', async ({ merge: change, until, pod, name }) => {
    await change({ spec: { unschedulable: true } })
    await until((node) => expect(keys(node)).toContain('node.kubernetes.io/unschedulable:NoSchedule'))
    const waits = await pod()
    const waiting = await waits.until((now) => expect(scheduled(now)?.status).toBe('False'))
    expect(scheduled(waiting).message).toContain('node(s) were unschedulable')
    await change({ spec: { unschedulable: null } })
    await until((node) => expect(keys(node)).not.toContain('node.kubernetes.io/unschedulable:NoSchedule'))
    await waits.until((now) => expect(now.spec.nodeName).toBe(name))
  }),
  nodeCase('required node affinity', async ({ merge: change, pod, name }) => {
    await change({ metadata: { labels: { 'contract/tier': 'gold', 'contract/size': '8' } } })
    const term = (key: string, operator: string, values?: string[]): Json => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values ? { values } : {}) }] }],
        },
      },
    })
    const field: Json = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'contract/tier', operator: 'DoesNotExist' }] },
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] },
          ],
        },
      },
    }
    const fits: Json[] = [
      term('contract/tier', 'In', ['silver', 'gold']),
      term('contract/tier', 'NotIn', ['silver']),
      term('contract/tier', 'Exists'),
      term('contract/none', 'DoesNotExist'),
      term('contract/size', 'Gt', ['7']),
      field,
    ]
    const refused: Json[] = [
      term('contract/tier', 'In', ['silver']),
      term('contract/tier', 'DoesNotExist'),
      term('contract/size', 'Lt', ['8']),
    ]
    for (const affinity of fits) await (await pod({ affinity })).until((now) => expect(now.spec.nodeName).toBe(name))
    for (const affinity of refused) {
      const waiting = await (await pod({ affinity })).until((now) => expect(scheduled(now)?.status).toBe('False'))
      expect(scheduled(waiting).message).toContain("node(s) didn't match Pod's node affinity/selector")
    }
  }),
  nodeCase('required affinity between pods', async ({ pod, name }, { name: newName }) => {
    const rule = (which: 'podAffinity' | 'podAntiAffinity', app: string): Json => {
      const term = { labelSelector: { matchLabels: { app } }, topologyKey: 'contract/machine' }
      return { affinity: { [which]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }
    }
    type Guest = Awaited<ReturnType<typeof pod>>
    const placed = (guest: Guest) => guest.until((now) => expect(now.spec.nodeName).toBe(name))
    const waits = async (guest: Guest, why: string) => {
      const now = await guest.until((one) => expect(scheduled(one)?.status).toBe('False'))
      expect(scheduled(now).message).toContain(why)
    }
    const [one, two, none] = [newName('one'), newName('two'), newName('none')]
    const beside = await pod(rule('podAffinity', one), { labels: { app: two } })
    await waits(beside, "node(s) didn't match pod affinity rules")
    // it wants to be with its own kind, of which it is the first
    await placed(await pod(rule('podAffinity', one), { labels: { app: one } }))
    await placed(beside)
    await waits(await pod(rule('podAntiAffinity', two)), "node(s) didn't match pod anti-affinity rules")
    await placed(await pod(rule('podAntiAffinity', none)))
    await waits(await pod({}, { labels: { app: none } }), "node(s) didn't satisfy existing pods anti-affinity rules")
  }),
  nodeCase('labels, annotations and taints are applied and removed again', async ({ path, read, name }, { kube }) => {
    const apply = async (metadata: Json, spec: Json = {}): Promise<Json> => {
      const body = { apiVersion: 'v1', kind: 'Node', metadata: { name, ...metadata }, spec }
      const query = { fieldManager: 'gantry', force: true }
      return must(await kube.call('PATCH', path, { body, type: 'application/apply-patch+yaml', query }), 200)
    }
    const one = { key: 'contract/one', value: 'x', effect: 'NoSchedule' }
    const first = await apply(
      { labels: { 'contract/a': '1', 'contract/b': '2' }, annotations: { 'contract/note': 'n' } },
      { unschedulable: true },
    )
    expect(first.metadata.labels).toMatchObject({ 'contract/a': '1', 'contract/b': '2', 'contract/machine': name })
    expect(first.spec.unschedulable).toBe(true)
    const second = await apply({ labels: { 'contract/a': '3' } })
    expect(second.metadata.labels).toMatchObject({ 'contract/a': '3', 'contract/machine': name })
    expect(second.metadata.labels['contract/b']).toBeUndefined()
    expect(second.metadata.annotations?.['contract/note']).toBeUndefined()
    expect(second.spec.unschedulable).toBeUndefined()
    // Taints are merged as one value: applying one means applying all.
    const before = await read()
    const third = await apply({}, { taints: [...(before.spec.taints ?? []), one] })
    expect(third.spec.taints).toContainEqual(one)
    expect(third.metadata.labels['contract/a']).toBeUndefined()
  }),
  nodeCase('refuses invalid nodes', async ({ path }, { kube }) => {
    const refused = async (body: Json): Promise<Json> => {
      const answer = await kube.call('PATCH', path, { body, type: merge })
      expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' })
      // The real server reports some problems twice.
      return answer.body.details.causes[0]
    }
    const taint = (more: Json): Json => ({ spec: { taints: [{ key: 'k', effect: 'NoSchedule', ...more }] } })
    expect(await refused(taint({ effect: 'Never' }))).toEqual({
      reason: 'FieldValueNotSupported',
      field: 'metadata.taints[0].effect',
      message: 'Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    })
    expect(await refused(taint({ effect: null }))).toMatchObject({ message: 'Required value' })
    expect(await refused(taint({ key: '-' }))).toMatchObject({ field: 'metadata.taints[0].key' })
    expect(await refused(taint({ value: 'a b' }))).toMatchObject({ field: 'metadata.taints[0].value' })
    expect(await refused({ metadata: { labels: { a: 'b c' } } })).toMatchObject({ field: 'metadata.labels' })
    const twice = [
      { key: 'k', effect: 'NoSchedule' },
      { key: 'k', value: 'v', effect: 'NoSchedule' },
    ]
    const cause = { reason: 'FieldValueDuplicate', field: 'metadata.taints[1]' }
    expect(await refused({ spec: { taints: twice } })).toMatchObject(cause)
  }),
  nodeCase('a watch reports the changes of a node', async ({ merge: change, read, name }, { kube }) => {
    const { metadata } = await read()
    const query = { fieldSelector: `metadata.name=${name}`, resourceVersion: metadata.resourceVersion }
    const seen = watched(kube, '/api/v1/nodes', query, (events) =>
      events.some(({ object }) => object.metadata.annotations?.note === 'seen'),
    )
    await change({ metadata: { annotations: { note: 'seen' } } })
    expect((await seen).every(({ type }) => type === 'MODIFIED')).toBe(true)
    const cordoned = { fieldSelector: 'spec.unschedulable=true', labelSelector: `contract/machine=${name}` }
    const found = async (): Promise<number> =>
      must(await kube.call('GET', '/api/v1/nodes', { query: cordoned }), 200).items.length
    expect(await found()).toBe(0)
    await change({ spec: { unschedulable: true } })
    expect(await found()).toBe(1)
  }),
]
