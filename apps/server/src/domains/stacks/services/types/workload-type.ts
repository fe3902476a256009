import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { ViewName } from '../../../../adapters/kube/cache/views.ts'
import type { Kube } from '../../../../adapters/kube/client.ts'
import type { KubeObject } from '../../../../adapters/kube/objects.ts'
import type { Resource } from '../../../../adapters/kube/resources.ts'
import type { Seen } from '../../reconcile/observe.ts'
import type { ServiceOf } from '../objects/service-objects.ts'

/** One object of a service; without `object`, an object of this name is deleted. */
export interface ServiceObject {
  resource: Resource
  name: string
  object: KubeObject | undefined
  /** It has user data and is kept when the service is deleted. */
  stays?: true
  /** The product applies it with its own account, because the team may not change it. */
  own?: true
}

export interface Observed extends ServiceOf {
  spec: ServiceSpec
  /** When its last change began. */
  updatedAt: string
}

/** What differs between workloads; everything else is the same for all of them. */
export interface WorkloadType {
  /**
   * The object that creates its pods and has the service's name: the service fails if it is missing, and it is deleted
   * with its pods. Absent if there is no single such object.
   */
  resource?: Resource
  /** The cached view of such objects. */
  view?: ViewName
  /** In the order in which they are applied; they are deleted in reverse. */
  objects: (of: ServiceOf, spec: ServiceSpec) => ServiceObject[]
  /** The state in the cluster. Throws `missing` if the object of `resource` is gone. */
  observe: (kube: Kube, of: Observed) => Promise<Seen>
  /** Whether an existing object cannot be changed as wanted and is deleted first, such as a Job that has run. */
  isSpent?: (present: KubeObject, of: ServiceOf) => boolean
  /** For such an object that is not spent: whether it was created with the present configuration of the service. */
  isConfigured?: (present: KubeObject, spec: ServiceSpec) => boolean
  /** Kinds of which it may have several objects. Those with its label that `objects` no longer lists are deleted. */
  prunes?: readonly Resource[]
}
