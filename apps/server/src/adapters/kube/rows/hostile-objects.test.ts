import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NodeRow } from './cluster-rows.ts'
import type { KubeObject } from '../objects.ts'
import type { PodRow } from './pod-row.ts'
import { podSums } from './pod-sums.ts'
import { type ViewName, views } from '../cache/views.ts'

const metadata = {
  name: 'one',
  namespace: 'shop',
  uid: 'u-1',
  resourceVersion: '7',
  creationTimestamp: '2026-01-02T03:04:05Z',
  deletionTimestamp: '2026-01-02T04:04:05Z',
  labels: { app: 'web', 'gantry.dev/dedicated': '5', 'node-role.kubernetes.io/worker': '' },
  annotations: { 'deployment.kubernetes.io/revision': '3' },
  ownerReferences: [{ kind: 'ReplicaSet', name: 'web', uid: 'u-0', controller: true }],
  generation: 2,
}
const conditions = [
  { type: 'Ready', status: 'False', reason: 'Why', message: 'because', lastTransitionTime: '2026-01-02T03:04:05Z' },
  { type: 'DiskPressure', status: 'True', reason: 'Full', message: 'full' },
  { type: 'PodScheduled', status: 'False', message: 'no room' },
]
const container = {
  name: 'main',
  image: 'web:1',
  restartPolicy: 'Always',
  resources: { requests: { cpu: '250m', memory: '64Mi' } },
}
const status = {
  name: 'main',
  image: 'web:1',
  imageID: `x@sha256:${'a'.repeat(64)}`,
  containerID: 'containerd://abc',
  ready: true,
  started: true,
  restartCount: 2,
  state: {
    terminated: { exitCode: 1, signal: 9, reason: 'Error', message: 'ended', startedAt: '2026-01-02T03:04:05Z' },
    waiting: { reason: 'CrashLoopBackOff', message: 'waits' },
  },
}
const workload = {
  metadata,
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { spec: { containers: [container] } },
    updateStrategy: { rollingUpdate: { partition: 1 } },
  },
  status: {
    observedGeneration: 2,
    replicas: 3,
    readyReplicas: 2,
    updatedReplicas: 3,
    availableReplicas: 2,
    desiredNumberScheduled: 3,
    updatedNumberScheduled: 3,
    numberAvailable: 3,
    numberReady: 3,
    active: 1,
    succeeded: 1,
    failed: 1,
    startTime: '2026-01-02T03:04:05Z',
    completionTime: '2026-01-02T03:04:05Z',
    conditions: [{ type: 'Complete', status: 'True', message: 'done' }, ...conditions],
  },
}
const quantities = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi', pods: '110' }

/** An object of each kind, with all fields that its reader uses. */
const whole: Record<ViewName, object> = {
  pods: {
    metadata,
    spec: {
      nodeName: 'n-1',
      containers: [container],
      initContainers: [{ ...container, name: 'first' }],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'own', ephemeral: {} },
      ],
      resources: { requests: { cpu: '1' } },
      overhead: { memory: '1Mi' },
    },
    status: {
      phase: 'Running',
      reason: 'Evicted',
      message: 'gone',
      podIP: '10.0.0.1',
      startTime: '2026-01-02T03:04:05Z',
      conditions,
      containerStatuses: [status],
      initContainerStatuses: [{ ...status, name: 'first' }],
    },
  },
  deployments: workload,
  statefulSets: workload,
  daemonSets: workload,
  replicaSets: workload,
  jobs: workload,
  cronJobs: { metadata, spec: { schedule: '0 3 * * *', suspend: true } },
  services: {
    metadata,
    spec: {
      type: 'NodePort',
      clusterIP: '10.0.0.1',
      ports: [{ name: 'web', protocol: 'TCP', port: 80, targetPort: 8080, nodePort: 30080 }],
      selector: { app: 'web' },
      externalIPs: ['10.0.0.2'],
      externalName: 'example.test',
    },
    status: { loadBalancer: { ingress: [{ ip: '10.0.0.3' }] } },
  },
  events: {
    metadata,
    type: 'Warning',
    reason: 'Failed',
    message: 'it failed',
    count: 3,
    firstTimestamp: '2026-01-02T03:04:05Z',
    series: { count: 4, lastObservedTime: '2026-01-02T03:04:05Z' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u-1' },
    source: { component: 'kubelet' },
  },
  nodes: {
    metadata,
    spec: { unschedulable: true, taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] },
    status: {
      conditions,
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      capacity: quantities,
      allocatable: quantities,
      nodeInfo: {
        kubeletVersion: 'v1.34.0',
        operatingSystem: 'linux',
        architecture: 'amd64',
        kernelVersion: '6.1',
        containerRuntimeVersion: 'containerd://2',
      },
    },
  },
  namespaces: { metadata, status: { phase: 'Terminating', conditions } },
  quotas: { metadata, spec: { hard: quantities }, status: { hard: quantities, used: quantities } },
  volumes: {
    metadata,
    spec: {
      capacity: { storage: '5Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: 'fast',
      nfs: { server: '10.0.0.1', path: '/x' },
      claimRef: { namespace: 'shop', name: 'data', uid: 'u-2' },
    },
    status: { phase: 'Bound', message: 'well' },
  },
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, true, 131, 1.5, -1, 2 ** 40, 1e308, '', '1E400', '9E', `1${'0'.repeat(400)}`, '9999999999'),
  fc.constantFrom([], [null], [1], {}, { toString: 1 }, 'long'.repeat(5_000)),
)

/** The value with arbitrary values in place of any of its parts. */
function spoilt(value: unknown): fc.Arbitrary<unknown> {
  const kept = Array.isArray(value)
    ? fc.tuple(...value.map(spoilt))
    : typeof value === 'object' && value !== null
      ? fc.record(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoilt(one)])))
      : fc.constant(value)
  return fc.oneof({ weight: 12, arbitrary: kept }, { weight: 1, arbitrary: anything })
}

/** Objects with arbitrary keys. */
const records = new Set(['labels', 'selector', 'hard', 'used'])

/** The paths where `row` has another type than `sound`, which has all fields. */
function wrong(row: unknown, sound: unknown, at: string): string[] {
  if (row === undefined || sound === undefined) return []
  if (typeof row === 'string' && row.length > 5_000) return [`${at}: ${row.length} characters`]
  if (typeof row === 'number' && !Number.isFinite(row)) return [`${at}: ${row}`]
  // a service's target port is a number or a port name
  if (typeof row !== typeof sound) return at.endsWith('.targetPort') ? [] : [`${at}: ${JSON.stringify(row)}`]
  if (Array.isArray(sound)) {
    if (!Array.isArray(row)) return [`${at}: no list`]
    return row.flatMap((one) => wrong(one, sound[0], `${at}[]`))
  }
  if (typeof sound !== 'object' || sound === null) return []
  if (row === null || Array.isArray(row)) return [`${at}: ${JSON.stringify(row)}`]
  const record = records.has(at.slice(at.lastIndexOf('.') + 1))
  return Object.entries(row).flatMap(([key, one]) =>
    wrong(one, record ? '' : (sound as Record<string, unknown>)[key], `${at}.${key}`),
  )
}

const rowOf = <Row>(name: ViewName, object: unknown): Row => views[name].keep(object as KubeObject as never) as Row

test.for(Object.keys(whole) as ViewName[])('rows of %s have their declared types, whatever a cluster sends', (name) => {
  const sound = rowOf(name, whole[name])
  expect(wrong(sound, sound, name)).toEqual([])
  const object = spoilt(whole[name]).filter((one) => typeof one === 'object' && one !== null)
  fc.assert(
    fc.property(object, (object) => {
      expect(wrong(rowOf(name, object), sound, name)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('one pod with hostile figures leaves the sums of the others unchanged', () => {
  const pod = (cpu: unknown): PodRow =>
    rowOf('pods', {
      spec: { nodeName: 'n-1', containers: [{ name: 'c', resources: { requests: { cpu, memory: cpu } } }] },
    })
  const usual = pod('3')
  let tell: (change: { type: 'added' | 'removed'; row: PodRow; previous?: PodRow }) => void = () => {}
  const sums = podSums({ all: () => [usual], on: (listener) => ((tell = listener as typeof tell), () => {}) })
  const before = { ...sums('n-1') }
  for (const figure of ['1E400', '9E', '-9E', 1e308, {}, null]) {
    const row = pod(figure)
    tell({ type: 'added', row })
    expect(Object.values(sums('n-1')).every(Number.isSafeInteger)).toBe(true)
    tell({ type: 'removed', row, previous: row })
    expect(sums('n-1')).toEqual(before)
  }
})

test('a text that is not a quantity yields undefined, however long it is', () => {
  const { capacity } = rowOf<NodeRow>('nodes', { status: { capacity: { cpu: `${'1'.repeat(100_000)}x` } } })
  expect(capacity.cpu).toBe(0)
})
