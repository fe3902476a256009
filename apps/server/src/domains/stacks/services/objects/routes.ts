import type { V1Ingress, V1NetworkPolicy, V1Secret, V1Service } from '@kubernetes/client-node'
import type { GrayHeader } from '@gantry/contract/stacks/copies/copy'
import { type Entry, entriesOf, type Outward } from '@gantry/contract/stacks/outward'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Gateway, HttpRoute, Listener } from '../../../../adapters/kube/gateway.ts'
import { labels, managed } from '../../../../adapters/kube/labels.ts'
import type { Wire } from '../../../../adapters/kube/objects.ts'
import * as kinds from '../../../../adapters/kube/resources.ts'
import { type Entrance, type Group, noEntrance } from '../../outward/entrance.service.ts'
import type { ServiceObject } from '../types/workload-type.ts'
import { labelsOf, type ServiceOf } from './service-objects.ts'

/** The kind of object that opens a way in. */
export type Opening = 'gateway' | 'ingress' | 'service'

const ingressPorts: Record<string, number> = { http: 80, https: 443 }

/** How a way in is opened; undefined if the cluster cannot. */
export function openingOf({ family, port, host, path, targets, tls }: Entry, { way }: Group): Opening | undefined {
  if (family === 'tcp' || family === 'udp') return 'service'
  if (way === 'gateway') return 'gateway'
  if (way === 'ingress' && ingressPorts[family] === port) return targets.length === 1 ? 'ingress' : undefined
  const isPlain = host === '' && path === '/' && targets.length === 1 && !tls
  return isPlain ? 'service' : undefined
}

const meta = (of: ServiceOf, name: string) => ({ name, namespace: of.namespace, labels: labelsOf(of) })

/**
 * How a controller divides requests between a service and its copy: a Gateway by weights and headers of its routes,
 * nginx by a second Ingress with annotations. Undefined if it cannot.
 */
export function dividesBy(entry: Entry, group: Group): 'route' | 'canary' | undefined {
  const opening = openingOf(entry, group)
  if (opening === 'gateway') return 'route'
  return opening === 'ingress' && group.controller.startsWith('k8s.io/ingress-nginx') ? 'canary' : undefined
}

/** The labels of a target's pods within the namespace; with `only`, those of one revision. */
const podsOf = (service: string, marks: Record<string, string>, only: number | null = null) => ({
  ...managed,
  ...marks,
  [labels.name]: service,
  ...(only === null ? {} : { [labels.revision]: String(only) }),
})

interface Numbered {
  entry: Entry
  at: number
}

/** A target that is narrowed by labels has its own Service. */
const isNarrowed = ({ entry }: Numbered): boolean => Object.keys(entry.labels).length > 0

const narrowedName = (of: ServiceOf, { at }: Numbered, target: number): string => `gantry-${of.id}-${at}-${target}`

/** The receiver of requests to a target: the service, or its copy while it gets a part of them. */
interface Backend {
  name: string
  port: number
  weight: number
  /** For a copy, the requests that it gets whatever its weight. */
  header?: GrayHeader | null
}

function backendsOf(of: ServiceOf, numbered: Numbered): Backend[] {
  const { targets } = numbered.entry
  const copies = targets.map(({ service }) => of.divided?.get(service)?.copy)
  // weights are multiplied by a hundred, to be divided by percentages
  const whole = copies.some((copy) => copy) ? 100 : 1
  return targets.flatMap(({ service, port, weight }, target) => {
    const own = isNarrowed(numbered) ? narrowedName(of, numbered, target) : service
    const copy = copies[target]
    if (!copy) return [{ name: own, port, weight: weight * whole }]
    const next = isNarrowed(numbered) ? `${own}-next` : copy.name
    return [
      { name: own, port, weight: weight * (100 - copy.weight) },
      { name: next, port, weight: weight * copy.weight, header: copy.header },
    ]
  })
}

const narrowed = (of: ServiceOf, numbered: Numbered): Wire<V1Service>[] =>
  isNarrowed(numbered)
    ? numbered.entry.targets.flatMap(({ service, port }, target) => {
        const { only = null, copy = null } = of.divided?.get(service) ?? {}
        const name = narrowedName(of, numbered, target)
        const made = (own: string, revision: number | null): Wire<V1Service> => ({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: meta(of, own),
          spec: {
            selector: podsOf(service, numbered.entry.labels, revision),
            ports: [{ name: `tcp-${port}`, port, targetPort: port, protocol: 'TCP' }],
          },
        })
        return [made(name, only), ...(copy ? [made(`${name}-next`, copy.revision)] : [])]
      })
    : []

/** A host in the names of objects, where a wildcard host differs from any other host. */
const hostIn = (host: string): string => (host.startsWith('*.') ? `-any${host.slice(1)}` : `.${host}`)

const secretName = (of: ServiceOf, host: string): string => `${of.name}.tls${hostIn(host)}`

const certificateSecret = (of: ServiceOf, host: string, tls: NonNullable<Entry['tls']>): Wire<V1Secret> => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: meta(of, secretName(of, host)),
  type: 'kubernetes.io/tls',
  data: {
    'tls.crt': Buffer.from(tls.certificate).toString('base64'),
    'tls.key': Buffer.from(tls.key).toString('base64'),
  },
})

/** For HTTPS, each host has its own listener with its certificate. */
const listenerName = ({ family, port, host }: Entry): string =>
  family === 'https' ? `https-${port}${hostIn(host)}` : `http-${port}`

function listenersOf(of: ServiceOf, routed: readonly Numbered[]): Listener[] {
  const listeners = new Map<string, Listener>()
  for (const { entry } of routed) {
    const name = listenerName(entry)
    listeners.set(name, {
      name,
      port: entry.port,
      protocol: entry.family === 'https' ? 'HTTPS' : 'HTTP',
      ...(entry.family === 'https' && {
        hostname: entry.host,
        tls: { mode: 'Terminate' as const, certificateRefs: [{ name: secretName(of, entry.host) }] },
      }),
      allowedRoutes: { namespaces: { from: 'Same' } },
    })
  }
  return [...listeners.values()]
}

const gatewayObject = (of: ServiceOf, entrance: Entrance, routed: readonly Numbered[]): Wire<Gateway> => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: meta(of, of.name),
  spec: { gatewayClassName: entrance.group, listeners: listenersOf(of, routed) },
})

export const routeName = (of: { name: string }, at: number): string => `${of.name}-${at}`

const timeoutOf = (outward: Outward | undefined): number | undefined =>
  outward?.type === 'ingress' ? outward.timeoutSeconds : undefined

const routeObject = (of: ServiceOf, numbered: Numbered, timeout: number | undefined): Wire<HttpRoute> => {
  const path = { type: 'PathPrefix' as const, value: numbered.entry.path }
  const backends = backendsOf(of, numbered)
  const timeouts = timeout === undefined ? {} : { timeouts: { request: `${timeout}s` } }
  const refOf = ({ name, port, weight }: Backend) => ({ name, port, weight })
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: meta(of, routeName(of, numbered.at)),
    spec: {
      parentRefs: [{ name: of.name, sectionName: listenerName(numbered.entry) }],
      ...(numbered.entry.host === '' ? {} : { hostnames: [numbered.entry.host] }),
      rules: [
        ...backends.flatMap((backend) =>
          backend.header
            ? [
                {
                  matches: [{ path, headers: [{ type: 'Exact' as const, ...backend.header }] }],
                  backendRefs: [refOf({ ...backend, weight: 1 })],
                  ...timeouts,
                },
              ]
            : [],
        ),
        { matches: [{ path }], backendRefs: backends.map(refOf), ...timeouts },
      ],
    },
  }
}

/** The annotations for a timeout, if the controller's Ingress supports one. */
export const timeoutNotes = (controller: string, seconds: number): Record<string, string> | undefined =>
  controller.startsWith('k8s.io/ingress-nginx')
    ? {
        'nginx.ingress.kubernetes.io/proxy-read-timeout': String(seconds),
        'nginx.ingress.kubernetes.io/proxy-send-timeout': String(seconds),
      }
    : undefined

function ingressObject(
  of: ServiceOf,
  entrance: Entrance,
  opened: readonly Numbered[],
  timeout: number | undefined,
): Wire<V1Ingress> {
  const byHost = Map.groupBy(opened, ({ entry }) => entry.host)
  const secured = [...new Set(opened.filter(({ entry }) => entry.tls).map(({ entry }) => entry.host))]
  const notes = timeout === undefined ? undefined : timeoutNotes(entrance.controller, timeout)
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...meta(of, of.name), ...(notes && { annotations: notes }) },
    spec: {
      ingressClassName: entrance.group,
      ...(secured.length > 0 && { tls: secured.map((host) => ({ hosts: [host], secretName: secretName(of, host) })) }),
      rules: [...byHost].map(([host, rows]) => ({
        ...(host === '' ? {} : { host }),
        http: { paths: rows.map((numbered) => pathTo(numbered, backendsOf(of, numbered)[0])) },
      })),
    },
  }
}

const pathTo = ({ entry: { path } }: Numbered, backend: Backend | undefined) => ({
  path,
  pathType: 'Prefix',
  backend: { service: { name: backend?.name ?? '', port: { number: backend?.port ?? 0 } } },
})

/** The part of copies in ingress-nginx: a second Ingress for each, with the same hosts and paths. */
function canaryObjects(of: ServiceOf, { group }: Entrance, opened: readonly Numbered[]): Wire<V1Ingress>[] {
  const byTarget = Map.groupBy(opened, ({ entry }) => entry.targets[0]?.service ?? '')
  return [...byTarget].flatMap(([service, rows]) => {
    const copy = of.divided?.get(service)?.copy
    if (!copy) return []
    const { weight, header } = copy
    const notes = {
      canary: 'true',
      'canary-weight': String(weight),
      ...(header ? { 'canary-by-header': header.name, 'canary-by-header-value': header.value } : {}),
    }
    const annotations = Object.fromEntries(
      Object.entries(notes).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value]),
    )
    return {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...meta(of, `${of.name}.${copy.name}`), annotations },
      spec: {
        ingressClassName: group,
        rules: rows.map((numbered) => ({
          ...(numbered.entry.host === '' ? {} : { host: numbered.entry.host }),
          http: { paths: [pathTo(numbered, backendsOf(of, numbered)[1])] },
        })),
      },
    }
  })
}

const protocolOf = ({ family }: Entry) => (family === 'udp' ? 'UDP' : 'TCP')

/** If the cluster has load balancers, it gets its own address; else it uses the port of every host. */
const portService = (of: ServiceOf, { entry }: Numbered): Wire<V1Service> => {
  const [target = { service: '', port: 0 }] = entry.targets
  const protocol = protocolOf(entry)
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(of, `gantry-${of.id}-port-${entry.port}`),
    spec: {
      type: 'LoadBalancer',
      selector: podsOf(target.service, entry.labels, of.divided?.get(target.service)?.only),
      ports: [{ name: `${protocol.toLowerCase()}-${entry.port}`, port: entry.port, targetPort: target.port, protocol }],
    },
  }
}

interface PolicyPort {
  port: number
  protocol: 'TCP' | 'UDP'
}

/**
 * Allows traffic to the port of a target: from the group's controller only or, if a Service opens the port, from
 * everywhere.
 */
function policies(
  of: ServiceOf,
  entrance: Entrance,
  opened: readonly (Numbered & { opening: Opening })[],
): Wire<V1NetworkPolicy>[] {
  const byTarget = new Map<string, { service: string; routed: Set<number>; open: Map<string, PolicyPort> }>()
  for (const { entry, opening } of opened)
    for (const { service, port } of entry.targets) {
      const found = byTarget.get(service) ?? { service, routed: new Set<number>(), open: new Map() }
      const protocol = protocolOf(entry)
      if (opening === 'service') found.open.set(`${port}/${protocol}`, { port, protocol })
      else found.routed.add(port)
      byTarget.set(service, found)
    }
  return [...byTarget.values()].map(({ service, routed, open }) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: meta(of, `gantry-outward-${of.id}-${service}`),
    spec: {
      podSelector: { matchLabels: podsOf(service, {}) },
      policyTypes: ['Ingress'],
      ingress: [
        ...(routed.size > 0 && entrance.peers.length > 0
          ? [{ from: entrance.peers, ports: [...routed].map((port) => ({ port, protocol: 'TCP' })) }]
          : []),
        ...(open.size > 0 ? [{ ports: [...open.values()] }] : []),
      ],
    },
  }))
}

/** All objects of a service's ways in. */
export function routeObjects(of: ServiceOf, { outward }: ServiceSpec): ServiceObject[] {
  const entrance = of.entrance ?? noEntrance
  const timeout = timeoutOf(outward)
  const opened = entriesOf(outward).flatMap((entry, at) => {
    const opening = openingOf(entry, entrance)
    return opening ? [{ entry, at, opening }] : []
  })
  const openedAs = (opening: Opening) => opened.filter((one) => one.opening === opening)
  const certified = new Map(opened.flatMap(({ entry }) => (entry.tls ? [[entry.host, entry.tls] as const] : [])))
  const routed = openedAs('gateway')
  const ingress = openedAs('ingress')
  const as = <T extends { metadata?: { name?: string } }>(
    resource: ServiceObject['resource'],
    objects: readonly T[],
    more: Pick<ServiceObject, 'own'> = {},
  ): ServiceObject[] => objects.map((object) => ({ resource, name: object.metadata?.name ?? '', object, ...more }))
  return [
    ...as(
      kinds.secrets,
      [...certified].map(([host, tls]) => certificateSecret(of, host, tls)),
    ),
    ...as(
      kinds.services,
      opened.filter(({ opening }) => opening !== 'service').flatMap((one) => narrowed(of, one)),
    ),
    ...as(kinds.networkPolicies, policies(of, entrance, opened), { own: true }),
    ...as(
      kinds.services,
      openedAs('service').map((one) => portService(of, one)),
    ),
    ...as(kinds.gateways, routed.length > 0 ? [gatewayObject(of, entrance, routed)] : []),
    ...as(
      kinds.httpRoutes,
      routed.map((one) => routeObject(of, one, timeout)),
    ),
    ...as(kinds.ingresses, ingress.length > 0 ? [ingressObject(of, entrance, ingress, timeout)] : []),
    ...as(
      kinds.ingresses,
      canaryObjects(
        of,
        entrance,
        ingress.filter(({ entry }) => dividesBy(entry, entrance) === 'canary'),
      ),
    ),
  ]
}
