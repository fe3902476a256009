import type { V1Condition, V1ObjectMeta } from '@kubernetes/client-node'
import type { Wire } from './objects.ts'

/** The parts of the Gateway API that the product uses; the Kubernetes client has no types for them. */
interface Meta {
  metadata?: V1ObjectMeta
}

export interface GatewayClass extends Meta {
  spec?: { controllerName: string }
  status?: { conditions?: V1Condition[]; supportedFeatures?: (string | { name: string })[] }
}

export interface Listener {
  name: string
  port: number
  protocol: 'HTTP' | 'HTTPS'
  hostname?: string
  tls?: { mode: 'Terminate'; certificateRefs: { name: string }[] }
  allowedRoutes: { namespaces: { from: 'Same' } }
}

export interface Gateway extends Meta {
  apiVersion: string
  kind: string
  spec: { gatewayClassName: string; listeners: Listener[] }
  status?: {
    addresses?: { type?: string; value: string }[]
    conditions?: V1Condition[]
    listeners?: { name: string; conditions?: V1Condition[] }[]
  }
}

export interface HttpRoute extends Meta {
  apiVersion: string
  kind: string
  spec: {
    parentRefs: { name: string; sectionName: string }[]
    hostnames?: string[]
    rules: {
      matches: {
        path: { type: 'PathPrefix'; value: string }
        headers?: { type: 'Exact'; name: string; value: string }[]
      }[]
      backendRefs: { name: string; port: number; weight: number }[]
      timeouts?: { request: string }
    }[]
  }
  status?: { parents?: { conditions?: V1Condition[] }[] }
}

export type Condition = Wire<V1Condition>

/** The first of these conditions that is false; a missing one does not count. */
export const failing = (
  conditions: readonly Condition[] | undefined,
  types: readonly string[],
): Condition | undefined => conditions?.find(({ type, status }) => types.includes(type) && status === 'False')

/** Whether a controller has seen the present version of an object. */
export const isCurrent = (
  metadata: { generation?: number | undefined } | undefined,
  conditions: readonly Condition[] = [],
): boolean =>
  conditions.every(({ observedGeneration: seen }) => seen === undefined || seen >= (metadata?.generation ?? 0))

export const holds = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  conditions?.some((one) => one.type === type && one.status === 'True') ?? false
