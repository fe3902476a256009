import type { V1Job, V1JobSpec } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { JobRules } from '@gantry/contract/stacks/spec-run'
import { annotations, labels } from '../../../../adapters/kube/labels.ts'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { jobRow } from '../../../../adapters/kube/rows/workload-rows.ts'
import { observeJob } from '../../reconcile/observe.ts'
import { beforePods, sharedClaims } from '../objects/common-objects.ts'
import { podTemplate } from '../objects/pod-template.ts'
import { labelsOf, podsOf, type ServiceOf } from '../objects/service-objects.ts'
import type { WorkloadType } from './workload-type.ts'

/** Runs the service's pods to their end. */
export function jobSpec(of: ServiceOf, spec: ServiceSpec): Wire<V1JobSpec> {
  const { completions, parallelism, retries, deadlineSeconds } = spec.job ?? JobRules.parse({})
  const { metadata, spec: pod } = podTemplate(of, spec)
  return {
    completions,
    parallelism,
    backoffLimit: retries,
    ...(deadlineSeconds === undefined ? {} : { activeDeadlineSeconds: deadlineSeconds }),
    // a failed pod is kept with its log, and the next attempt is another pod
    template: { ...(metadata && { metadata }), ...(pod && { spec: { ...pod, restartPolicy: 'Never' } }) },
  }
}

const jobObject = (of: ServiceOf, spec: ServiceSpec): Wire<V1Job> => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: of.name,
    namespace: of.namespace,
    labels: { ...labelsOf(of), [labels.revision]: String(of.podRevision) },
  },
  spec: jobSpec(of, spec),
})

/** Pods that run to their end, once. Another revision or a restart replaces the Job. */
export const job: WorkloadType = {
  resource: kinds.jobs,
  view: 'jobs',
  objects: (of, spec) => [
    ...beforePods(of, spec),
    ...sharedClaims(of, spec),
    { resource: kinds.jobs, name: of.name, object: jobObject(of, spec) },
  ],
  observe: async (kube, of) => observeJob(jobRow(await kube.get(kinds.jobs, of)), await podsOf(kube, of)),
  isSpent: (present: Wire<V1Job>, of) => {
    const { metadata } = present.spec?.template ?? {}
    return (
      metadata?.labels?.[labels.revision] !== String(of.podRevision) ||
      (metadata.annotations?.[annotations.restartedAt] ?? null) !== of.restartedAt
    )
  },
  isConfigured: (present: Wire<V1Job>, { annotations: wanted = [] }) =>
    present.spec?.template?.metadata?.annotations?.[annotations.configuration] ===
    wanted.find(({ key }) => key === annotations.configuration)?.value,
}
