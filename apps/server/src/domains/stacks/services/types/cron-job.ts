import type { V1CronJob } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { beforePods, sharedClaims } from '../objects/common-objects.ts'
import { labelsOf, type ServiceOf } from '../objects/service-objects.ts'
import { jobSpec } from './job.ts'
import type { WorkloadType } from './workload-type.ts'

const cronJobObject = (of: ServiceOf, spec: ServiceSpec): Wire<V1CronJob> => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
  spec: {
    // the contract has no CronJob without a schedule
    schedule: spec.schedule?.cron ?? '',
    timeZone: spec.schedule?.zone ?? 'UTC',
    concurrencyPolicy: spec.schedule?.overlap === 'replace' ? 'Replace' : 'Forbid',
    suspend: spec.schedule?.paused ?? false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 3,
    jobTemplate: { metadata: { labels: labelsOf(of) }, spec: jobSpec(of, spec) },
  },
})

/** Jobs on a schedule. It is ready as soon as it exists in the cluster; its pods show how its Jobs end. */
export const cronJob: WorkloadType = {
  resource: kinds.cronJobs,
  view: 'cronJobs',
  objects: (of, spec) => [
    ...beforePods(of, spec),
    ...sharedClaims(of, spec),
    { resource: kinds.cronJobs, name: of.name, object: cronJobObject(of, spec) },
  ],
  observe: async (kube, of) => {
    await kube.get(kinds.cronJobs, of)
    return { outcome: 'ready', reason: null, digest: undefined }
  },
}
