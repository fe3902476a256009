import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { LinkKind, Topology } from '@gantry/contract/stacks/topology'
import { isAsWanted, isDegraded } from '../services/service-states.ts'

/** A node in the map of a stack: a service, a mounted claim, or an outside address. */
export interface StackNode {
  /** Its kind and name, because a claim may have the name of a service. */
  key: string
  kind: ServiceSummary['type'] | 'claim' | 'entrance'
  name: string
  /** For a claim. */
  size: string
  service: ServiceSummary | undefined
}

export interface StackEdge {
  kind: LinkKind
  from: string
  to: string
  by: string
}

export interface StackGraph {
  nodes: readonly StackNode[]
  edges: readonly StackEdge[]
}

const keyOf = (kind: 'service' | 'claim' | 'entrance', name: string): string => `${kind} ${name}`

/** The flow of requests: from an outside address to the service that opens it, and on to services that it calls. */
export function graphOf({ services, claims, links }: Topology): StackGraph {
  const entrances = new Set(links.flatMap(({ kind, to }) => (kind === 'opens' ? [to] : [])))
  return {
    nodes: [
      ...services.map((service) => ({
        key: keyOf('service', service.name),
        kind: service.type,
        name: service.name,
        size: '',
        service,
      })),
      ...[...entrances].map((name) => ({
        key: keyOf('entrance', name),
        kind: 'entrance' as const,
        name,
        size: '',
        service: undefined,
      })),
      ...claims.map(({ name, size }) => ({
        key: keyOf('claim', name),
        kind: 'claim' as const,
        name,
        size,
        service: undefined,
      })),
    ],
    edges: links.map(({ kind, from, to, by }) =>
      kind === 'opens'
        ? { kind, from: keyOf('entrance', to), to: keyOf('service', from), by }
        : { kind, from: keyOf('service', from), to: keyOf(kind === 'mounts' ? 'claim' : 'service', to), by },
    ),
  }
}

/** The urgency of a node: 0 has failed, 1 lacks instances or has a problem, 2 is changing, 3 is healthy. */
export function urgencyOf({ service }: StackNode): 0 | 1 | 2 | 3 {
  if (!service) return 3
  if (service.state === 'failed') return 0
  if (isDegraded(service) || service.message !== '') return 1
  return isAsWanted(service.state) ? 3 : 2
}

export const isTrouble = (node: StackNode): boolean => urgencyOf(node) < 2

/** Sorted by urgency; otherwise in the given order. */
export const troubleFirst = (nodes: readonly StackNode[]): StackNode[] =>
  nodes.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))

export const isFound = ({ name, service }: StackNode, keyword: string): boolean => {
  const wanted = keyword.toLowerCase()
  return [name, service?.image ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

/** The neighbours of each node: targets and sources of its edges. */
export function neighboursOf({ nodes, edges }: StackGraph) {
  const found = new Map(nodes.map(({ key }) => [key, { to: [] as string[], from: [] as string[] }]))
  for (const { from, to } of edges) {
    const [source, target] = [found.get(from), found.get(to)]
    if (!source || !target) continue
    if (!source.to.includes(to)) source.to.push(to)
    if (!target.from.includes(from)) target.from.push(from)
  }
  return found
}
