import { describe, expect, test } from 'vitest'
import { work } from '../../test/works.ts'
import type { Work } from '../protocol.ts'
import { type Pod, quotaText, phaseOf } from './causes.ts'
import { jobOf, type JobSettings, podOf, secretOf } from './manifest.ts'

const settings: JobSettings = {
  namespace: 'team',
  owner: 'abc',
  serverUrl: 'https://gantry.example.com',
  image: 'node:24',
  cpu: 500,
  memory: 1024 ** 3,
  serviceMemory: 256 * 1024 ** 2,
  disk: 1024 ** 3,
  user: undefined,
  ca: undefined,
}
const secret = 'hunter2-and-more'
const job = {
  ...(work([], { jobId: 12, attempt: 2, timeoutSeconds: 600, image: 'maven:3' }) as Work),
  firstStep: 0,
  services: [{ name: 'db', image: 'postgres:18', environment: [{ name: 'PASSWORD', value: secret }], port: 5432 }],
  environment: [{ name: 'TOKEN', value: secret }],
}

describe('the Job of a job', () => {
  test('is named by job and attempt, starts suspended, and is ended and removed by the cluster', () => {
    const { metadata, spec } = jobOf(settings, job)
    expect(metadata.name).toBe('gantry-abc-12-2')
    expect(spec).toMatchObject({
      suspend: true,
      backoffLimit: 0,
      activeDeadlineSeconds: 900,
      ttlSecondsAfterFinished: 600,
    })
  })

  test('contains no secret; the Secret that belongs to it does', () => {
    expect(JSON.stringify(jobOf(settings, job))).not.toContain(secret)
    const { metadata, data } = secretOf(settings, { work: job, told: [] }, { uid: 'u1', credential: 'ga_x' })
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Job', name: 'gantry-abc-12-2', uid: 'u1' }])
    expect(data).toMatchObject({ 'service-0-0': Buffer.from(secret).toString('base64') })
  })

  test('states the resources of every container and folder, so that a quota counts them', () => {
    const { containers, initContainers, volumes } = podOf(settings, job).spec
    for (const { resources } of [...initContainers, ...containers])
      for (const amounts of [resources.requests, resources.limits])
        expect(amounts).toEqual({ cpu: expect.any(String), memory: expect.any(String) })
    expect(initContainers.map(({ name, image, restartPolicy }) => [name, image, restartPolicy])).toEqual([
      ['service-0', 'postgres:18', 'Always'],
      ['tools', 'node:24', 'Always'],
      ['steps', 'maven:3', 'Always'],
    ])
    expect(initContainers[2]?.resources.limits).toEqual({ cpu: '500m', memory: '1024Mi' })
    expect(volumes).toContainEqual({ name: 'files', emptyDir: { sizeLimit: '1280Mi' } })
  })

  test('shows a step neither the credential nor the input of other steps', () => {
    const { initContainers, automountServiceAccountToken, hostAliases } = podOf(settings, job).spec
    expect(automountServiceAccountToken).toBe(false)
    expect(hostAliases).toEqual([{ ip: '127.0.0.1', hostnames: ['db'] }])
    for (const one of initContainers)
      for (const { name } of 'volumeMounts' in one ? one.volumeMounts : []) expect(['files', 'control']).toContain(name)
  })

  test.each([[undefined], [1000]])('follows the rules for pods as user %s', (user) => {
    const { containers, initContainers, securityContext } = podOf({ ...settings, user }, { ...job, services: [] }).spec
    expect(securityContext).toMatchObject({ seccompProfile: { type: 'RuntimeDefault' } })
    for (const { securityContext } of [...initContainers, ...containers]) {
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false })
      if (user !== undefined)
        expect(securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: user,
          capabilities: { drop: ['ALL'] },
        })
    }
  })
})

const status = (given: Pod['status'], metadata: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: { name: 'gantry-abc-12-2-x', ...metadata },
  spec: { nodeName: 'node-1' },
  ...(given && { status: given }),
})
const beside = (name: string, more: object) => ({ initContainerStatuses: [{ name, image: 'maven:3', ...more }] })
const ended = (exitCode: number, reason = 'Error') => ({
  containerStatuses: [{ name: 'job', state: { terminated: { exitCode, reason } } }],
})

describe('the phase of a pod', () => {
  test.each<[string, Pod, object]>([
    ['just made', status({ phase: 'Pending' }), { is: 'waiting', why: '' }],
    [
      'without a host',
      status({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes: Insufficient cpu' }] }),
      { is: 'waiting', why: '0/1 nodes: Insufficient cpu' },
    ],
    ['in work', status({ containerStatuses: [{ name: 'job', state: { running: {} } }] }), { is: 'running' }],
    ['that reported its end', status({ phase: 'Succeeded', ...ended(0, 'Completed') }), { is: 'done' }],
    ['of a worker that was killed', status(ended(137, 'OOMKilled')), { cause: { key: 'agents-pod-failed' } }],
    [
      'evicted',
      status({ phase: 'Failed', reason: 'Evicted', message: 'low on disk' }),
      { cause: { key: 'agents-pod-evicted', vars: { why: 'low on disk' } } },
    ],
    [
      'over its time',
      status({ phase: 'Failed', reason: 'DeadlineExceeded' }),
      { cause: { key: 'agents-build-timed-out', vars: { minutes: 10 } } },
    ],
    [
      'that is being deleted',
      status({}, { deletionTimestamp: 'now' }),
      { cause: { key: 'agents-pod-deleted', vars: { node: 'node-1' } } },
    ],
    [
      'without its image',
      status(beside('steps', { state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } })),
      { cause: { key: 'agents-pod-image', vars: { image: 'maven:3', why: 'not found' } } },
    ],
    [
      'that still pulls',
      status(beside('steps', { state: { waiting: { reason: 'ErrImagePull' } } })),
      { is: 'waiting' },
    ],
    [
      'whose image has no shell',
      status(
        beside('steps', {
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 128, reason: 'StartError', message: 'no sh' } },
        }),
      ),
      { cause: { key: 'agents-container-failed', vars: { why: 'no sh' } } },
    ],
    [
      'whose step took all memory',
      status({
        ...beside('steps', {
          state: { running: {} },
          lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
        }),
        containerStatuses: [{ name: 'job', state: { running: {} } }],
      }),
      { is: 'running' },
    ],
    [
      'whose service ended',
      status(beside('service-0', { lastState: { terminated: { exitCode: 1 } } })),
      { cause: { key: 'agents-service-ended', vars: { service: 'db' } } },
    ],
  ])('one %s', (_, pod, standing) => {
    expect(phaseOf(pod, job)).toMatchObject(standing)
  })

  test('a quota’s message is reported without the pod that was tried', () => {
    expect(quotaText('pods "x-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1')).toBe(
      'exceeded quota: team, requested: pods=1, used: pods=1',
    )
    expect(quotaText('pods "x" is forbidden: violates PodSecurity')).toBeUndefined()
  })
})
