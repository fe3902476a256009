import type { V1Deployment } from '@kubernetes/client-node'
import { rolloutOf } from '@gantry/contract/stacks/demand'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { deploymentRow } from '../../../../adapters/kube/rows/workload-rows.ts'
import { observe, usualDeadlineSeconds } from '../../reconcile/observe.ts'
import { address, beforePods, budget, sharedClaims } from '../objects/common-objects.ts'
import { podTemplate } from '../objects/pod-template.ts'
import { patienceOf, readinessProbe } from '../objects/probes.ts'
import { labelsOf, podsOf, type ServiceOf, workloadSelector } from '../objects/service-objects.ts'
import type { WorkloadType } from './workload-type.ts'

function strategyOf(spec: ServiceSpec) {
  const rollout = rolloutOf(spec)
  switch (rollout.type) {
    case 'recreate':
      return { type: 'Recreate' }
    case 'healthy':
      return {
        type: 'RollingUpdate',
        // if there are fewer instances than should stay healthy, still replace one at a time
        rollingUpdate: { maxSurge: 0, maxUnavailable: Math.max(1, spec.replicas - rollout.healthy) },
      }
    case 'rolling':
      return {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: rollout.surge, maxUnavailable: rollout.unavailable },
      }
  }
}

const deploymentObject = (of: ServiceOf, spec: ServiceSpec): Wire<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
  spec: {
    replicas: spec.replicas,
    revisionHistoryLimit: 3,
    progressDeadlineSeconds: usualDeadlineSeconds + patienceOf(spec),
    ...(readinessProbe(spec) ? {} : { minReadySeconds: 1 }),
    strategy: strategyOf(spec),
    selector: workloadSelector(of),
    template: podTemplate(of, spec),
  },
})

/** Identical pods, replaced one after another, with a common address. */
export const deployment: WorkloadType = {
  resource: kinds.deployments,
  view: 'deployments',
  objects: (of, spec) => [
    ...beforePods(of, spec),
    ...sharedClaims(of, spec),
    { resource: kinds.deployments, name: of.name, object: deploymentObject(of, spec) },
    address(of, spec),
    budget(of, spec),
  ],
  observe: async (kube, of) => observe(deploymentRow(await kube.get(kinds.deployments, of)), await podsOf(kube, of)),
}
