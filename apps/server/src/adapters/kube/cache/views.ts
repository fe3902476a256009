import { eventRow, namespaceRow, nodeRow, quotaRow, serviceRow } from '../rows/cluster-rows.ts'
import type { KubeObject } from '../objects.ts'
import { podRow } from '../rows/pod-row.ts'
import type { View } from './reflector.ts'
import * as kinds from '../resources.ts'
import type { Resource } from '../resources.ts'
import type { Cap } from '../rows/rows.ts'
import { volumeRow } from '../rows/storage-rows.ts'
import {
  cronJobRow,
  daemonSetRow,
  deploymentRow,
  jobRow,
  replicaSetRow,
  statefulSetRow,
} from '../rows/workload-rows.ts'

const view = <T extends KubeObject, Row>(
  resource: Resource<T>,
  keep: (object: T) => Row,
  cap?: Cap<Row>,
): View<T, Row> => ({ resource, keep, ...(cap && { cap }) })

/**
 * The latest events of a cluster, about 10 MB. A cluster in trouble may report any number in the hour for which it
 * keeps them.
 */
const maxEvents = 10_000

/** The kinds that are cached for screens, and the cached form of each. */
export const views = {
  pods: view(kinds.pods, podRow),
  deployments: view(kinds.deployments, deploymentRow),
  statefulSets: view(kinds.statefulSets, statefulSetRow),
  daemonSets: view(kinds.daemonSets, daemonSetRow),
  replicaSets: view(kinds.replicaSets, replicaSetRow),
  jobs: view(kinds.jobs, jobRow),
  cronJobs: view(kinds.cronJobs, cronJobRow),
  services: view(kinds.services, serviceRow),
  events: view(kinds.events, eventRow, { most: maxEvents, age: ({ last }) => last }),
  nodes: view(kinds.nodes, nodeRow),
  namespaces: view(kinds.namespaces, namespaceRow),
  quotas: view(kinds.resourceQuotas, quotaRow),
  volumes: view(kinds.persistentVolumes, volumeRow),
}

export type ViewName = keyof typeof views
/** The row of a view: `RowOf<'pods'>` is PodRow. */
export type RowOf<Name extends ViewName> = ReturnType<(typeof views)[Name]['keep']>
