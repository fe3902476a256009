/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Answer, Json } from '../trial/client.ts'
import { nodeCase } from '../trial/machine-case.ts'
import { isReady, isRunning, podCase, sleeper } from '../trial/pod-case.ts'
import { eventually, must, podOf, templateOf, type Case, type CaseContext } from '../trial/trial.ts'
import { workloadCase } from '../trial/workload-case.ts'

const evictBy =
  ({ kube }: CaseContext) =>
  (path: string, more: Json = {}, query: Record<string, string> = {}): Promise<Answer> => {
    const name = path.split('/').at(-1)
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...more }
    return kube.call('POST', `${path}/eviction`, { body, query })
  }

/** Creates a budget for the pods of a label, waits until it is counted, and answers a function that deletes it. */
async function budget(
  { kube, at }: CaseContext,
  name: string,
  app: string,
  spec: Json = {},
): Promise<() => Promise<void>> {
  const body = { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { app } }, ...spec } }
  must(await kube.call('POST', at('policy/v1', 'poddisruptionbudgets'), { body }), 201)
  const path = at('policy/v1', 'poddisruptionbudgets', name)
  await eventually(async () => {
    const { status, metadata } = must(await kube.call('GET', path), 200)
    expect(status.observedGeneration).toBe(metadata.generation)
    expect(status.expectedPods).toBe(1)
  })
  return async () => void (await kube.call('DELETE', path))
}

const labelled = (name: string, spec: Json = {}, container: Json = {}): Json =>
  podOf(name, 'sleep 3600', container, spec, { labels: { app: name } })

/** Evictions, as a drain meets them. */
export const evictionCases: Case[] = [
  workloadCase(
    'a disruption budget blocks evictions',
    'apps/v1',
    'replicasets',
    (name) => ({
      metadata: { name },
      spec: { replicas: 2, selector: { matchLabels: { app: name } }, template: templateOf(name) },
    }),
    async (one, { kube, at }) => {
      const { name } = one
      const spec = { minAvailable: 2, selector: { matchLabels: { app: name } } }
      must(
        await kube.call('POST', at('policy/v1', 'poddisruptionbudgets'), { body: { metadata: { name }, spec } }),
        201,
      )
      const path = at('policy/v1', 'poddisruptionbudgets', name)
      const counted = (allowed: number) =>
        eventually(async () => {
          const { status, metadata } = must(await kube.call('GET', path), 200)
          expect(status).toMatchObject({
            observedGeneration: metadata.generation,
            expectedPods: 2,
            currentHealthy: 2,
            desiredHealthy: 2 - allowed,
            disruptionsAllowed: allowed,
          })
        })
      await counted(0)
      const [pod] = await one.pods()
      const evict = () =>
        kube.call('POST', `${at('v1', 'pods', pod.metadata.name)}/eviction`, {
          body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod.metadata.name } },
        })
      expect((await evict()).body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        reason: 'TooManyRequests',
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: `The disruption budget ${name} needs 2 healthy pods and has 2 currently`,
            },
          ],
        },
        code: 429,
      })
      const less = { body: { spec: { minAvailable: '50%' } }, type: 'application/merge-patch+json' }
      must(await kube.call('PATCH', path, less), 200)
      await counted(1)
      must(await evict(), 201)
      await eventually(async () =>
        expect((await one.pods()).map((each) => each.metadata.name)).not.toContain(pod.metadata.name),
      )
      await kube.call('DELETE', path)
    },
  ),
  workloadCase(
    'an evicted daemon returns to its node',
    'apps/v1',
    'daemonsets',
    (name) => ({ metadata: { name }, spec: { selector: { matchLabels: { app: name } }, template: templateOf(name) } }),
    async (one, trial) => {
      await one.until(({ status }) => {
        expect(status.desiredNumberScheduled).toBeGreaterThan(0)
        expect(status.numberReady).toBe(status.desiredNumberScheduled)
      })
      const [pod] = await one.pods()
      expect(pod.metadata.ownerReferences).toMatchObject([{ kind: 'DaemonSet', name: one.name, controller: true }])
      const tolerations = pod.spec.tolerations.map(({ key, effect }: Json) => `${key}:${effect}`)
      for (const wanted of ['unschedulable:NoSchedule', 'not-ready:NoExecute', 'unreachable:NoExecute'])
        expect(tolerations).toContain(`node.kubernetes.io/${wanted}`)
      expect(tolerations).toHaveLength(6)
      must(await evictBy(trial)(trial.at('v1', 'pods', pod.metadata.name)), 201)
      await eventually(async () => {
        const now = (await one.pods()).find(({ spec }) => spec.nodeName === pod.spec.nodeName)
        expect(now?.metadata.uid).toBeTruthy()
        expect(now?.metadata.uid).not.toBe(pod.metadata.uid)
      })
    },
  ),
  nodeCase('an evicted pod records the reason', async ({ pod, name }, trial) => {
    const guest = await pod({ terminationGracePeriodSeconds: 60 })
    await guest.until(({ spec }) => expect(spec.nodeName).toBe(name))
    must(await evictBy(trial)(guest.path), 201)
    const going = await guest.until(({ metadata }) => expect(metadata.deletionTimestamp).toBeTruthy())
    expect(going.metadata.deletionGracePeriodSeconds).toBe(60)
    expect(going.status.conditions.find((one: Json) => one.type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    })
    // Another eviction of a pod that is already ending succeeds.
    must(await evictBy(trial)(guest.path), 201)
  }),
  podCase(
    'a pod with two budgets cannot be evicted',
    (name) => labelled(name),
    async ({ name, path, until }, trial) => {
      await until(isReady)
      const ends = [await budget(trial, `${name}-a`, name), await budget(trial, `${name}-b`, name)]
      expect((await evictBy(trial)(path)).body).toMatchObject({
        code: 500,
        message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      })
      for (const end of ends) await end()
    },
  ),
  podCase(
    'a pod that does not run yet is evicted whatever its budget',
    (name) => labelled(name, { nodeSelector: { 'contract/none': 'none' } }),
    async ({ name, path, until }, trial) => {
      await until(({ status }) => expect(status.phase).toBe('Pending'))
      const end = await budget(trial, name, name)
      must(await evictBy(trial)(path), 201)
      await eventually(async () => must(await trial.kube.call('GET', path), 404))
      await end()
    },
  ),
  podCase(
    'an unready pod is evicted only if its budget allows evicting unhealthy pods',
    (name) => labelled(name, {}, { readinessProbe: { exec: { command: ['false'] }, periodSeconds: 1 } }),
    async ({ name, path, until }, trial) => {
      await until(isRunning)
      const end = await budget(trial, name, name)
      expect((await evictBy(trial)(path)).body).toMatchObject({
        code: 429,
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: `The disruption budget ${name} needs 1 healthy pods and has 0 currently`,
            },
          ],
        },
      })
      await end()
      const other = await budget(trial, `${name}-ill`, name, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })
      must(await evictBy(trial)(path), 201)
      await eventually(async () => must(await trial.kube.call('GET', path), 404))
      await other()
    },
  ),
  podCase('a dry run of an eviction, and one with a precondition', sleeper, async ({ path, until, read }, trial) => {
    const { metadata } = await until(isReady)
    const evict = evictBy(trial)
    must(await evict(path, {}, { dryRun: 'All' }), 201)
    expect((await read()).metadata.deletionTimestamp).toBeUndefined()
    const wrong = { deleteOptions: { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } } }
    expect((await evict(path, wrong)).body).toMatchObject({ code: 409, reason: 'Conflict' })
    must(await evict(path, { deleteOptions: { preconditions: { uid: metadata.uid } } }), 201)
    await eventually(async () => must(await trial.kube.call('GET', path), 404))
    expect((await evict(path)).body).toMatchObject({ code: 404, reason: 'NotFound' })
  }),
]
