import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { LinkKind, Topology } from '@gantry/contract/stacks/topology'
import { isAsWanted, isDegraded } from '../services/service-states.ts'

/** What is drawn of a stack: a service, a claim that one mounts, an address outside that one opens. */
export interface StackNode {
  /** Its name with what it is: a claim may be named as a service. */
  key: string
  kind: ServiceSummary['type'] | 'claim' | 'entrance'
  name: string
  /** Of a claim. */
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

/** Requests flow along the edges of a graph: from an address outside to who opens it, and on to who is called. */
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

/** How urgent a node is: 0 has failed, 1 lacks instances or says what is wrong, 2 is on its way, 3 is well. */
export function urgencyOf({ service }: StackNode): 0 | 1 | 2 | 3 {
  if (!service) return 3
  if (service.state === 'failed') return 0
  if (isDegraded(service) || service.message !== '') return 1
  return isAsWanted(service.state) ? 3 : 2
}

export const isTrouble = (node: StackNode): boolean => urgencyOf(node) < 2

/** Trouble first; within that as they came. */
export const troubleFirst = (nodes: readonly StackNode[]): StackNode[] =>
  nodes.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))

export const isFound = ({ name, service }: StackNode, keyword: string): boolean => {
  const wanted = keyword.toLowerCase()
  return [name, service?.image ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

/** The neighbours of each node: what it leads to, and what leads to it. */
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
