import { describe, expect, test } from 'vitest'
import { eventRow, namespaceRow, nodeRow, quotaRow, serviceRow } from './cluster-rows.ts'
import { intern, short } from '../parse-object.ts'
import { daemonSetRow, deploymentRow, jobRow, replicaSetRow, statefulSetRow } from './workload-rows.ts'

type Deployment = Parameters<typeof deploymentRow>[0]
type StatefulSet = Parameters<typeof statefulSetRow>[0]

const template = { spec: { containers: [{ name: 'web', image: 'shop/web:1' }] } }
const deployment = (status: Deployment['status'], spec: object = {}): Deployment => ({
  metadata: { name: 'web', namespace: 'n', generation: 2 },
  spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template, ...spec },
  ...(status && { status: { observedGeneration: 2, ...status } }),
})
const condition = (type: string, status: string, reason = '', message = '') => ({ type, status, reason, message })

describe('the progress of a rollout', () => {
  test.each<[string, Deployment]>([
    ['progressing', deployment(undefined)],
    ['progressing', deployment({ observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 })],
    ['progressing', deployment({ replicas: 3, updatedReplicas: 1, availableReplicas: 3 })],
    ['progressing', deployment({ replicas: 4, updatedReplicas: 3, availableReplicas: 3 })],
    ['progressing', deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 2 })],
    ['complete', deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 })],
    ['complete', deployment({}, { replicas: 0 })],
    ['complete', deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 }, { paused: true })],
    ['paused', deployment({ replicas: 3, updatedReplicas: 1 }, { paused: true })],
    [
      'failed',
      deployment({ replicas: 3, conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')] }),
    ],
  ])('of a deployment: %s', (rollout, given) => {
    expect(deploymentRow(given).rollout).toBe(rollout)
  })

  const set = (status: object, spec: object = {}): StatefulSet => ({
    metadata: { generation: 1 },
    spec: { replicas: 2, serviceName: 's', selector: {}, template, ...spec },
    status: { observedGeneration: 1, replicas: 2, ...status },
  })
  const partition = { updateStrategy: { rollingUpdate: { partition: 1 } } }
  test.each<[string, StatefulSet]>([
    ['progressing', set({ observedGeneration: 0 })],
    ['progressing', set({ readyReplicas: 1, updateRevision: 'a', currentRevision: 'a' })],
    ['progressing', set({ readyReplicas: 2, updateRevision: 'b', currentRevision: 'a' })],
    ['complete', set({ readyReplicas: 2, updateRevision: 'a', currentRevision: 'a' })],
    ['progressing', set({ readyReplicas: 2, updatedReplicas: 0 }, partition)],
    ['complete', set({ readyReplicas: 2, updatedReplicas: 1 }, partition)],
  ])('of a stateful set: %s', (rollout, given) => {
    expect(statefulSetRow(given).rollout).toBe(rollout)
  })

  test('of a daemon set', () => {
    const spec = { selector: {}, template }
    const status = { currentNumberScheduled: 2, desiredNumberScheduled: 2, numberMisscheduled: 0, numberReady: 2 }
    const row = (more: object) => daemonSetRow({ spec, status: { ...status, ...more } }).rollout
    expect([row({}), row({ updatedNumberScheduled: 2, numberAvailable: 2 })]).toEqual(['progressing', 'complete'])
  })

  test('includes the reason why it is stuck', () => {
    const quota = condition('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota')
    const row = deploymentRow(deployment({ conditions: [condition('Progressing', 'True', '', 'fine'), quota] }))
    expect(row).toMatchObject({
      message: 'exceeded quota',
      replicas: 3,
      images: [{ container: 'web', image: 'shop/web:1' }],
      selector: { app: 'web' },
    })
  })
})

test('a replica set has its deployment’s revision', () => {
  const metadata = { annotations: { 'deployment.kubernetes.io/revision': '12' } }
  expect(replicaSetRow({ metadata, spec: { selector: {}, template } })).toMatchObject({ revision: 12, replicas: 1 })
})

test.each([
  ['running', {}, { active: 1 }],
  ['suspended', { suspend: true }, {}],
  ['complete', {}, { conditions: [condition('Complete', 'True')] }],
  ['failed', {}, { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] }],
  ['running', {}, { conditions: [condition('Failed', 'False')] }],
])('a job is %s', (state, spec, status) => {
  expect(jobRow({ spec: { template, ...spec }, status }).state).toBe(state)
})

test('a service has its ports and its addresses', () => {
  const row = serviceRow({
    spec: {
      type: 'LoadBalancer',
      clusterIP: '10.96.0.1',
      externalIPs: ['1.2.3.4'],
      selector: { app: 'web' },
      ports: [
        { port: 80, targetPort: 'http', nodePort: 30_080 },
        { port: 53, protocol: 'UDP', name: 'dns' },
      ],
    },
    status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }, { hostname: 'lb.test' }] } },
  })
  expect(row.external).toEqual(['5.6.7.8', 'lb.test', '1.2.3.4'])
  expect(row.ports).toEqual([
    { name: '', protocol: 'TCP', port: 80, targetPort: 'http', nodePort: 30_080 },
    { name: 'dns', protocol: 'UDP', port: 53, targetPort: 53, nodePort: undefined },
  ])
})

describe('an event', () => {
  const about = { kind: 'Pod', namespace: 'n', name: 'p', uid: 'u' }
  test('in the old format has a row', () => {
    expect(
      eventRow({
        metadata: {},
        involvedObject: about,
        type: 'Warning',
        reason: 'BackOff',
        message: 'm'.repeat(3000),
        count: 4,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:05:00Z',
        source: { component: 'kubelet' },
      }),
    ).toMatchObject({
      type: 'Warning',
      count: 4,
      first: '2026-01-01T00:00:00Z',
      last: '2026-01-01T00:05:00Z',
      about,
      source: 'kubelet',
      message: `${'m'.repeat(1000)}…`,
    })
  })
  test('in the new format has a row', () => {
    expect(
      eventRow({
        metadata: {},
        involvedObject: {},
        eventTime: '2026-01-01T00:00:00.000000Z',
        series: { count: 9, lastObservedTime: '2026-01-01T00:09:00.000000Z' },
        source: {},
        reportingComponent: 'scheduler',
      }),
    ).toMatchObject({
      type: 'Normal',
      count: 9,
      first: '2026-01-01T00:00:00.000000Z',
      last: '2026-01-01T00:09:00.000000Z',
      source: 'scheduler',
    })
  })
})

test('a node that is being deleted has the finalizers that keep it', () => {
  const finalizers = ['example.com/machine']
  const deletionTimestamp = '2026-01-01T00:00:00Z'
  expect(nodeRow({ metadata: { finalizers, deletionTimestamp } }).heldBy).toEqual(finalizers)
  expect(nodeRow({ metadata: { finalizers } }).heldBy).toEqual([])
})

test('a node has roles, capacity and troubles', () => {
  const row = nodeRow({
    metadata: { name: 'a', labels: { 'node-role.kubernetes.io/control-plane': '', zone: 'z' } },
    spec: { unschedulable: true, taints: [{ key: 'k', effect: 'NoSchedule' }] },
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '100G' },
      allocatable: { cpu: '3800m', memory: '7Gi', pods: '110' },
      addresses: [
        { type: 'Hostname', address: 'a' },
        { type: 'InternalIP', address: '10.0.0.1' },
      ],
      conditions: [
        condition('DiskPressure', 'True'),
        condition('PIDPressure', 'False'),
        condition('Ready', 'Unknown', '', 'kubelet stopped'),
      ],
    },
  })
  expect(row).toMatchObject({
    namespace: '',
    ready: false,
    schedulable: false,
    roles: ['control-plane'],
    labels: { zone: 'z' },
    troubles: ['DiskPressure'],
    message: 'kubelet stopped',
    internalIp: '10.0.0.1',
    capacity: { cpu: 4000, memory: 8 * 2 ** 30, storage: 1e11, pods: 110 },
    allocatable: { cpu: 3800, memory: 7 * 2 ** 30, storage: 0, pods: 110 },
    taints: [{ key: 'k', value: '', effect: 'NoSchedule' }],
  })
})

test('a namespace that cannot be deleted has the reason; a quota has what it counts', () => {
  const conditions = [
    condition('NamespaceContentRemaining', 'True', 'SomeResourcesRemain', 'pods. has 1 resource instances'),
  ]
  expect(namespaceRow({ status: { phase: 'Terminating', conditions } })).toMatchObject({
    phase: 'Terminating',
    message: 'pods. has 1 resource instances',
  })
  expect(quotaRow({ spec: { hard: { pods: '4' } } })).toMatchObject({ hard: { pods: '4' }, used: {} })
  expect(
    quotaRow({ spec: { hard: { pods: '4' } }, status: { hard: { pods: '3' }, used: { pods: '1' } } }),
  ).toMatchObject({
    hard: { pods: '3' },
    used: { pods: '1' },
  })
})

test('texts are truncated with a mark, and copies are shared', () => {
  expect([short('abc', 3), short('abcd', 3), short(undefined)]).toEqual(['abc', 'abc…', undefined])
  for (let i = 0; i < 30_000; i++) intern(`text ${i}`)
  expect(intern('text 29999')).toBe('text 29999')
})
