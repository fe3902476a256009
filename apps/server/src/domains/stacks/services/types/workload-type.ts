import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { ViewName } from '../../../../adapters/kube/cache/views.ts'
import type { Kube } from '../../../../adapters/kube/client.ts'
import type { KubeObject } from '../../../../adapters/kube/objects.ts'
import type { Resource } from '../../../../adapters/kube/resources.ts'
import type { Seen } from '../../reconcile/observe.ts'
import type { ServiceOf } from '../objects/service-objects.ts'

/** One object of a service; without `object` it is to have none of that name. */
export interface ServiceObject {
  resource: Resource
  name: string
  object: KubeObject | undefined
  /** It has people's data, and stays when the service is deleted. */
  stays?: true
  /** The product applies it by its own account: the team may not change it. */
  own?: true
}

/** A service as it is observed. */
export interface Observed extends ServiceOf {
  spec: ServiceSpec
  /** Since when it is as it is wanted to be. */
  updatedAt: string
}

/** What is particular to a kind of workload. Everything else is the same for all of them. */
export interface WorkloadType {
  /**
   * The object that makes its pods and has the service's name: it is missed where it is gone, and deleted with its pods.
   * Absent: there is no one such object.
   */
  resource?: Resource
  /** What is kept of such objects in memory. */
  view?: ViewName
  /** In the order in which they are applied; they are deleted in the opposite one. */
  objects: (of: ServiceOf, spec: ServiceSpec) => ServiceObject[]
  /** What it has come to in the cluster. Throws `missing` where the object of its kind is gone. */
  observe: (kube: Kube, of: Observed) => Promise<Seen>
  /** Whether an object that is there cannot become what is wanted, and is deleted first: a Job runs once. */
  isSpent?: (present: KubeObject, of: ServiceOf) => boolean
  /** Of such an object that is not spent: whether it was made with the configuration that the service reads by now. */
  isConfigured?: (present: KubeObject, spec: ServiceSpec) => boolean
  /** Kinds of which it may have several objects. Those with its label that `objects` does not list any more are deleted. */
  prunes?: readonly Resource[]
}
