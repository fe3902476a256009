import type { V1StatefulSet } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { statefulSetRow } from '../../../../adapters/kube/rows/workload-rows.ts'
import { observeInTime } from '../../reconcile/observe.ts'
import { address, beforePods, budget } from '../objects/common-objects.ts'
import { podTemplate } from '../objects/pod-template.ts'
import { patienceOf, readinessProbe } from '../objects/probes.ts'
import { labelsOf, podsOf, type ServiceOf, workloadSelector } from '../objects/service-objects.ts'
import { claimTemplates } from '../objects/storage.ts'
import type { WorkloadType } from './workload-type.ts'

function statefulSetObject(of: ServiceOf, spec: ServiceSpec): Wire<V1StatefulSet> {
  const claims = claimTemplates(of, spec)
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
    spec: {
      replicas: spec.replicas,
      serviceName: of.name,
      // Pods start together and are still replaced one by one. In order, a pod that never becomes ready would prevent a
      // rollback (kubernetes/kubernetes#67250).
      podManagementPolicy: 'Parallel',
      revisionHistoryLimit: 3,
      ...(readinessProbe(spec) ? {} : { minReadySeconds: 1 }),
      updateStrategy: { type: 'RollingUpdate' },
      selector: workloadSelector(of),
      template: podTemplate(of, spec),
      ...(claims.length > 0 ? { volumeClaimTemplates: claims } : {}),
      ...of.adopted?.fixed,
    },
  }
}

/** Pods that each have a name, an address and claims of their own, which a replacement of that name takes over. */
export const statefulSet: WorkloadType = {
  resource: kinds.statefulSets,
  view: 'statefulSets',
  objects: (of, spec) => [
    ...beforePods(of, spec),
    // before the pods, because it provides their addresses
    address(of, spec),
    { resource: kinds.statefulSets, name: of.name, object: statefulSetObject(of, spec) },
    budget(of, spec),
  ],
  observe: async (kube, of) =>
    observeInTime(
      statefulSetRow(await kube.get(kinds.statefulSets, of)),
      await podsOf(kube, of),
      of.updatedAt,
      patienceOf(of.spec),
    ),
}
