import type { Demand } from '@gantry/contract/stacks/demand'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { z } from 'zod'
import type { ViewName } from '../../../adapters/kube/cache/views.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import type { KubeObject } from '../../../adapters/kube/objects.ts'
import type { Resource } from '../../../adapters/kube/resources.ts'
import type { Seen } from '../reconcile/observe.ts'
import type { ServiceOf } from './service-objects.ts'

/** One object of a service; without `object` it is to have none of that name. */
export interface ServiceObject {
  resource: Resource
  name: string
  object: KubeObject | undefined
}

/** What is particular to a type of service. Everything else is the same for all of them. */
export interface WorkloadType {
  /** The object that makes its pods and has the service's name: it is missed where it is gone, and deleted with its pods. */
  resource: Resource
  /** What is kept of such objects in memory. */
  view: ViewName
  schema: z.ZodType<ServiceSpec>
  /** In the order in which they are applied; they are deleted in the opposite one. */
  objects: (of: ServiceOf, spec: ServiceSpec) => ServiceObject[]
  /** What it has come to in the cluster. Throws `missing` where the object of its kind is gone. */
  observe: (kube: Kube, of: ServiceOf) => Promise<Seen>
  /** What it may use of its stack's share at most, an upgrade under way included. */
  demand: (spec: ServiceSpec) => Demand
}
