/** What says which pods may be on which machines. */

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
