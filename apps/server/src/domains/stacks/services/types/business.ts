import type { V1Deployment } from '@kubernetes/client-node'
import { demandOf } from '@gantry/contract/stacks/demand'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { deploymentRow } from '../../../../adapters/kube/rows/workload-rows.ts'
import { observe } from '../../reconcile/observe.ts'
import {
  environmentSecret,
  labelsOf,
  podsOf,
  podTemplate,
  readinessProbe,
  secretName,
  selectorOf,
  serviceObject,
  type ServiceOf,
} from '../service-objects.ts'
import type { WorkloadType } from '../workload-type.ts'

/** How long Kubernetes tries before a rollout counts as given up. */
const deadlineSeconds = 180

const deployment = (of: ServiceOf, spec: ServiceSpec): Wire<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: of.name, namespace: of.namespace, labels: labelsOf(of) },
  spec: {
    replicas: spec.replicas,
    revisionHistoryLimit: 3,
    progressDeadlineSeconds: deadlineSeconds,
    ...(readinessProbe(spec) ? {} : { minReadySeconds: 1 }),
    // one more at a time and never one less: what the quota counts as surge
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    selector: { matchLabels: selectorOf(of) },
    template: podTemplate(of, spec),
  },
})

/** Pods that are all alike and replaced one after another, behind an address. */
export const business: WorkloadType = {
  resource: kinds.deployments,
  view: 'deployments',
  schema: ServiceSpec,
  objects: (of, spec) => [
    { resource: kinds.secrets, name: secretName(of.name), object: environmentSecret(of, spec) },
    { resource: kinds.deployments, name: of.name, object: deployment(of, spec) },
    { resource: kinds.services, name: of.name, object: serviceObject(of, spec) },
  ],
  observe: async (kube, of) => observe(deploymentRow(await kube.get(kinds.deployments, of)), await podsOf(kube, of)),
  demand: demandOf,
}
