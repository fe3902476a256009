import { expect, test } from 'vitest'
import { type ContainerRow, podRow, type PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { WorkloadRow } from '../../../adapters/kube/rows/workload-rows.ts'
import { observe } from './observe.ts'

const base = {
  uid: 'u',
  namespace: 'n',
  labels: {},
  created: '2026-01-01T00:00:00Z',
  deleting: undefined,
  owner: undefined,
}

const deployment = (rollout: WorkloadRow['rollout'], message?: string): WorkloadRow => ({
  ...base,
  name: 'web',
  replicas: 1,
  ready: 0,
  updated: 1,
  available: 0,
  rollout,
  message,
  images: [],
  selector: {},
})

const container = (more: Partial<ContainerRow>): ContainerRow => ({
  name: 'web',
  image: 'host/web:1',
  digest: undefined,
  id: undefined,
  role: 'main',
  state: 'waiting',
  reason: undefined,
  message: undefined,
  exitCode: undefined,
  started: undefined,
  ready: false,
  restarts: 0,
  ...more,
})

const pod = (more: Partial<ContainerRow>, rest: Partial<PodRow> = {}): PodRow => ({
  ...podRow({ metadata: { name: 'web-1' }, status: { phase: 'Running' } }),
  containers: [container(more)],
  ...rest,
})

const digest = `sha256:${'a'.repeat(64)}`

test.for<[string, WorkloadRow, PodRow[], string, string | undefined]>([
  ['all of it runs', deployment('complete'), [pod({ ready: true, state: 'running', digest })], 'ready', undefined],
  ['it comes up', deployment('progressing'), [pod({ reason: 'ContainerCreating' })], 'waiting', undefined],
  [
    'no such image',
    deployment('progressing'),
    [pod({ reason: 'ErrImagePull', message: 'manifest unknown' })],
    'hopeless',
    'stacks-image-missing',
  ],
  [
    'a registry that refuses',
    deployment('progressing'),
    [pod({ reason: 'ImagePullBackOff', message: '401 unauthorized' })],
    'waiting',
    'stacks-image-refused',
  ],
  [
    'one crash',
    deployment('progressing'),
    [pod({ reason: 'CrashLoopBackOff', restarts: 1, exitCode: 1 })],
    'waiting',
    'stacks-crashes',
  ],
  [
    'three crashes',
    deployment('progressing'),
    [pod({ reason: 'CrashLoopBackOff', restarts: 3, exitCode: 1 })],
    'hopeless',
    'stacks-crashes',
  ],
  [
    'restarted, and well now',
    deployment('progressing'),
    [pod({ restarts: 2, ready: true, state: 'running' })],
    'waiting',
    undefined,
  ],
  [
    'a missing secret',
    deployment('progressing'),
    [pod({ reason: 'CreateContainerConfigError', message: 'secret "x" not found' })],
    'waiting',
    'stacks-config-error',
  ],
  [
    'no node',
    deployment('progressing'),
    [pod({}, { phase: 'Pending', message: '0/1 nodes are available' })],
    'waiting',
    'stacks-unschedulable',
  ],
  [
    'a quota that is full for now',
    deployment('progressing', 'pods "web-1" is forbidden: exceeded quota'),
    [],
    'waiting',
    'stacks-cannot-start',
  ],
  [
    'a quota that stays full',
    deployment('failed', 'pods "web-1" is forbidden: exceeded quota'),
    [],
    'hopeless',
    'stacks-cannot-start',
  ],
  [
    'a policy',
    deployment('progressing', 'pods "web-1" is forbidden: violates PodSecurity'),
    [],
    'hopeless',
    'stacks-cannot-start',
  ],
  [
    'never ready',
    deployment('failed', 'has timed out progressing'),
    [pod({ state: 'running' })],
    'hopeless',
    'stacks-not-ready-in-time',
  ],
])('%s', ([, workload, pods, outcome, reason]) => {
  const seen = observe(workload, pods)
  expect([seen.outcome, seen.reason?.key]).toEqual([outcome, reason])
})

test('the running digest is known once a container of the newest revision is ready', () => {
  expect(observe(deployment('complete'), [pod({ ready: true, digest })]).digest).toBe(digest)
  expect(observe(deployment('progressing'), [pod({ ready: false, digest })]).digest).toBeUndefined()
})
