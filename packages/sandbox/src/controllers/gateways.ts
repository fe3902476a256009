import type { Cluster } from '../cluster.ts'
import type { Node } from '../objects/nodes.ts'
import { sameValue } from '../objects/record.ts'
import type { Condition, Obj } from '../objects/types.ts'
import { keyOf, type Controller } from './loop.ts'

/** The parts of the Gateway API that the simulated controller reads and writes. */
interface GatewayClass extends Obj {
  spec: { controllerName: string }
  status?: { conditions?: Observed[]; supportedFeatures?: { name: string }[] }
}

interface Listener {
  name: string
  port: number
  protocol: string
  hostname?: string
  tls?: { certificateRefs?: { name: string }[] }
}

interface Gateway extends Obj {
  spec: { gatewayClassName: string; listeners: Listener[] }
  status?: { conditions?: Observed[]; listeners?: { name: string; conditions?: Observed[] }[] }
}

interface ParentRef {
  group?: string
  kind?: string
  name: string
  sectionName?: string
}

interface HttpRoute extends Obj {
  spec: {
    parentRefs?: ParentRef[]
    hostnames?: string[]
    rules?: { backendRefs?: { name: string; port?: number }[] }[]
  }
  status?: { parents?: Parent[] }
}

interface Parent {
  parentRef: ParentRef
  controllerName: string
  conditions: Observed[]
}

interface Observed extends Condition {
  observedGeneration?: number
}

export const gatewayController = 'sandbox.gantry.dev/gateway'

const group = 'gateway.networking.k8s.io'
const classes = `gatewayclasses.${group}`
const gatewayKind = `gateways.${group}`
const routeKind = `httproutes.${group}`

interface Told {
  type: string
  /** The reason why it does not hold, and a sentence. */
  no?: readonly [reason: string, message: string]
}

/** Conditions of the present generation; the time is that of the last change. */
const conditionsOf = (
  { now }: Cluster,
  { metadata }: Obj,
  old: readonly Observed[] | undefined,
  told: readonly Told[],
): Observed[] =>
  told.map(({ type, no }) => {
    const status = no ? 'False' : 'True'
    const before = old?.find((one) => one.type === type)
    const at = new Date(now()).toISOString().replace(/\.\d+/, '')
    return {
      type,
      status,
      reason: no?.[0] ?? type,
      message: no?.[1] ?? '',
      lastTransitionTime: (before?.status === status ? before.lastTransitionTime : undefined) ?? at,
      observedGeneration: metadata.generation ?? 1,
    }
  })

function putStatus({ store }: Cluster, resource: string, object: Obj & { status?: object }, status: object): void {
  if (!sameValue(status, object.status)) store.put(resource, { ...object, status })
}

const isOurs = ({ store }: Cluster, name: string): boolean =>
  (store.get(classes, undefined, name) as GatewayClass | undefined)?.spec.controllerName === gatewayController

/** Accepts the classes that name it. */
const gatewayClasses: Controller = {
  name: 'gateway classes',
  affected: (_cluster, { resource, object }) => (resource === classes ? [keyOf(object)] : []),
  reconcile(cluster, _namespace, name) {
    const found = cluster.store.get(classes, undefined, name) as GatewayClass | undefined
    if (found?.spec.controllerName !== gatewayController) return
    putStatus(cluster, classes, found, {
      conditions: conditionsOf(cluster, found, found.status?.conditions, [{ type: 'Accepted' }]),
      supportedFeatures: ['Gateway', 'HTTPRoute', 'HTTPRouteRequestTimeout'].map((feature) => ({ name: feature })),
    })
  },
}

const routesTo = ({ store }: Cluster, namespace: string, gateway: string): HttpRoute[] =>
  (store.list(routeKind, namespace) as HttpRoute[]).filter(({ spec }) =>
    spec.parentRefs?.some(({ name }) => name === gateway),
  )

/** Publishes the first node as the address of the Gateways of its classes. Nothing listens there. */
const gateways: Controller = {
  name: 'gateways',
  *affected({ store }, { resource, object }) {
    if (resource === gatewayKind) yield keyOf(object)
    const { namespace, name } = object.metadata
    if (resource === routeKind)
      for (const { name } of (object as HttpRoute).spec.parentRefs ?? []) yield `${namespace ?? ''}/${name}`
    if (resource === 'secrets') for (const gateway of store.list(gatewayKind, namespace)) yield keyOf(gateway)
    if (resource === classes)
      for (const gateway of store.list(gatewayKind) as Gateway[])
        if (gateway.spec.gatewayClassName === name) yield keyOf(gateway)
  },
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const gateway = store.get(gatewayKind, namespace, name) as Gateway | undefined
    if (!gateway || gateway.metadata.deletionTimestamp || !isOurs(cluster, gateway.spec.gatewayClassName)) return
    const nodes = store.list('nodes') as (Node & { status: { addresses?: { type: string; address: string }[] } })[]
    const ip = nodes.flatMap(({ status }) => status.addresses ?? []).find(({ type }) => type === 'InternalIP')?.address
    // its kubelet has not reported it yet
    if (ip === undefined) return later(100)
    const routes = routesTo(cluster, namespace, name)
    const listeners = gateway.spec.listeners.map((listener) => {
      const missing = listener.tls?.certificateRefs?.find((ref) => !store.get('secrets', namespace, ref.name))
      const no = missing && (['InvalidCertificateRef', `secret ${namespace}/${missing.name} not found`] as const)
      const told = ['Accepted', 'Programmed', 'ResolvedRefs'].map((type) => ({
        type,
        ...(no && type !== 'Accepted' && { no: type === 'Programmed' ? (['Invalid', no[1]] as const) : no }),
      }))
      const old = gateway.status?.listeners?.find((one) => one.name === listener.name)
      return {
        name: listener.name,
        supportedKinds: [{ group, kind: 'HTTPRoute' }],
        attachedRoutes: routes.filter((route) => attaches(route, listener)).length,
        conditions: conditionsOf(cluster, gateway, old?.conditions, told),
      }
    })
    putStatus(cluster, gatewayKind, gateway, {
      addresses: [{ type: 'IPAddress', value: ip }],
      conditions: conditionsOf(cluster, gateway, gateway.status?.conditions, [
        { type: 'Accepted' },
        { type: 'Programmed' },
      ]),
      listeners,
    })
  },
}

/** Whether a listener takes requests for one of the route's hosts. */
const takes = ({ hostname }: Listener, hosts: readonly string[] = []): boolean =>
  hostname === undefined || hosts.length === 0 || hosts.some((host) => covers(hostname, host) || covers(host, hostname))

const covers = (pattern: string, host: string): boolean =>
  pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)))

const attaches = ({ spec }: HttpRoute, listener: Listener): boolean =>
  (spec.parentRefs ?? []).some(({ sectionName = listener.name }) => sectionName === listener.name) &&
  takes(listener, spec.hostnames)

/** Tells for each Gateway of its classes whether it takes the route, and whether the route's services exist. */
const httpRoutes: Controller = {
  name: 'http routes',
  *affected({ store }, { resource, object }) {
    if (resource === routeKind) yield keyOf(object)
    if (resource === gatewayKind || resource === 'services')
      for (const route of store.list(routeKind, object.metadata.namespace)) yield keyOf(route)
  },
  reconcile(cluster, namespace, name) {
    const { store } = cluster
    const route = store.get(routeKind, namespace, name) as HttpRoute | undefined
    if (!route || route.metadata.deletionTimestamp) return
    const { parentRefs = [], rules = [], hostnames } = route.spec
    const backends = rules.flatMap(({ backendRefs = [] }) => backendRefs)
    const lost = backends.find(({ name, port }) => {
      const service = store.get('services', namespace, name)
      return !service?.spec.ports?.some((one) => one.port === port)
    })
    const unresolved =
      lost && (['BackendNotFound', `service ${namespace}/${lost.name}:${lost.port} not found`] as const)
    const others = (route.status?.parents ?? []).filter((one) => one.controllerName !== gatewayController)
    const own = parentRefs.flatMap((parentRef): Parent[] => {
      const gateway = store.get(gatewayKind, namespace, parentRef.name) as Gateway | undefined
      if (!gateway || !isOurs(cluster, gateway.spec.gatewayClassName)) return []
      const { sectionName } = parentRef
      const named = gateway.spec.listeners.filter((one) => sectionName === undefined || one.name === sectionName)
      const no =
        named.length === 0
          ? (['NoMatchingParent', `no listener is named ${sectionName}`] as const)
          : named.some((listener) => takes(listener, hostnames))
            ? undefined
            : (['NoMatchingListenerHostname', 'no listener takes its hosts'] as const)
      const old = route.status?.parents?.find(
        (one) => one.controllerName === gatewayController && sameValue(one.parentRef, parentRef),
      )
      const told: Told[] = [
        { type: 'Accepted', ...(no && { no }) },
        { type: 'ResolvedRefs', ...(unresolved && { no: unresolved }) },
      ]
      return [
        {
          parentRef,
          controllerName: gatewayController,
          conditions: conditionsOf(cluster, route, old?.conditions, told),
        },
      ]
    })
    putStatus(cluster, routeKind, route, { parents: [...others, ...own] })
  },
}

export const gatewayControllers: Controller[] = [gatewayClasses, gateways, httpRoutes]
