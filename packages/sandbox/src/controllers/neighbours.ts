import type { Node } from '../objects/nodes.ts'
import { ownOf } from '../objects/record.ts'
import { labelSelector } from '../objects/selectors.ts'
import type { Pod, PodTerm } from '../objects/types.ts'

interface Placed {
  pod: Pod
  node: Node | undefined
}

const required = (of: { requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[] } | undefined): PodTerm[] =>
  of?.requiredDuringSchedulingIgnoredDuringExecution ?? []

export const hasNeighbours = ({ spec: { affinity } }: Pod): boolean =>
  required(affinity?.podAffinity).length + required(affinity?.podAntiAffinity).length > 0

/** Whether a term of a pod means the other one; without namespaces, those of its own namespace. */
const means = ({ metadata }: Pod, { labelSelector: selector, namespaces = [] }: PodTerm, other: Pod): boolean =>
  (namespaces.length > 0 ? namespaces : [metadata.namespace]).includes(other.metadata.namespace) &&
  labelSelector(selector)(other.metadata.labels)

/** Why a pod cannot run on a node beside the pods that run already, in the scheduler's words; undefined if it can. */
export function neighbourObjection(pod: Pod, node: Node, placed: readonly Placed[]): string | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  const isNear = ({ topologyKey }: PodTerm, other: Node | undefined): boolean => {
    const domain = ownOf(node.metadata.labels, topologyKey)
    return domain !== undefined && ownOf(other?.metadata.labels, topologyKey) === domain
  }
  const isBeside = (term: PodTerm): boolean => {
    const meant = placed.filter((one) => means(pod, term, one.pod))
    // the first of pods that want to be with each other
    if (meant.length === 0) return isNear(term, node) && means(pod, term, pod)
    return meant.some((one) => isNear(term, one.node))
  }
  if (!required(podAffinity).every(isBeside)) return "node(s) didn't match pod affinity rules"
  const isApart = (term: PodTerm): boolean => !placed.some((one) => means(pod, term, one.pod) && isNear(term, one.node))
  if (!required(podAntiAffinity).every(isApart)) return "node(s) didn't match pod anti-affinity rules"
  const keepsAway = (one: Placed): boolean =>
    required(one.pod.spec.affinity?.podAntiAffinity).some((term) => means(one.pod, term, pod) && isNear(term, one.node))
  return placed.some(keepsAway) ? "node(s) didn't satisfy existing pods anti-affinity rules" : undefined
}
