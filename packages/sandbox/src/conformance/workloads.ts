/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { eventually, must, podOf, templateOf, type Case, type CaseContext } from './trial/trial.ts'
import { conditions, version, versionOf, workloadCase, type Workload } from './trial/workload-case.ts'

const jobOf = (name: string, script: string, spec: object): Json => {
  const template = templateOf(name)
  template.spec.restartPolicy = 'Never'
  template.spec.containers[0].command = ['sh', '-c', script]
  return { metadata: { name }, spec: { template, ...spec } }
}

const cronJobOf = (name: string, script: string, spec: object = {}): Json => {
  const jobTemplate = { metadata: { labels: { cron: name } }, spec: jobOf(name, script, {}).spec }
  return { metadata: { name }, spec: { schedule: '* * * * *', suspend: true, jobTemplate, ...spec } }
}

/** Moves its last slot some minutes into the past, so that no test waits for the clock. */
async function missSlots(one: Workload, { kube }: CaseContext): Promise<void> {
  const lastScheduleTime = `${new Date(Date.now() - 150_000).toISOString().slice(0, 19)}Z`
  const type = 'application/merge-patch+json'
  must(await kube.call('PATCH', `${one.path}/status`, { body: { status: { lastScheduleTime } }, type }), 200)
}

const jobsOf = async (one: Workload, { kube, at }: CaseContext): Promise<Json[]> =>
  must(await kube.call('GET', at('batch/v1', 'jobs'), { query: { labelSelector: `cron=${one.name}` } }), 200).items

/** A minute before the present one that missSlots leaves as missed. */
const earlierSlot = (): string => `${new Date(Date.now() - 90_000).getUTCMinutes()} * * * *`

async function runsFirst(one: Workload, trial: CaseContext): Promise<Json[]> {
  await missSlots(one, trial)
  await one.merge({ spec: { suspend: false } })
  return (await one.until((now) => expect(now.status.active).toHaveLength(1))).status.active
}

export const workloadCases: Case[] = [
  workloadCase(
    'a replica set keeps its number of pods, and adopts matching pods',
    'apps/v1',
    'replicasets',
    (name) => ({
      metadata: { name },
      spec: { replicas: 2, selector: { matchLabels: { app: name } }, template: templateOf(name) },
    }),
    async (one, { kube, at }) => {
      const set = await one.until((now) => expect(now.status.readyReplicas).toBe(2))
      const stray = podOf(`${one.name}-stray`, 'sleep 3600', {}, {}, { labels: { app: one.name } })
      must(await kube.call('POST', at('v1', 'pods'), { body: stray }), 201)
      await one.merge({ spec: { replicas: 3 } })
      await one.until((now) =>
        expect(now.status).toMatchObject({ replicas: 3, readyReplicas: 3, observedGeneration: 2 }),
      )
      expect(
        (await one.pods()).every(
          (pod) => pod.metadata.ownerReferences?.[0].uid === set.metadata.uid || pod.metadata.deletionTimestamp,
        ),
      ).toBe(true)
    },
  ),
  workloadCase(
    'a stateful set creates its pods one after the other, with stable names',
    'apps/v1',
    'statefulsets',
    (name) => ({
      metadata: { name },
      spec: { replicas: 2, serviceName: name, selector: { matchLabels: { app: name } }, template: templateOf(name) },
    }),
    async (one) => {
      const set = await one.until((now) => {
        expect(now.status).toMatchObject({
          replicas: 2,
          readyReplicas: 2,
          availableReplicas: 2,
          currentReplicas: 2,
          updatedReplicas: 2,
        })
        expect(now.status.currentRevision).toBe(now.status.updateRevision)
      })
      expect(set.spec).toMatchObject({
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      })
      const [zero, first] = await one.pods()
      expect([zero.metadata.name, first.metadata.name]).toEqual([`${one.name}-0`, `${one.name}-1`])
      expect(zero.spec).toMatchObject({ hostname: `${one.name}-0`, subdomain: one.name })
      expect(zero.metadata.labels).toMatchObject({
        'statefulset.kubernetes.io/pod-name': `${one.name}-0`,
        'apps.kubernetes.io/pod-index': '0',
        'controller-revision-hash': set.status.currentRevision,
      })
      const ready = (pod: Json): number =>
        Date.parse(pod.status.conditions.find((each: Json) => each.type === 'Ready').lastTransitionTime)
      expect(Date.parse(first.metadata.creationTimestamp)).toBeGreaterThanOrEqual(ready(zero))
      await one.merge(version('2'))
      await one.until((now) => {
        expect(now.status).toMatchObject({ observedGeneration: 2, readyReplicas: 2, updatedReplicas: 2 })
        expect(now.status.updateRevision).not.toBe(set.status.updateRevision)
        expect(now.status.currentRevision).toBe(now.status.updateRevision)
      })
      expect((await one.pods()).map(versionOf)).toEqual(['2', '2'])
      await one.merge({ spec: { replicas: 1 } })
      await eventually(async () =>
        expect((await one.pods()).map((pod) => pod.metadata.name)).toEqual([`${one.name}-0`]),
      )
    },
  ),
  workloadCase(
    'a daemon set runs on every matching node',
    'apps/v1',
    'daemonsets',
    (name) => ({ metadata: { name }, spec: { selector: { matchLabels: { app: name } }, template: templateOf(name) } }),
    async (one) => {
      const set = await one.until((now) => {
        expect(now.status.desiredNumberScheduled).toBeGreaterThan(0)
        expect(now.status.numberReady).toBe(now.status.desiredNumberScheduled)
        expect(now.status.updatedNumberScheduled).toBe(now.status.desiredNumberScheduled)
      })
      const nodes = (await one.pods()).map((pod) => pod.spec.nodeName)
      expect(new Set(nodes).size).toBe(set.status.desiredNumberScheduled)
    },
  ),
  workloadCase(
    'a job runs to completion',
    'batch/v1',
    'jobs',
    (name) => jobOf(name, 'echo hi', { completions: 2, parallelism: 2 }),
    async (one) => {
      const job = await one.until((now) => expect(conditions(now)['Complete']).toEqual(['True', 'CompletionsReached']))
      expect(job.status).toMatchObject({
        succeeded: 2,
        startTime: expect.any(String),
        completionTime: expect.any(String),
        ready: 0,
      })
      expect(conditions(job)['SuccessCriteriaMet']).toEqual(['True', 'CompletionsReached'])
      const pods = await one.pods()
      expect(pods.map((pod) => pod.status.phase)).toEqual(['Succeeded', 'Succeeded'])
      expect(pods[0].metadata.labels).toMatchObject({
        'batch.kubernetes.io/job-name': one.name,
        'job-name': one.name,
        'batch.kubernetes.io/controller-uid': job.metadata.uid,
        'controller-uid': job.metadata.uid,
      })
      await eventually(async () => expect(await one.events()).toContain('Completed: Job completed'))
    },
  ),
  workloadCase(
    'a job that fails too often',
    'batch/v1',
    'jobs',
    (name) => jobOf(name, 'exit 1', { backoffLimit: 0 }),
    async (one) => {
      const job = await one.until((now) => expect(conditions(now)['Failed']).toEqual(['True', 'BackoffLimitExceeded']))
      expect(job.status.failed).toBe(1)
      const { message } = job.status.conditions.find((each: Json) => each.type === 'Failed')
      expect(message).toBe('Job has reached the specified backoff limit')
    },
  ),
  workloadCase(
    'a job that exceeds its deadline',
    'batch/v1',
    'jobs',
    (name) => jobOf(name, 'sleep 3600', { activeDeadlineSeconds: 1 }),
    async (one) => {
      await one.until((now) => expect(conditions(now)['Failed']).toEqual(['True', 'DeadlineExceeded']))
    },
  ),
  workloadCase(
    'a job is deleted some time after its end',
    'batch/v1',
    'jobs',
    (name) => jobOf(name, 'true', { ttlSecondsAfterFinished: 1 }),
    async (one, { kube }) => {
      await eventually(async () => must(await kube.call('GET', one.path), 404))
      await eventually(async () => expect(await one.pods()).toEqual([]))
    },
  ),
  workloadCase(
    'a cron job runs the latest missed slot after it is resumed',
    'batch/v1',
    'cronjobs',
    (name) => cronJobOf(name, 'true'),
    async (one, trial) => {
      await missSlots(one, trial)
      expect((await one.read()).status.active).toBeUndefined()
      expect(await jobsOf(one, trial)).toEqual([])
      await one.merge({ spec: { suspend: false } })
      const cronJob = await one.until((now) => expect(now.status.lastSuccessfulTime).toEqual(expect.any(String)))
      const [job] = await jobsOf(one, trial)
      expect(job.metadata.annotations['batch.kubernetes.io/cronjob-scheduled-timestamp']).toEqual(expect.any(String))
      expect(job.metadata.ownerReferences[0]).toMatchObject({ kind: 'CronJob', name: one.name, controller: true })
      expect(Date.parse(cronJob.status.lastScheduleTime) % 60_000).toBe(0)
      expect(await one.events()).toContain(`SuccessfulCreate: Created job ${job.metadata.name}`)
      must(await trial.kube.call('DELETE', one.path, { body: { propagationPolicy: 'Background' } }), 200)
      await eventually(async () => expect(await jobsOf(one, trial)).toEqual([]))
    },
  ),
  workloadCase(
    'a cron job with policy Forbid starts no job beside a running one',
    'batch/v1',
    'cronjobs',
    (name) => cronJobOf(name, 'sleep 3600', { concurrencyPolicy: 'Forbid', schedule: earlierSlot() }),
    async (one, trial) => {
      const [first] = await runsFirst(one, trial)
      await one.merge({ spec: { schedule: '* * * * *' } })
      await eventually(async () =>
        expect(await one.events()).toContain(
          'JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
        ),
      )
      expect((await one.read()).status.active).toEqual([expect.objectContaining({ uid: first.uid })])
    },
  ),
  workloadCase(
    'a cron job with policy Replace replaces the running job',
    'batch/v1',
    'cronjobs',
    (name) => cronJobOf(name, 'sleep 3600', { concurrencyPolicy: 'Replace', schedule: earlierSlot() }),
    async (one, trial) => {
      const [first] = await runsFirst(one, trial)
      await one.merge({ spec: { schedule: '* * * * *' } })
      await one.until((now) => {
        expect(now.status.active).toHaveLength(1)
        expect(now.status.active[0].uid).not.toBe(first.uid)
      })
    },
  ),
  workloadCase(
    'a cron job keeps no more ended jobs than its limit',
    'batch/v1',
    'cronjobs',
    (name) => cronJobOf(name, 'true', { successfulJobsHistoryLimit: 0 }),
    async (one, trial) => {
      await missSlots(one, trial)
      await one.merge({ spec: { suspend: false } })
      await eventually(async () =>
        expect(await one.events()).toContainEqual(expect.stringMatching(/^SuccessfulDelete/)),
      )
    },
  ),
]
