import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { V1NetworkPolicyPeer, V1Pod } from '@kubernetes/client-node'
import type { Kube } from '../../../adapters/kube/client.ts'
import { classesOf, listKnown } from '../../clusters/public.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

/** An ingress group: the controller that brings traffic into a cluster, and the API that configures it. */
export interface Group {
  /** `none`: the cluster has no such group; a port can then only be opened by a Service. */
  way: 'gateway' | 'ingress' | 'none'
  group: string
  controller: string
  /** The features beyond the core that a GatewayClass declares. */
  features: readonly string[]
}

/** A group with what its objects need. */
export interface Entrance extends Group {
  /** The sources of its traffic to pods; all others are blocked. */
  peers: Wire<V1NetworkPolicyPeer>[]
}

export const noEntrance: Entrance = { way: 'none', group: '', controller: '', features: [], peers: [] }

/** The name label of a controller's pods in its usual charts. */
const podNames: readonly [controller: string, pods: string][] = [
  ['traefik.io/', 'traefik'],
  ['k8s.io/ingress-nginx', 'ingress-nginx'],
  ['nginx.org/', 'nginx-ingress'],
  ['gateway.nginx.org/', 'nginx-gateway-fabric'],
  ['gateway.envoyproxy.io/', 'envoy'],
  ['haproxy-ingress.github.io/', 'haproxy-ingress'],
  ['haproxy.org/', 'kubernetes-ingress'],
  ['konghq.com/', 'kong'],
  ['ingress-controllers.konghq.com/', 'kong'],
  ['projectcontour.io/', 'contour'],
]

const host = (ip: string | undefined) => (ip === undefined || ip === '' ? [] : [`${ip}/${ip.includes(':') ? 128 : 32}`])
const blocks = (cidrs: readonly string[]): Wire<V1NetworkPolicyPeer>[] =>
  [...new Set(cidrs)].map((cidr) => ({ ipBlock: { cidr } }))

/** The addresses of the hosts that are marked for ingress traffic, or of all hosts if none is. */
export async function hostAddresses(kube: Kube): Promise<string[]> {
  const nodes = await listKnown(kube, kinds.nodes)
  const marked = nodes.filter((node) => node.metadata?.labels?.[labels.ingress] === 'true')
  return (marked.length > 0 ? marked : nodes)
    .flatMap(({ status }) => (status?.addresses ?? []).filter(({ type }) => type === 'InternalIP'))
    .map(({ address }) => address)
}

/** The pods of a controller. Those in namespaces of teams do not count, whatever their labels. */
export async function podsOfController(kube: Kube, controller: string): Promise<{ name: string; pods: Wire<V1Pod>[] }> {
  const name = podNames.find(([prefix]) => controller.startsWith(prefix))?.[1]
  if (name === undefined) return { name: '', pods: [] }
  const found = await listKnown(kube, kinds.pods, { labels: `${labels.name}=${name}` })
  const spaces = [...new Set(found.map((pod) => pod.metadata?.namespace ?? ''))]
  const own = new Set<string>()
  for (const space of spaces) {
    const marks = (await kube.find(kinds.namespaces, { name: space }))?.metadata?.labels ?? {}
    if (marks[labels.team] === undefined) own.add(space)
  }
  return { name, pods: found.filter((pod) => own.has(pod.metadata?.namespace ?? '')) }
}

/** The pods of a controller; if none are found, it runs on hosts, and their addresses are allowed. */
async function peersOf(kube: Kube, controller: string): Promise<Wire<V1NetworkPolicyPeer>[]> {
  const { name, pods } = await podsOfController(kube, controller)
  if (pods.length === 0) return blocks((await hostAddresses(kube)).flatMap(host))
  return [
    ...[...new Set(pods.map(({ metadata }) => metadata?.namespace ?? ''))].map((space) => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': space } },
      podSelector: { matchLabels: { [labels.name]: name } },
    })),
    ...blocks(pods.flatMap(({ spec, status }) => (spec?.hostNetwork ? host(status?.hostIP) : []))),
  ]
}

/** A service in the cluster. */
export interface Placed {
  namespace: string
  id: number
}

/** The entrance of a service that opens ways in; nothing for other services. */
export async function entranceFor(
  kube: Kube,
  { outward }: ServiceSpec,
  placed: Placed,
): Promise<{ entrance?: Entrance }> {
  if (outward?.type !== 'lb' && outward?.type !== 'ingress') return {}
  const group = await groupFor(kube, outward.group, placed)
  return { entrance: { ...group, peers: group.way === 'none' ? [] : await peersOf(kube, group.controller) } }
}

/**
 * The group with this name, or the default one: of the Gateway API if the cluster has it, else of Ingress. A service
 * that has ways in stays with their class, whatever else has become the default or of this name meanwhile: in another
 * group it would lose its address.
 */
export async function groupFor(kube: Kube, wanted: string | undefined, placed?: Placed): Promise<Group> {
  const { groups, others } = await classesOf(kube)
  if (placed === undefined) return groupAmong(groups, wanted)
  const uses = await classesUsed(kube, placed)
  const stays = [...groups, ...others].filter((one) => one.name === (wanted ?? one.name) && uses(one))
  return groupAmong(stays.length > 0 ? stays : groups, wanted)
}

/** Tells of a class whether the ways in of a service are of it. */
async function classesUsed(
  kube: Kube,
  { namespace, id }: Placed,
): Promise<(one: Pick<Group, 'way'> & { name: string }) => boolean> {
  const selection = { namespace, labels: `${labels.service}=${id}` }
  const [gateways, ingresses] = await Promise.all([
    listKnown(kube, kinds.gateways, selection),
    listKnown(kube, kinds.ingresses, selection),
  ])
  const names = {
    gateway: new Set(gateways.map(({ spec }) => spec.gatewayClassName)),
    ingress: new Set(ingresses.map(({ spec }) => spec?.ingressClassName)),
  }
  return ({ way, name }) => way !== 'none' && names[way].has(name)
}

/** The group with this name, or the default one, among those that a cluster has. */
function groupAmong(groups: Awaited<ReturnType<typeof classesOf>>['groups'], wanted: string | undefined): Group {
  const usual = groups.find(({ isDefault }) => isDefault) ?? groups[0]
  const found = wanted === undefined ? usual : groups.find(({ name }) => name === wanted)
  if (!found) return { ...noEntrance, group: wanted ?? '' }
  const { way, name, controller, features } = found
  return { way, group: name, controller, features }
}
