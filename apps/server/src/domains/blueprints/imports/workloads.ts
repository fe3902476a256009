import type { Workload } from '@gantry/contract/stacks/spec-run'
import { withoutUndefined } from './containers.ts'
import type { Draft, Fields } from './fields.ts'
import type { Reporter } from './telling.ts'

/** Kinds that become services. */
export const workloads: Record<string, Workload> = {
  Deployment: 'deployment',
  StatefulSet: 'statefulset',
  DaemonSet: 'daemonset',
  Job: 'job',
  CronJob: 'cronjob',
}

const share = (text: string | undefined): number | string | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : text

function putRollout(draft: Draft, spec: Fields): void {
  const strategy = spec.fields('strategy')
  const rolling = strategy?.fields('rollingUpdate')
  const [surge, unavailable] = [share(rolling?.text('maxSurge')), share(rolling?.text('maxUnavailable'))]
  const at = spec.place('strategy')
  if (strategy?.text('type') === 'Recreate') draft.put('rollout', { type: 'recreate' }, at)
  else if (surge !== undefined || unavailable !== undefined)
    draft.put('rollout', { type: 'rolling', surge: surge ?? '25%', unavailable: unavailable ?? '25%' }, at)
}

/** Kubernetes' default number of failures after which it gives up a Job. */
const usualRetries = 6

function putJob(draft: Draft, spec: Fields): void {
  const job = {
    completions: spec.figure('completions'),
    parallelism: spec.figure('parallelism'),
    retries: spec.figure('backoffLimit') ?? usualRetries,
    deadlineSeconds: spec.figure('activeDeadlineSeconds'),
  }
  spec.usual('suspend', false)
  spec.usual('completionMode', 'NonIndexed')
  spec.usual('manualSelector', false)
  draft.put('job', withoutUndefined(job), spec.at)
}

function putSchedule(draft: Draft, spec: Fields, tell: Reporter): void {
  const overlap = spec.text('concurrencyPolicy') ?? 'Allow'
  if (overlap === 'Allow') tell.note(spec.place('concurrencyPolicy'), 'imports-overlap')
  draft.put(
    'schedule',
    withoutUndefined({
      cron: spec.text('schedule') ?? '',
      zone: spec.text('timeZone'),
      overlap: overlap === 'Replace' ? 'replace' : undefined,
      paused: spec.truth('suspend'),
    }),
    spec.place('schedule'),
  )
  spec.usual('successfulJobsHistoryLimit', 3)
  spec.usual('failedJobsHistoryLimit', 3, 1)
}

/** Reads a workload's fields other than its pods. Returns the fields of its pod template. */
export function putWorkload(
  draft: Draft,
  kind: Workload,
  spec: Fields,
  isOwn: boolean,
  tell: Reporter,
): Fields | undefined {
  if (kind !== 'deployment') draft.put('workload', kind, spec.at)
  const replicas = spec.figure('replicas')
  if (kind === 'deployment' || kind === 'statefulset') draft.put('replicas', replicas, spec.place('replicas'))
  // the product finds pods by its own labels
  spec.pass('selector')
  if (isOwn) spec.pass('revisionHistoryLimit', 'progressDeadlineSeconds', 'minReadySeconds')
  spec.usual('revisionHistoryLimit', 10, 3)
  spec.usual('progressDeadlineSeconds', 600)
  spec.usual('minReadySeconds', 0)
  switch (kind) {
    case 'deployment':
      putRollout(draft, spec)
      spec.usual('paused', false)
      break
    case 'statefulset':
      spec.pass('serviceName')
      spec.usual('podManagementPolicy', 'Parallel')
      spec.usual(
        'updateStrategy',
        { type: 'RollingUpdate' },
        { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      )
      spec.usual('persistentVolumeClaimRetentionPolicy', { whenDeleted: 'Retain', whenScaled: 'Retain' })
      break
    case 'daemonset':
      spec.usual(
        'updateStrategy',
        { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      )
      break
    case 'job':
      putJob(draft, spec)
      break
    case 'cronjob': {
      putSchedule(draft, spec, tell)
      const template = spec.fields('jobTemplate')
      const meta = template?.fields('metadata')
      if (isOwn) meta?.pass('labels')
      meta?.pass('creationTimestamp')
      const job = template?.fields('spec')
      if (job) putJob(draft, job)
      job?.pass('selector')
      return job?.fields('template')
    }
  }
  return spec.fields('template')
}

/** Accepts `Never`, which the product uses: a failed pod of a Job stays, and the next attempt is another pod. */
export const passRestart = (template: Fields): void => {
  const cell = template.cell('spec')
  if (cell?.is !== 'map') return
  const policy = cell.entries.get('restartPolicy')
  if (policy?.cell.is === 'scalar' && policy.cell.value === 'Never') policy.taken = true
}
