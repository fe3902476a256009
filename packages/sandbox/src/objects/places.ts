/** Types that decide which pods may run on which nodes. */

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
  /** How long a pod stays after a NoExecute taint was set; absent: forever. */
  tolerationSeconds?: number
}

export interface SelectorTerm {
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
  matchFields?: { key: string; operator: string; values?: string[] }[]
}
/** One of the terms must match; of a term, every requirement. */
export interface NodeSelector {
  nodeSelectorTerms: SelectorTerm[]
}
