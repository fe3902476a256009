import type { V1DaemonSet } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { daemonSetRow } from '../../../../adapters/kube/rows/workload-rows.ts'
import { observeInTime } from '../../reconcile/observe.ts'
import { address, beforePods, sharedClaims } from '../objects/common-objects.ts'
import { podTemplate } from '../objects/pod-template.ts'
import { patienceOf, readinessProbe } from '../objects/probes.ts'
import { labelsOf, podsOf, type ServiceOf, workloadSelector } from '../objects/service-objects.ts'
import type { WorkloadType } from './workload-type.ts'

const daemonSetObject = (of: ServiceOf, spec: ServiceSpec): Wire<V1DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
  spec: {
    revisionHistoryLimit: 3,
    ...(readinessProbe(spec) ? {} : { minReadySeconds: 1 }),
    // at most one pod less and never one more, as the share assumes
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    selector: workloadSelector(of),
    template: podTemplate(of, spec),
  },
})

/** One pod on each host that its placement allows. */
export const daemonSet: WorkloadType = {
  resource: kinds.daemonSets,
  view: 'daemonSets',
  objects: (of, spec) => [
    ...beforePods(of, spec),
    ...sharedClaims(of, spec),
    { resource: kinds.daemonSets, name: of.name, object: daemonSetObject(of, spec) },
    address(of, spec),
  ],
  observe: async (kube, of) =>
    observeInTime(
      daemonSetRow(await kube.get(kinds.daemonSets, of)),
      await podsOf(kube, of),
      of.updatedAt,
      patienceOf(of.spec),
    ),
}
