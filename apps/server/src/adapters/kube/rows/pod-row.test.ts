import { describe, expect, test } from 'vitest'
import { podRow, podStatus } from './pod-row.ts'

type Pod = Parameters<typeof podRow>[0]
type Statuses = NonNullable<NonNullable<Pod['status']>['containerStatuses']>
type Status = Statuses[number]

const container = (name: string, state: Status['state'] = {}, more: Partial<Status> = {}): Status => ({
  name,
  image: 'i',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...more,
})
const running = (name = 'c', more: Partial<Status> = {}) => container(name, { running: {} }, { ready: true, ...more })
const waiting = (reason: string, restartCount = 0) => container('c', { waiting: { reason } }, { restartCount })
const ended = (exitCode: number, more: object = {}) => container('c', { terminated: { exitCode, ...more } })
const ready = { type: 'Ready', status: 'True' }

const pod = (
  status: Pod['status'],
  {
    deleted = false,
    init = [],
    count = 1,
  }: { deleted?: boolean; init?: ({ always?: boolean } | undefined)[]; count?: number } = {},
): Pod => ({
  metadata: { name: 'p', ...(deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
  spec: {
    containers: Array.from({ length: count }, (_, i) => ({ name: count === 1 ? 'c' : `c${i}` })),
    initContainers: init.map((one, i) => ({ name: `i${i}`, ...(one?.always && { restartPolicy: 'Always' }) })),
  },
  ...(status && { status }),
})

describe('STATUS, READY and RESTARTS equal those of kubectl', () => {
  test.each<[string, string, number, Pod]>([
    ['Unknown', '0/1', 0, pod(undefined)],
    ['Pending', '0/1', 0, pod({ phase: 'Pending' })],
    [
      'SchedulingGated',
      '0/1',
      0,
      pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }),
    ],
    ['ContainerCreating', '0/1', 0, pod({ phase: 'Pending', containerStatuses: [waiting('ContainerCreating')] })],
    ['ImagePullBackOff', '0/1', 0, pod({ phase: 'Pending', containerStatuses: [waiting('ImagePullBackOff')] })],
    ['CrashLoopBackOff', '0/1', 7, pod({ phase: 'Running', containerStatuses: [waiting('CrashLoopBackOff', 7)] })],
    ['Running', '1/1', 2, pod({ phase: 'Running', containerStatuses: [running('c', { restartCount: 2 })] })],
    ['Running', '0/1', 0, pod({ phase: 'Running', containerStatuses: [running('c', { ready: false })] })],
    ['Completed', '0/1', 0, pod({ phase: 'Succeeded', containerStatuses: [ended(0, { reason: 'Completed' })] })],
    ['Error', '0/1', 0, pod({ phase: 'Failed', containerStatuses: [ended(1, { reason: 'Error' })] })],
    ['OOMKilled', '0/1', 0, pod({ phase: 'Running', containerStatuses: [ended(137, { reason: 'OOMKilled' })] })],
    ['ExitCode:3', '0/1', 0, pod({ phase: 'Failed', containerStatuses: [ended(3)] })],
    ['Signal:9', '0/1', 0, pod({ phase: 'Failed', containerStatuses: [ended(137, { signal: 9 })] })],
    ['Evicted', '0/1', 0, pod({ phase: 'Failed', reason: 'Evicted' })],
    [
      'Running',
      '1/2',
      0,
      pod(
        {
          phase: 'Running',
          conditions: [ready],
          containerStatuses: [container('c0', { terminated: { exitCode: 0, reason: 'Completed' } }), running('c1')],
        },
        { count: 2 },
      ),
    ],
    [
      'NotReady',
      '1/2',
      0,
      pod(
        {
          phase: 'Running',
          containerStatuses: [container('c0', { terminated: { exitCode: 0, reason: 'Completed' } }), running('c1')],
        },
        { count: 2 },
      ),
    ],
    ['Terminating', '1/1', 0, pod({ phase: 'Running', containerStatuses: [running()] }, { deleted: true })],
    [
      'Completed',
      '0/1',
      0,
      pod({ phase: 'Succeeded', containerStatuses: [ended(0, { reason: 'Completed' })] }, { deleted: true }),
    ],
    ['Unknown', '0/1', 0, pod({ phase: 'Running', reason: 'NodeLost' }, { deleted: true })],
    ['Init:0/2', '0/1', 0, pod({ phase: 'Pending', initContainerStatuses: [container('i0')] }, { init: [{}, {}] })],
    [
      'Init:1/2',
      '0/1',
      4,
      pod(
        {
          phase: 'Pending',
          initContainerStatuses: [
            container('i0', { terminated: { exitCode: 0 } }, { restartCount: 3 }),
            container('i1', { waiting: { reason: 'PodInitializing' } }, { restartCount: 1 }),
          ],
          containerStatuses: [waiting('PodInitializing')],
        },
        { init: [{}, {}] },
      ),
    ],
    [
      'Init:CrashLoopBackOff',
      '0/1',
      5,
      pod(
        {
          phase: 'Pending',
          initContainerStatuses: [container('i0', { waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 5 })],
        },
        { init: [{}] },
      ),
    ],
    [
      'Init:Error',
      '0/1',
      0,
      pod(
        { phase: 'Failed', initContainerStatuses: [container('i0', { terminated: { exitCode: 1, reason: 'Error' } })] },
        { init: [{}] },
      ),
    ],
    [
      'Init:ExitCode:2',
      '0/1',
      0,
      pod(
        { phase: 'Failed', initContainerStatuses: [container('i0', { terminated: { exitCode: 2 } })] },
        { init: [{}] },
      ),
    ],
    [
      'Running',
      '2/2',
      3,
      pod(
        {
          phase: 'Running',
          initContainerStatuses: [running('i0', { started: true, restartCount: 1 })],
          containerStatuses: [running('c', { restartCount: 2 })],
        },
        { init: [{ always: true }] },
      ),
    ],
  ])('%s %s %d', (status, readiness, restarts, given) => {
    const result = podStatus(given)
    expect([result.status, `${result.ready}/${result.total}`, result.restarts]).toEqual([status, readiness, restarts])
  })
})

test('a row contains only what screens show', () => {
  const digest = `sha256:${'a1'.repeat(32)}`
  const row = podRow({
    metadata: {
      name: 'web-1',
      namespace: 'n',
      uid: 'u',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'gantry.dev/stack': 's', app: 'web', other: 'x', 'io.wise2c.service': 'w' },
      annotations: { big: 'x'.repeat(1000) },
      managedFields: [{}],
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'o' },
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'r', controller: true },
      ],
    },
    spec: {
      nodeName: 'node-1',
      initContainers: [
        { name: 'setup', image: 'busybox' },
        { name: 'proxy', image: 'envoy', restartPolicy: 'Always' },
      ],
      containers: [{ name: 'web', image: 'shop/web:1', env: [{ name: 'PASSWORD', value: 'secret' }] }],
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.7',
      startTime: '2026-01-01T00:00:01Z',
      conditions: [ready],
      initContainerStatuses: [
        { ...container('setup', { terminated: { exitCode: 0, reason: 'Completed' } }) },
        running('proxy', { started: true }),
      ],
      containerStatuses: [
        running('web', {
          imageID: `docker-pullable://shop/web@${digest}`,
          containerID: 'containerd://abc',
          state: { running: { startedAt: '2026-01-01T00:00:02Z' } },
        }),
      ],
    },
  })
  expect(row).toMatchObject({
    name: 'web-1',
    status: 'Running',
    serving: true,
    ready: 2,
    total: 2,
    node: 'node-1',
    ip: '10.0.0.7',
    labels: { 'gantry.dev/stack': 's', app: 'web', 'io.wise2c.service': 'w' },
    owner: { kind: 'ReplicaSet', name: 'web', uid: 'r' },
  })
  expect(row.containers.map(({ name, role, state, digest, id }) => [name, role, state, digest, id])).toEqual([
    ['setup', 'init', 'terminated', undefined, undefined],
    ['proxy', 'sidecar', 'running', undefined, undefined],
    ['web', 'main', 'running', digest, 'abc'],
  ])
  expect(JSON.stringify(row)).not.toMatch(/secret|other|big|managedFields/)
})

test('an unschedulable pod says why', () => {
  const message = '0/3 nodes are available: 3 Insufficient cpu.'
  const row = podRow(pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message }] }))
  expect(row.message).toBe(message)
  expect(row.containers).toEqual([expect.objectContaining({ name: 'c', state: 'waiting', restarts: 0 })])
})
