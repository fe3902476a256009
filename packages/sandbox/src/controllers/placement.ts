import type { Node } from '../objects/nodes.ts'
import type { NodeSelector, SelectorTerm, Taint, Toleration } from '../objects/places.ts'
import { ownOf } from '../objects/record.ts'
import type { PodSpec } from '../objects/types.ts'

const numeric = (text: string | undefined): number => (text !== undefined && /^-?\d+$/.test(text) ? Number(text) : NaN)

function holds(value: string | undefined, operator: string, values: string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return numeric(value) > numeric(values[0])
    case 'Lt':
      return numeric(value) < numeric(values[0])
    default:
      return false
  }
}

function fitsTerm({ metadata }: Node, { matchExpressions = [], matchFields = [] }: SelectorTerm): boolean {
  // An empty term matches nothing.
  if (matchExpressions.length + matchFields.length === 0) return false
  return (
    matchExpressions.every(({ key, operator, values = [] }) => holds(ownOf(metadata.labels, key), operator, values)) &&
    matchFields.every(
      ({ key, operator, values = [] }) => key === 'metadata.name' && holds(metadata.name, operator, values),
    )
  )
}

/** Whether a node matches a selector; without a selector every node does. */
export const fitsSelector = (node: Node, selector: NodeSelector | undefined): boolean =>
  selector === undefined || selector.nodeSelectorTerms.some((term) => fitsTerm(node, term))

/** Whether a pod's nodeSelector and required affinity permit a node. */
export const fitsAffinity = ({ nodeSelector, affinity }: PodSpec, node: Node): boolean =>
  Object.entries(nodeSelector ?? {}).every(([key, value]) => ownOf(node.metadata.labels, key) === value) &&
  fitsSelector(node, affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution)

export const tolerates = (tolerations: Toleration[] | undefined, taint: Taint): Toleration | undefined =>
  tolerations?.find(
    ({ key, operator = 'Equal', value, effect }) =>
      (!key || key === taint.key) &&
      (!effect || effect === taint.effect) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  )

/** The first taint with one of these effects that the pod does not tolerate. */
export const repelled = ({ tolerations }: PodSpec, { spec }: Node, effects: string[]): Taint | undefined =>
  spec.taints?.find((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint))
