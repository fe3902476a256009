import { deleteObject } from '../../api/delete.ts'
import { createObject, isApiError } from '../../api/write.ts'
import type { Cluster } from '../../cluster.ts'
import { kindOf } from '../../objects/kinds.ts'
import { sameValue } from '../../objects/record.ts'
import { scheduleOf } from '../../schedule.ts'
import type { CronJob, Job } from '../../objects/workloads.ts'
import { seconds } from '../../store/store.ts'
import { keyOf, owners, type Controller } from '../loop.ts'
import { controllerOf, ownerReference } from '../pods.ts'
import { record } from '../record.ts'
import { ended } from './jobs.ts'

const jobKind = kindOf('jobs.batch')

const ownJobs = (cluster: Cluster, { metadata }: CronJob): Job[] =>
  cluster.store.list('jobs.batch', metadata.namespace).filter((job) => controllerOf(job)?.uid === metadata.uid)

const isActive = (job: Job): boolean => !ended(job) && !job.metadata.deletionTimestamp

function removeJob(cluster: Cluster, cronJob: CronJob, { metadata }: Job): void {
  deleteObject(cluster, jobKind, metadata.namespace, metadata.name, { propagationPolicy: 'Background' })
  record(cluster, cronJob, {
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted job ${metadata.name}`,
    component: 'cronjob-controller',
  })
}

/** Keeps the newest ended Jobs, up to the limits for succeeded and failed ones. */
function trim(cluster: Cluster, cronJob: CronJob, jobs: Job[]): void {
  const limits = { Complete: cronJob.spec.successfulJobsHistoryLimit, Failed: cronJob.spec.failedJobsHistoryLimit }
  for (const [type, limit] of Object.entries(limits)) {
    const over = jobs.filter((job) => ended(job)?.type === type && !job.metadata.deletionTimestamp)
    over.sort((a, b) => Date.parse(b.status.startTime ?? '') - Date.parse(a.status.startTime ?? ''))
    for (const job of over.slice(limit)) removeJob(cluster, cronJob, job)
  }
}

/** The latest due slot after the last used one; of several missed slots only this one is run. */
function dueAt({ spec, status, metadata }: CronJob, now: number): Date | undefined {
  const since = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp ?? '')
  const slot = scheduleOf(spec.schedule, spec.timeZone)
    ?.previousRuns(2, new Date(now + 1000))
    .find((one) => one.getTime() <= now)
  if (!slot || slot.getTime() <= since) return undefined
  return now > slot.getTime() + (spec.startingDeadlineSeconds ?? Infinity) * 1000 ? undefined : slot
}

const jobName = ({ metadata }: CronJob, slot: Date): string => `${metadata.name}-${Math.floor(slot.getTime() / 60_000)}`

/** Creates the Job of a slot; its name is derived from the slot, so that a slot has one Job however often this runs. */
function start(cluster: Cluster, cronJob: CronJob, slot: Date): boolean {
  const { metadata, spec } = cronJob
  const { labels, annotations } = spec.jobTemplate.metadata ?? {}
  const name = jobName(cronJob, slot)
  const say = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
    record(cluster, cronJob, { type, reason, message, component: 'cronjob-controller' })
  try {
    createObject(cluster, jobKind, metadata.namespace, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        ...(labels ? { labels } : {}),
        annotations: { ...annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': seconds(slot.getTime()) },
        ownerReferences: [ownerReference(cronJob)],
      },
      spec: structuredClone(spec.jobTemplate.spec),
    })
    say('Normal', 'SuccessfulCreate', `Created job ${name}`)
    return true
  } catch (error) {
    if (!isApiError(error)) throw error
    if (cluster.store.get('jobs.batch', metadata.namespace, name)) return true
    say('Warning', 'FailedCreate', `Error creating job: ${error.message}`)
    return false
  }
}

/** Answers the used slot, or undefined if none is due or a running Job forbids another. */
function advance(cluster: Cluster, cronJob: CronJob, later: (ms: number) => void): Date | undefined {
  const { concurrencyPolicy } = cronJob.spec
  const slot = dueAt(cronJob, cluster.now())
  if (!slot) return undefined
  const active = ownJobs(cluster, cronJob).filter(isActive)
  // The Job of this slot was created before its status was written.
  if (active.some(({ metadata }) => metadata.name === jobName(cronJob, slot))) return slot
  if (concurrencyPolicy === 'Forbid' && active.length > 0) {
    // The end of the running Job triggers another call.
    record(cluster, cronJob, {
      type: 'Normal',
      reason: 'JobAlreadyActive',
      message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
      component: 'cronjob-controller',
    })
    return undefined
  }
  if (concurrencyPolicy === 'Replace') for (const job of active) removeJob(cluster, cronJob, job)
  if (start(cluster, cronJob, slot)) return slot
  later(5000)
  return undefined
}

export const cronJobs: Controller = {
  name: 'cronjobs',
  affected: (_, change) =>
    change.resource === 'cronjobs.batch'
      ? [keyOf(change.object)]
      : change.resource === 'jobs.batch'
        ? owners(change, 'CronJob')
        : [],
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const cronJob = store.get('cronjobs.batch', namespace, name)
    if (!cronJob || cronJob.metadata.deletionTimestamp) return
    trim(cluster, cronJob, ownJobs(cluster, cronJob))
    const { spec } = cronJob
    const slot = spec.suspend ? undefined : advance(cluster, cronJob, later)
    const next = scheduleOf(spec.schedule, spec.timeZone)?.nextRun(new Date(cluster.now()))
    if (!spec.suspend && next) later(next.getTime() - cluster.now())

    const jobs = ownJobs(cluster, cronJob)
    const active = jobs.filter(isActive).map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind,
      name: metadata.name,
      namespace,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    }))
    const [succeeded] = jobs
      .flatMap(({ status }) => status.completionTime ?? [])
      .toSorted()
      .toReversed()
    const { active: _, ...kept } = cronJob.status
    const status: CronJob['status'] = {
      ...kept,
      ...(active.length > 0 ? { active } : {}),
      ...(slot ? { lastScheduleTime: seconds(slot.getTime()) } : {}),
      ...(succeeded ? { lastSuccessfulTime: succeeded } : {}),
    }
    if (!sameValue(status, cronJob.status)) store.put('cronjobs.batch', { ...cronJob, status })
  },
}
