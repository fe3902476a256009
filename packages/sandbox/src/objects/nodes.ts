import type { Taint } from './places.ts'
import type { Condition, Obj } from './types.ts'

export interface Node extends Obj {
  spec: { unschedulable?: boolean; taints?: Taint[]; podCIDR?: string; podCIDRs?: string[]; providerID?: string }
  /** Parts are absent while no kubelet runs the node. */
  status: {
    capacity?: Record<string, string>
    allocatable?: Record<string, string>
    addresses?: { type: string; address: string }[]
    conditions?: (Condition & { lastHeartbeatTime?: string })[]
    nodeInfo?: Record<string, string>
    images?: { names: string[] | null; sizeBytes: number }[]
    daemonEndpoints?: { kubeletEndpoint: { Port: number } }
  }
}
