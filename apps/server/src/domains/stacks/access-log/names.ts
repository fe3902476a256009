import type { V1Ingress } from '@kubernetes/client-node'
import type { HttpRoute } from '../../../adapters/kube/gateway.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import type { Access } from './parse.ts'

/** Where a way in takes requests. */
interface Place {
  /** Empty: every host. */
  host: string
  path: string
}

/** The names under which a controller logs the requests of a service's ways in. */
export interface Names {
  namespace: string
  /** Of Traefik's routers for an Ingress, in full. */
  routers: Map<string, Place>
  /** Of Traefik's routers for an HTTPRoute, up to the entry point, a number and a hash. */
  starts: Map<string, Place>
  /** Of upstreams of ingress-nginx. */
  upstreams: Map<string, Place[]>
  /** The Kubernetes service that each name of an upstream or of Traefik's services means. */
  answering: Map<string, string>
  /** Kubernetes services that get requests, each with its namespace before it. */
  backends: Map<string, string>
}

/** How Traefik writes names. */
const normal = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .join('-')

const canary = 'nginx.ingress.kubernetes.io/canary'

/** The names of the objects that open a service's ways in. */
export function namesOf(
  namespace: string,
  ingresses: readonly Wire<V1Ingress>[],
  routes: readonly Wire<HttpRoute>[],
): Names {
  const names: Names = {
    namespace,
    routers: new Map(),
    starts: new Map(),
    upstreams: new Map(),
    answering: new Map(),
    backends: new Map(),
  }
  const backend = (service: string, port: number | string) => {
    names.backends.set(`${namespace}-${service}`, service)
    names.answering.set(`${namespace}-${service}-${port}`, service)
    names.answering.set(`${normal(`${namespace}-${service}-${port}`)}@kubernetes`, service)
  }
  for (const { metadata, spec } of ingresses)
    for (const { host = '', http } of spec?.rules ?? [])
      for (const { path = '/', backend: to } of http?.paths ?? []) {
        const { name = '', port } = to.service ?? {}
        const portOf = port?.number ?? port?.name ?? ''
        backend(name, portOf)
        const place = { host, path }
        names.routers.set(`${normal(`${namespace}-${metadata?.name}-${host}${path}`)}@kubernetes`, place)
        // nginx names the upstream of the path also where a canary answers
        if (metadata?.annotations?.[canary] === 'true') continue
        const upstream = `${namespace}-${name}-${portOf}`
        names.upstreams.set(upstream, [...(names.upstreams.get(upstream) ?? []), place])
      }
  for (const { metadata, spec } of routes) {
    const [gateway] = spec.parentRefs
    const path = spec.rules.at(-1)?.matches[0]?.path.value ?? '/'
    const start = normal(`httproute-${namespace}-${metadata?.name}-gw-${namespace}-${gateway?.name}-ep`)
    names.starts.set(`${start}-`, { host: spec.hostnames?.[0] ?? '', path })
    for (const { backendRefs } of spec.rules) for (const { name, port } of backendRefs) backend(name, port)
  }
  return names
}

const hasHost = (wanted: string, host: string): boolean =>
  wanted === '' || wanted === host || (wanted.startsWith('*.') && host.endsWith(wanted.slice(1)))

const hasPath = (wanted: string, path: string): boolean => {
  const [own = ''] = path.split('?')
  return own === wanted || own.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`)
}

const generated = /^.+-\d+-[0-9a-f]{20}@kubernetesgateway$/
/** A router is named after its entry point too if it has several. */
const entryPoint = /^[A-Za-z0-9]+-/
/** Without a host in the line, the usual names only. */
const usualEntryPoint = /^(?:web|websecure)-/

function placesOf({ router, upstream, host, path }: Access, names: Names): Place[] {
  if (router === '') return (names.upstreams.get(upstream) ?? []).filter((place) => hasPath(place.path, path))
  const prefix = host === '' ? usualEntryPoint : entryPoint
  const whole = names.routers.get(router) ?? names.routers.get(router.replace(prefix, ''))
  const found = whole ?? [...names.starts].find(([start]) => isStart(start, router))?.[1]
  // a router has matched the host, so that another host means another router of the same name
  return found && (host === '' || hasHost(found.host, host)) ? [found] : []
}

const isStart = (start: string, router: string): boolean =>
  router.startsWith(start) && generated.test(router.slice(start.length))

/** The Kubernetes service that answered. */
function answeringOf({ router, answered, address }: Access, names: Names): string {
  const known = names.answering.get(answered)
  if (known !== undefined) return known
  const [only = ''] = names.backends.values()
  if (answered === '' && address !== '' && names.backends.size === 1) return only
  const of = `${router.replace(/@kubernetesgateway$/, '')}-svc-`
  const index = /^(.+)-\d+@kubernetesgateway$/.exec(answered.startsWith(of) ? answered.slice(of.length) : '')
  return names.backends.get(index?.[1] ?? '') ?? ''
}

/** Whether a name in a line can also mean an object of another namespace: names are joined by hyphens, and have them. */
export function contestedBy(others: readonly string[]): (name: string) => boolean {
  const starts = others.map((other) => `${normal(other)}-`)
  const known = new Map<string, boolean>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const plain = normal(name.replace(/^httproute-/, ''))
    const readings = [plain, plain.replace(entryPoint, '')]
    const is = starts.some((start) => readings.some((reading) => reading.startsWith(start)))
    known.set(name, is)
    return is
  }
}

/** The host of a request to a service's ways in, and the Kubernetes service that answered; undefined if it was not. */
export function ownOf(access: Access, names: Names): { host: string; service: string } | undefined {
  if (access.namespace !== '' && access.namespace !== names.namespace) return undefined
  const places = placesOf(access, names)
  const hosts = new Set(places.map(({ host }) => host))
  const [only = ''] = hosts
  if (places.length === 0) return undefined
  return { host: access.host || (hosts.size === 1 ? only : ''), service: answeringOf(access, names) }
}
