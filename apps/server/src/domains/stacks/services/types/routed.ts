import type { Kube } from '../../../../adapters/kube/client.ts'
import { failing, holds, isCurrent } from '../../../../adapters/kube/gateway.ts'
import { labels } from '../../../../adapters/kube/labels.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { listKnown } from '../../../clusters/public.ts'
import type { Seen } from '../../reconcile/observe.ts'
import { hostAddresses } from '../../outward/entrance.service.ts'
import { routeObjects } from '../objects/routes.ts'
import type { Observed, WorkloadType } from './workload-type.ts'

/** How long a controller may take to accept a route and report its addresses. */
const patienceMs = 60_000

/** The state of a service's ways in, in the cluster. */
export interface RouteStatus {
  /** Addresses and names; for ports of hosts, with the port. */
  addresses: string[]
  /** Refusals of the controller by the name of the object; '' applies to all. */
  refused: Map<string, string>
  /** Whether the controller has accepted everything. */
  isTaken: boolean
}

/** For a port without a load balancer, so many addresses of hosts are listed. */
const maxHosts = 3

export async function waysOf(kube: Kube, of: { id: number; namespace: string }): Promise<RouteStatus> {
  const selection = { namespace: of.namespace, labels: `${labels.service}=${of.id}` }
  const [gateways, routes, ingresses, services] = await Promise.all([
    listKnown(kube, kinds.gateways, selection),
    listKnown(kube, kinds.httpRoutes, selection),
    listKnown(kube, kinds.ingresses, selection),
    listKnown(kube, kinds.services, selection),
  ])
  const refused = new Map<string, string>()
  const addresses: string[] = []
  let isTaken = true
  for (const { status, spec } of gateways) {
    const bad = failing(status?.conditions, ['Accepted', 'Programmed'])
    if (bad && bad.reason !== 'Pending') refused.set('', bad.message || bad.reason)
    for (const { name, conditions } of status?.listeners ?? []) {
      const wrong = failing(conditions, ['Accepted', 'ResolvedRefs', 'Programmed'])
      const port = spec.listeners.find((one) => one.name === name)?.port
      if (wrong && wrong.reason !== 'Pending') refused.set('', `${port ?? name}: ${wrong.message || wrong.reason}`)
    }
    if (!holds(status?.conditions, 'Programmed')) isTaken = false
    addresses.push(...(status?.addresses ?? []).map(({ value }) => value))
  }
  for (const { metadata, status } of routes) {
    const parents = status?.parents ?? []
    if (parents.length === 0) isTaken = false
    for (const { conditions } of parents) {
      if (!isCurrent(metadata, conditions)) isTaken = false
      const bad = failing(conditions, ['Accepted', 'ResolvedRefs'])
      if (bad) refused.set(metadata?.name ?? '', bad.message || bad.reason)
    }
  }
  for (const { status } of ingresses) {
    const found = status?.loadBalancer?.ingress ?? []
    if (found.length === 0) isTaken = false
    addresses.push(...found.flatMap(({ ip, hostname }) => ip ?? hostname ?? []))
  }
  for (const { spec, status } of services) {
    if (spec?.type !== 'LoadBalancer') continue
    const found = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? [])
    const [port] = spec.ports ?? []
    if (!port) continue
    if (found.length > 0) addresses.push(...found.map((one) => `${one}:${port.port}`))
    else if (port.nodePort) {
      const hosts = (await hostAddresses(kube)).slice(0, maxHosts)
      addresses.push(...hosts.map((one) => `${one}:${port.nodePort}`))
    } else isTaken = false
  }
  return { addresses: [...new Set(addresses)], refused, isTaken: isTaken && refused.size === 0 }
}

async function observeRouted(kube: Kube, of: Observed): Promise<Seen> {
  const { addresses, refused, isTaken } = await waysOf(kube, of)
  if (isTaken && addresses.length > 0) return { outcome: 'ready', reason: null, digest: undefined, addresses }
  const late = Date.now() - Date.parse(of.updatedAt) > patienceMs
  const [why] = refused.values()
  const reason =
    why === undefined
      ? ({ key: addresses.length > 0 ? 'outward-not-taken' : 'access-address-missing', vars: {} } as const)
      : ({ key: 'outward-refused', vars: { reason: why.slice(0, 500) } } as const)
  if (!late) return { outcome: 'waiting', reason: why === undefined ? null : reason, digest: undefined }
  // a service that only lacks an address is ready, with that reason
  if (why === undefined && isTaken) return { outcome: 'ready', reason, digest: undefined, addresses }
  return { outcome: 'hopeless', reason, digest: undefined }
}

/** Load balancers and ingresses, whose ways in are opened alike in a cluster. */
export const routed: WorkloadType = {
  objects: routeObjects,
  observe: observeRouted,
  prunes: [kinds.ingresses, kinds.httpRoutes, kinds.gateways, kinds.services, kinds.networkPolicies, kinds.secrets],
}
