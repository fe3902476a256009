import type { mesh, Mesh, MeshNode } from '@gantry/contract/tracing/mesh'
import type { z } from 'zod'
import type { KialiNode } from '../../../adapters/kiali/kiali.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { namespacesOf } from '../../clusters/public.ts'
import type { StackRow } from '../../stacks/public.ts'
import { servicesOfTeam } from '../sources/team-services.read.ts'
import { asking } from '../sources/sources.service.ts'

/** Maximum of nodes in a readable graph. */
const maxNodes = 200

interface Seen {
  namespace: string
  own: ReadonlySet<string>
  cluster: string
  services: ReadonlyMap<string, number>
}

/** A workload of another team is shown without its name, because only its owner may know who calls a service. */
function toNode(node: KialiNode, id: string, { namespace, own, cluster, services }: Seen): MeshNode {
  const isHere = cluster === '' || node.cluster === '' || node.cluster === cluster
  // a node without a namespace has no owner: an external address, or a caller unknown to the mesh
  const hidden = node.namespace !== '' && !(isHere && own.has(node.namespace))
  const common = { id, kind: node.kind, hidden, root: node.root }
  if (hidden) return { ...common, name: '', namespace: '', version: '', serviceId: null }
  const isOfStack = isHere && node.namespace === namespace
  return {
    ...common,
    name: node.name,
    namespace: node.namespace,
    version: node.version,
    serviceId: isOfStack ? (services.get(node.name) ?? null) : null,
  }
}

export async function meshOf(ctx: Ctx, stack: StackRow, query: z.output<typeof mesh.graph.query>): Promise<Mesh> {
  const { namespace, envId, teamId } = stack
  const own = new Set(await namespacesOf(ctx.db, envId, [teamId]))
  const { unset, notice, value } = await asking(ctx, envId, 'kiali', async (access, cluster) => {
    if (!own.has(namespace)) return undefined
    const graph = await ctx.ports.kiali.graph(access, { namespace, ...query }, ctx.signal)
    const all = await servicesOfTeam(ctx.db, envId, teamId)
    const services = new Map(all.flatMap((one) => (one.stackId === stack.id ? [[one.name, one.id] as const] : [])))
    const kept = graph.nodes.slice(0, maxNodes)
    // replaces Kiali's ids, which consist of names
    const ids = new Map(kept.map(({ id }, at) => [id, `n${at + 1}`]))
    const seen = { namespace, own, cluster, services }
    const nodes = kept.map((node) => toNode(node, ids.get(node.id) ?? '', seen))
    const hidden = new Set(nodes.flatMap((node) => (node.hidden ? [node.id] : [])))
    const edges = graph.edges.flatMap((edge) => {
      const [from, to] = [ids.get(edge.from), ids.get(edge.to)]
      // traffic between two workloads of others is hidden
      return from === undefined || to === undefined || (hidden.has(from) && hidden.has(to))
        ? []
        : [{ ...edge, from, to }]
    })
    const ends = new Set(edges.flatMap(({ from, to }) => [from, to]))
    return {
      nodes: nodes.filter(({ id }) => !hidden.has(id) || ends.has(id)),
      edges,
      truncated: graph.nodes.length > maxNodes,
    }
  })
  return { unset, notice, ...(value ?? { nodes: [], edges: [], truncated: false }) }
}
