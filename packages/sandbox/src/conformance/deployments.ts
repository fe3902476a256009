/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { deploymentOf, eventually, must, type Case, type CaseContext } from './trial/trial.ts'
import { conditions, version, versionOf, workloadCase, type Workload } from './trial/workload-case.ts'

const deploymentCase = (
  title: string,
  body: (name: string) => Json,
  attempt: (one: Workload, trial: CaseContext) => Promise<void>,
): Case => workloadCase(title, 'apps/v1', 'deployments', body, attempt)

const isDone = (deployment: Json): void => {
  const { replicas } = deployment.spec
  expect(deployment.status).toMatchObject({
    observedGeneration: deployment.metadata.generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
  })
  expect(conditions(deployment)).toMatchObject({
    Available: ['True', 'MinimumReplicasAvailable'],
    Progressing: ['True', 'NewReplicaSetAvailable'],
  })
  expect(deployment.status.unavailableReplicas).toBeUndefined()
}
const revision = (object: Json): string => object.metadata.annotations['deployment.kubernetes.io/revision']
export const deploymentCases: Case[] = [
  deploymentCase(
    'a deployment creates a replica set, which creates pods',
    (name) => deploymentOf(name, { replicas: 2 }),
    async (one) => {
      const deployment = await one.until(isDone)
      expect(deployment.spec).toMatchObject({
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      })
      expect(revision(deployment)).toBe('1')
      const [set, ...more] = await one.sets()
      expect(more).toEqual([])
      const hash = set.metadata.labels['pod-template-hash']
      expect(set.metadata).toMatchObject({
        name: `${one.name}-${hash}`,
        annotations: {
          'deployment.kubernetes.io/revision': '1',
          'deployment.kubernetes.io/desired-replicas': '2',
          'deployment.kubernetes.io/max-replicas': '3',
        },
        ownerReferences: [
          {
            kind: 'Deployment',
            name: one.name,
            uid: deployment.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      })
      expect(set.spec.selector.matchLabels).toEqual({ app: one.name, 'pod-template-hash': hash })
      expect(set.status).toMatchObject({
        replicas: 2,
        fullyLabeledReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        observedGeneration: 1,
      })
      const pods = await one.pods()
      expect(pods).toHaveLength(2)
      for (const pod of pods)
        expect(pod.metadata).toMatchObject({
          name: expect.stringMatching(new RegExp(`^${one.name}-${hash}-[a-z0-9]{5}$`)),
          generateName: `${one.name}-${hash}-`,
          ownerReferences: [{ kind: 'ReplicaSet', name: set.metadata.name, uid: set.metadata.uid }],
        })
      expect(await one.events()).toContain(`ScalingReplicaSet: Scaled up replica set ${set.metadata.name} from 0 to 2`)
      expect(conditions(deployment)['Progressing']).toEqual(['True', 'NewReplicaSetAvailable'])
      const { message } = deployment.status.conditions.find((each: Json) => each.type === 'Progressing')
      expect(message).toBe(`ReplicaSet "${set.metadata.name}" has successfully progressed.`)
    },
  ),
  deploymentCase(
    'a new template rolls out, and the old one rolls back as a new revision',
    (name) => deploymentOf(name, { replicas: 2 }),
    async (one) => {
      await one.until(isDone)
      const [first] = await one.sets()
      await one.merge(version('2'))
      const second = await one.until((now) => {
        isDone(now)
        expect(revision(now)).toBe('2')
      })
      expect(second.metadata.generation).toBe(2)
      const sizes = (await one.sets()).map((set) => [revision(set), set.spec.replicas]).sort()
      expect(sizes).toEqual([
        ['1', 0],
        ['2', 2],
      ])
      await eventually(async () => expect((await one.pods()).map(versionOf)).toEqual(['2', '2']))
      await one.merge({ spec: { template: { metadata: { annotations: null } } } })
      await one.until((now) => {
        isDone(now)
        expect(revision(now)).toBe('3')
      })
      const back = (await one.sets()).find((set) => set.metadata.uid === first.metadata.uid)
      expect([revision(back), back.spec.replicas]).toEqual(['3', 2])
    },
  ),
  deploymentCase(
    'a rollout never has too few or too many pods',
    (name) => deploymentOf(name, { replicas: 3, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
    async (one, { kube, at }) => {
      const { metadata } = await one.until(isDone)
      const seen: [number, number][] = []
      const watching = (async () => {
        const query = {
          watch: true,
          timeoutSeconds: 60,
          resourceVersion: metadata.resourceVersion,
          fieldSelector: `metadata.name=${one.name}`,
        }
        for await (const line of kube.lines(at('apps/v1', 'deployments'), query)) {
          const { object } = JSON.parse(line)
          seen.push([object.status.replicas, object.status.availableReplicas])
          if (object.status.updatedReplicas === 3 && object.status.replicas === 3) return
        }
      })()
      await one.merge(version('2'))
      await watching
      await one.until(isDone)
      expect(Math.max(...seen.map(([replicas]) => replicas))).toBeLessThanOrEqual(4)
      expect(Math.min(...seen.map(([, available]) => available))).toBeGreaterThanOrEqual(3)
    },
  ),
  deploymentCase(
    'recreation ends all pods before it starts new ones',
    (name) => deploymentOf(name, { replicas: 2, strategy: { type: 'Recreate' } }),
    async (one) => {
      const { spec } = await one.until(isDone)
      expect(spec.strategy).toEqual({ type: 'Recreate' })
      await one.merge(version('2'))
      await one.until((now) => {
        isDone(now)
        expect(revision(now)).toBe('2')
      })
      expect((await one.pods()).filter((pod) => !pod.metadata.deletionTimestamp).map(versionOf)).toEqual(['2', '2'])
    },
  ),
  deploymentCase(
    'scales, also to zero',
    (name) => deploymentOf(name, { replicas: 1 }),
    async (one, { kube }) => {
      await one.until(isDone)
      const scale = must(await kube.call('GET', `${one.path}/scale`), 200)
      expect(scale).toMatchObject({
        kind: 'Scale',
        spec: { replicas: 1 },
        status: { replicas: 1, selector: `app=${one.name}` },
      })
      must(await kube.call('PUT', `${one.path}/scale`, { body: { ...scale, spec: { replicas: 3 } } }), 200)
      await one.until((now) => {
        isDone(now)
        expect(now.spec.replicas).toBe(3)
      })
      // Scaling a deployment does not create a new revision.
      expect(await one.sets()).toHaveLength(1)
      must(
        await kube.call('PATCH', `${one.path}/scale`, {
          body: { spec: { replicas: 0 } },
          type: 'application/merge-patch+json',
        }),
        200,
      )
      const empty = await one.until((now) => {
        expect(now.status.observedGeneration).toBe(now.metadata.generation)
        expect(now.status.replicas).toBeUndefined()
      })
      expect(conditions(empty)).toMatchObject({ Available: ['True', 'MinimumReplicasAvailable'] })
      await eventually(async () => expect(await one.pods()).toEqual([]))
    },
  ),
  deploymentCase(
    'a rollout that makes no progress is reported as failed, and the old version stays',
    (name) =>
      deploymentOf(name, {
        replicas: 1,
        progressDeadlineSeconds: 3,
        minReadySeconds: 0,
        strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      }),
    async (one) => {
      await one.until(isDone)
      const containers = [{ ...deploymentOf('').spec.template.spec.containers[0], image: 'registry.invalid/none:1' }]
      await one.merge({ spec: { template: { spec: { containers } } } })
      const failed = await one.until((now) =>
        expect(conditions(now)['Progressing']?.[1]).toBe('ProgressDeadlineExceeded'),
      )
      expect(conditions(failed)).toMatchObject({
        Progressing: ['False', 'ProgressDeadlineExceeded'],
        Available: ['True', 'MinimumReplicasAvailable'],
      })
      expect(failed.status).toMatchObject({
        replicas: 2,
        updatedReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 1,
      })
      const { message } = failed.status.conditions.find((each: Json) => each.type === 'Progressing')
      expect(message).toMatch(/^ReplicaSet "\S+" has timed out progressing\.$/)
      await one.merge({
        spec: { template: { spec: { containers: deploymentOf(one.name).spec.template.spec.containers } } },
      })
      await one.until(isDone)
    },
  ),
  deploymentCase(
    'a paused deployment waits',
    (name) => deploymentOf(name, { replicas: 1, paused: true }),
    async (one) => {
      const paused = await one.until((now) =>
        expect(conditions(now)['Progressing']).toEqual(['Unknown', 'DeploymentPaused']),
      )
      expect(paused.status.replicas).toBeUndefined()
      await one.merge({ spec: { paused: false } })
      await one.until(isDone)
    },
  ),
  deploymentCase(
    'a deleted pod is replaced',
    (name) => deploymentOf(name),
    async (one, { kube, at }) => {
      await one.until(isDone)
      const [pod] = await one.pods()
      must(await kube.call('DELETE', at('v1', 'pods', pod.metadata.name)), 200)
      await eventually(async () => {
        const pods = await one.pods()
        expect(pods).toHaveLength(1)
        expect(pods[0].metadata.uid).not.toBe(pod.metadata.uid)
        expect(pods[0].status.phase).toBe('Running')
      })
    },
  ),
  deploymentCase(
    'keeps old revisions up to the limit',
    (name) => deploymentOf(name, { replicas: 0, revisionHistoryLimit: 1 }),
    async (one) => {
      await one.until((now) => expect(revision(now)).toBe('1'))
      for (const n of ['1', '2', '3', '4']) {
        await one.merge(version(n))
        await one.until((now) => {
          expect(now.status.observedGeneration).toBe(now.metadata.generation)
          expect(revision(now)).toBe(String(Number(n) + 1))
        })
      }
      await eventually(async () => expect((await one.sets()).map(revision).sort()).toEqual(['4', '5']))
    },
  ),
  deploymentCase(
    'a deletion deletes dependents',
    (name) => deploymentOf(name),
    async (one, { kube }) => {
      await one.until(isDone)
      expect(
        must(await kube.call('DELETE', one.path, { body: { propagationPolicy: 'Foreground' } }), 200),
      ).toMatchObject({
        kind: 'Deployment',
        metadata: { deletionTimestamp: expect.any(String), finalizers: ['foregroundDeletion'] },
      })
      await eventually(async () => must(await kube.call('GET', one.path), 404))
      expect([await one.sets(), (await one.pods()).filter((pod) => !pod.metadata.deletionTimestamp)]).toEqual([[], []])
    },
  ),
  deploymentCase(
    'an orphaning deletion leaves the dependents',
    (name) => deploymentOf(name),
    async (one, { kube, at }) => {
      await one.until(isDone)
      must(await kube.call('DELETE', one.path, { body: { propagationPolicy: 'Orphan' } }), 200)
      await eventually(async () => must(await kube.call('GET', one.path), 404))
      const [set] = await one.sets()
      expect(set.metadata.ownerReferences).toBeUndefined()
      expect(await one.pods()).toHaveLength(1)
      must(
        await kube.call('DELETE', at('apps/v1', 'replicasets', set.metadata.name), {
          body: { propagationPolicy: 'Background' },
        }),
        200,
      )
      await eventually(async () => expect(await one.pods()).toEqual([]))
    },
  ),
]
