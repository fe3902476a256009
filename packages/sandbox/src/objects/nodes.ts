import type { Condition, Obj } from './types.ts'

/** Machines, and what says which pods may be on which. */

export interface Taint {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}
export interface Toleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
  /** How long a pod stays after a NoExecute taint came; for ever where it is not said. */
  tolerationSeconds?: number
}

export interface SelectorTerm {
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
  matchFields?: { key: string; operator: string; values?: string[] }[]
}
/** One of the terms must fit; of a term, everything. */
export interface NodeSelector {
  nodeSelectorTerms: SelectorTerm[]
}

export interface Node extends Obj {
  spec: { unschedulable?: boolean; taints?: Taint[]; podCIDR?: string; podCIDRs?: string[]; providerID?: string }
  /** Absent parts: nobody runs this node. */
  status: {
    capacity?: Record<string, string>
    allocatable?: Record<string, string>
    addresses?: { type: string; address: string }[]
    conditions?: (Condition & { lastHeartbeatTime?: string })[]
    nodeInfo?: Record<string, string>
    images?: { names: string[]; sizeBytes: number }[]
    daemonEndpoints?: { kubeletEndpoint: { Port: number } }
  }
}
