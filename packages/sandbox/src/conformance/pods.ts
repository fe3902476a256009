/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { condition, isOver, isReady, isRunning, podCase, sleeper, status } from './trial/pod-case.ts'
import { eventually, must, podOf, watched, type Case } from './trial/trial.ts'

export const podCases: Case[] = [
  podCase('a pod runs and becomes ready', sleeper, async ({ until, events }) => {
    const pod = await until(isReady)
    expect(pod.spec).toMatchObject({
      nodeName: expect.any(String),
      serviceAccountName: 'default',
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      securityContext: {},
    })
    expect(pod.spec.containers[0]).toMatchObject({
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    })
    expect(pod.status).toMatchObject({
      phase: 'Running',
      qosClass: 'BestEffort',
      hostIP: expect.any(String),
      podIP: expect.stringMatching(/^10\.244\./),
      startTime: expect.any(String),
      observedGeneration: 1,
    })
    expect(pod.status.podIPs).toEqual([{ ip: pod.status.podIP }])
    for (const type of ['PodScheduled', 'Initialized', 'ContainersReady', 'PodReadyToStartContainers'])
      expect([type, condition(pod, type)]).toEqual([type, 'True'])
    expect(status(pod)).toMatchObject({
      name: 'c',
      image: 'localhost/busybox:1',
      imageID: expect.stringContaining('sha256:'),
      containerID: expect.stringMatching(/^\w+:\/\/[0-9a-f]{64}$/),
      ready: true,
      started: true,
      restartCount: 0,
      lastState: {},
      state: { running: { startedAt: expect.any(String) } },
    })
    const normal = await eventually(async () => {
      // a kubelet emits a warning if the namespace's ConfigMap does not exist yet, and mounts it at its next try
      const found = (await events()).filter((event) => event.type === 'Normal')
      expect(found.map((event) => event.reason).sort()).toEqual(['Created', 'Pulled', 'Scheduled', 'Started'])
      return found
    })
    const started = normal.find((event) => event.reason === 'Started')
    expect(started).toMatchObject({
      type: 'Normal',
      message: 'Started container c',
      count: 1,
      involvedObject: { kind: 'Pod', apiVersion: 'v1', uid: pod.metadata.uid, fieldPath: 'spec.containers{c}' },
      source: { component: 'kubelet', host: pod.spec.nodeName },
      reportingComponent: 'kubelet',
    })
    expect(normal.find((event) => event.reason === 'Scheduled').message).toMatch(
      new RegExp(`^Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${pod.spec.nodeName}$`),
    )
  }),
  podCase(
    'a pod that succeeds',
    (name) => podOf(name, 'echo done', {}, { restartPolicy: 'Never' }),
    async ({ until }) => {
      const pod = await until(isOver)
      expect(pod.status.phase).toBe('Succeeded')
      expect(status(pod)).toMatchObject({
        ready: false,
        started: false,
        restartCount: 0,
        state: { terminated: { exitCode: 0, reason: 'Completed' } },
      })
      const ready = pod.status.conditions.find((one: Json) => one.type === 'Ready')
      expect(ready).toMatchObject({ status: 'False', reason: 'PodCompleted' })
    },
  ),
  podCase(
    'a pod that fails',
    (name) => podOf(name, 'echo bad >&2; exit 7', {}, { restartPolicy: 'Never' }),
    async ({ until, log }) => {
      const pod = await until(isOver)
      expect(pod.status.phase).toBe('Failed')
      expect(status(pod).state.terminated).toMatchObject({
        exitCode: 7,
        reason: 'Error',
        containerID: expect.any(String),
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
      })
      expect((await log()).text).toBe('bad\n')
    },
  ),
  podCase(
    'a container that keeps crashing',
    (name) => podOf(name, 'echo once more; exit 3'),
    async ({ name, path, until, log, events }, { kube }) => {
      const pod = await until((now) => {
        expect(status(now).state.waiting?.reason).toBe('CrashLoopBackOff')
        expect(status(now).restartCount).toBeGreaterThan(0)
      })
      expect(pod.status.phase).toBe('Running')
      const { namespace, uid } = pod.metadata
      expect(status(pod)).toMatchObject({
        ready: false,
        lastState: { terminated: { exitCode: 3, reason: 'Error' } },
        state: {
          waiting: {
            message: expect.stringMatching(
              new RegExp(`^back-off \\d+m?\\d*s restarting failed container=c pod=${name}_${namespace}\\(${uid}\\)$`),
            ),
          },
        },
      })
      // The end of a run is reported a moment before its log is available.
      await eventually(async () => expect((await log({ previous: true })).text).toBe('once more\n'))
      expect((await log()).text).toBe('once more\n')
      expect(pod.status.conditions.find((one: Json) => one.type === 'Ready')).toMatchObject({
        status: 'False',
        reason: 'ContainersNotReady',
        message: 'containers with unready status: [c]',
      })
      await eventually(async () => {
        const backOff = (await events()).find((event) => event.reason === 'BackOff')
        expect(backOff).toMatchObject({
          type: 'Warning',
          message: `Back-off restarting failed container c in pod ${name}_${namespace}(${uid})`,
        })
      })
      must(await kube.call('GET', path), 200)
    },
  ),
  podCase(
    'a container that restarts only after a failure',
    (name) => podOf(name, 'exit 0', {}, { restartPolicy: 'OnFailure' }),
    async ({ until }) => {
      expect((await until(isOver)).status.phase).toBe('Succeeded')
    },
  ),
  podCase(
    'an image that cannot be pulled',
    (name) => podOf(name, '', { image: 'registry.invalid/none:1', imagePullPolicy: 'Always' }),
    async ({ until, log, events, name }) => {
      const waiting = await until((now) => expect(status(now).state?.waiting?.reason).toBe('ErrImagePull'))
      expect(waiting.status.phase).toBe('Pending')
      expect(status(waiting).state.waiting.message).toContain(
        'failed to pull and unpack image "registry.invalid/none:1": failed to resolve reference "registry.invalid/none:1"',
      )
      const later = await until((now) => expect(status(now).state?.waiting?.reason).toBe('ImagePullBackOff'))
      expect(status(later).state.waiting.message).toContain(
        'Back-off pulling image "registry.invalid/none:1": ErrImagePull: ',
      )
      const answer = await log()
      expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' })
      expect(answer.body.message).toMatch(
        new RegExp(
          `^container "c" in pod "${name}" is waiting to start: (image can't be pulled|trying and failing to pull image)$`,
        ),
      )
      await eventually(async () => {
        const messages = (await events()).map((event) => `${event.type} ${event.reason}: ${event.message}`)
        expect(messages).toContain('Normal Pulling: Pulling image "registry.invalid/none:1"')
        expect(messages).toContain('Warning Failed: Error: ErrImagePull')
        expect(messages).toContain('Warning Failed: Error: ImagePullBackOff')
        expect(messages).toContain('Normal BackOff: Back-off pulling image "registry.invalid/none:1"')
      })
    },
  ),
  podCase(
    'a pod that fits no node',
    (name) => podOf(name, 'true', { resources: { requests: { memory: '100Ti' } } }),
    async ({ until, events }) => {
      const pod = await until((now) => expect(condition(now, 'PodScheduled')).toBe('False'))
      const scheduled = pod.status.conditions.find((one: Json) => one.type === 'PodScheduled')
      expect(scheduled).toMatchObject({
        reason: 'Unschedulable',
        message: expect.stringMatching(/^0\/\d+ nodes are available: (.*, )?\d+ Insufficient memory\./),
      })
      expect(pod.status.phase).toBe('Pending')
      await eventually(async () =>
        expect(await events()).toContainEqual(
          expect.objectContaining({ reason: 'FailedScheduling', type: 'Warning', message: scheduled.message }),
        ),
      )
    },
  ),
  podCase(
    'a selector that no node matches',
    (name) => podOf(name, 'true', {}, { nodeSelector: { 'contract/none': 'none' } }),
    async ({ until }) => {
      const pod = await until((now) => expect(condition(now, 'PodScheduled')).toBe('False'))
      const { message } = pod.status.conditions.find((one: Json) => one.type === 'PodScheduled')
      expect(message).toMatch(
        /^0\/\d+ nodes are available: (.*, )?\d+ node\(s\) didn't match Pod's node affinity\/selector[.,]/,
      )
    },
  ),
  podCase(
    'a container waits for a missing config map',
    (name) =>
      podOf(name, 'echo "$A"; sleep 3600', {
        env: [{ name: 'A', valueFrom: { configMapKeyRef: { name, key: 'k' } } }],
      }),
    async ({ name, until, log }, { kube, at }) => {
      const pod = await until((now) => expect(status(now).state?.waiting?.reason).toBe('CreateContainerConfigError'))
      expect(status(pod).state.waiting.message).toBe(`configmap "${name}" not found`)
      must(
        await kube.call('POST', at('v1', 'configmaps'), { body: { metadata: { name }, data: { k: 'from the map' } } }),
        201,
      )
      await until(isRunning)
      await eventually(async () => expect((await log()).text).toBe('from the map\n'))
    },
  ),
  podCase(
    'init containers run one after the other before the other containers',
    (name) => ({
      ...podOf(
        name,
        'sleep 3600',
        {},
        {
          initContainers: ['one', 'two'].map((each) => ({
            name: each,
            image: 'localhost/busybox:1',
            imagePullPolicy: 'Never',
            command: ['sh', '-c', `echo ${each}`],
          })),
        },
      ),
    }),
    async ({ until, log }) => {
      const pod = await until(isReady)
      const states = pod.status.initContainerStatuses.map((one: Json) => [
        one.name,
        one.ready,
        one.state.terminated?.reason,
      ])
      expect(states).toEqual([
        ['one', true, 'Completed'],
        ['two', true, 'Completed'],
      ])
      expect((await log({ container: 'two' })).text).toBe('two\n')
    },
  ),
  podCase(
    'a failing readiness probe keeps a pod unready',
    (name) =>
      podOf(name, 'sleep 3600', { readinessProbe: { exec: { command: ['cat', '/tmp/ready'] }, periodSeconds: 1 } }),
    async ({ path, until, exec, events }, { kube }) => {
      await until(isRunning)
      await eventually(async () =>
        expect(await events()).toContainEqual(
          expect.objectContaining({
            reason: 'Unhealthy',
            type: 'Warning',
            message: expect.stringMatching(/^Readiness probe failed: /),
          }),
        ),
      )
      const before = await until(isRunning)
      expect([condition(before, 'Ready'), status(before).ready, status(before).started]).toEqual(['False', false, true])
      await kube.exec(`${path}/exec`, exec(['touch', '/tmp/ready']))
      await until(isReady)
    },
  ),
  podCase(
    'quality of service classes',
    (name) => podOf(name, 'true', { resources: { limits: { cpu: '100m', memory: '32Mi' } } }),
    async ({ read }) => {
      const pod = await read()
      expect(pod.spec.containers[0].resources).toEqual({
        limits: { cpu: '100m', memory: '32Mi' },
        requests: { cpu: '100m', memory: '32Mi' },
      })
      expect(pod.status.qosClass).toBe('Guaranteed')
    },
  ),
  podCase(
    'quantities in their canonical form',
    (name) =>
      podOf(name, 'true', {
        resources: { limits: { cpu: 0.5, memory: '1024Mi' }, requests: { cpu: '0.25', memory: '1000k' } },
      }),
    async ({ read }) => {
      const pod = await read()
      expect(pod.spec.containers[0].resources).toEqual({
        limits: { cpu: '500m', memory: '1Gi' },
        requests: { cpu: '250m', memory: '1M' },
      })
      expect(pod.status.qosClass).toBe('Burstable')
    },
  ),
  podCase(
    'a pod is asked to end before it is deleted',
    (name) => podOf(name, 'sleep 3600', {}, { terminationGracePeriodSeconds: 5 }),
    async ({ name, path, until, events }, { kube, at }) => {
      const { metadata } = await until(isReady)
      const query = { resourceVersion: metadata.resourceVersion, fieldSelector: `metadata.name=${name}` }
      const seen = watched(kube, at('v1', 'pods'), query, (list) => list.at(-1)?.type === 'DELETED')
      const answer = must(await kube.call('DELETE', path), 200)
      expect(answer).toMatchObject({
        kind: 'Pod',
        metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 5 },
      })
      const list = await seen
      expect(list.find(({ type }) => type === 'MODIFIED')?.object.metadata.deletionTimestamp).toBeTruthy()
      await eventually(async () =>
        expect(await events()).toContainEqual(
          expect.objectContaining({ reason: 'Killing', message: 'Stopping container c' }),
        ),
      )
    },
  ),
  podCase('an eviction', sleeper, async ({ name, path, until }, { kube }) => {
    await until(isRunning)
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
      deleteOptions: { gracePeriodSeconds: 0 },
    }
    const wrong = await kube.call('POST', `${path}/eviction`, {
      body: { ...body, deleteOptions: { preconditions: { uid: 'other' } } },
    })
    expect(wrong.body).toMatchObject({ code: 409, reason: 'Conflict' })
    expect(must(await kube.call('POST', `${path}/eviction`, { body }), 201)).toMatchObject({
      kind: 'Status',
      status: 'Success',
      code: 201,
    })
    await eventually(async () => must(await kube.call('GET', path), 404))
    must(await kube.call('POST', `${path}/eviction`, { body }), 404)
  }),
]
