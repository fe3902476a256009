import type { CoreV1Event, V1Namespace, V1Node, V1ResourceQuota, V1Service } from '@kubernetes/client-node'
import { base, count, intern, list, optionalCount, short, text, texts, textsByName } from '../parse-object.ts'
import type { BaseRow } from '../parse-object.ts'
import type { Wire } from '../objects.ts'
import { heldBy } from './holding.ts'
import { bytes, milliCores, pieces } from './quantity.ts'

export interface ServicePort {
  name: string
  protocol: string
  port: number
  targetPort: number | string
  nodePort: number | undefined
}

export interface ServiceRow extends BaseRow {
  type: string
  /** 'None' for headless services, '' for external names. */
  clusterIp: string
  ports: ServicePort[]
  selector: Record<string, string>
  /** Addresses of a load balancer, external ones, or the external name. */
  external: string[]
}

export function serviceRow(service: Wire<V1Service>): ServiceRow {
  const { spec, status } = service
  const balanced = list(status?.loadBalancer?.ingress).map(({ ip, hostname }) => text(ip ?? hostname))
  return {
    ...base(service),
    type: intern(spec?.type) || 'ClusterIP',
    clusterIp: text(spec?.clusterIP),
    ports: list(spec?.ports).map(({ name, protocol, port, targetPort, nodePort }) => ({
      name: intern(name),
      protocol: intern(protocol) || 'TCP',
      port: count(port),
      targetPort: typeof targetPort === 'string' ? text(targetPort) : count(targetPort ?? port),
      nodePort: optionalCount(nodePort),
    })),
    selector: textsByName(spec?.selector),
    external: [...balanced, ...texts(spec?.externalIPs), text(spec?.externalName)].filter((one) => one !== ''),
  }
}

export interface EventRow extends BaseRow {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
  count: number
  /** RFC 3339. */
  first: string
  last: string
  about: { kind: string; namespace: string; name: string; uid: string }
  /** The component that reports it. */
  source: string
}

export function eventRow(event: Wire<CoreV1Event>): EventRow {
  const { involvedObject: about, metadata, series }: Partial<typeof event> = event
  const first = text(event.firstTimestamp ?? event.eventTime ?? metadata?.creationTimestamp)
  return {
    ...base(event),
    type: event.type === 'Warning' ? 'Warning' : 'Normal',
    reason: intern(event.reason),
    message: short(event.message, 1000) ?? '',
    count: optionalCount(series?.count ?? event.count) ?? 1,
    first,
    last: text(series?.lastObservedTime ?? event.lastTimestamp) || first,
    about: {
      kind: intern(about?.kind),
      namespace: intern(about?.namespace),
      name: text(about?.name),
      uid: text(about?.uid),
    },
    source: intern(event.source?.component || event.reportingComponent),
  }
}

/** CPU in thousandths of a core, memory and storage in bytes. */
export interface Resources {
  cpu: number
  memory: number
  storage: number
  pods: number
}

const resourcesOf = (given: Record<string, string> | null | undefined): Resources => ({
  cpu: milliCores(given?.['cpu']),
  memory: bytes(given?.['memory']),
  storage: bytes(given?.['ephemeral-storage']),
  pods: pieces(given?.['pods']),
})

export interface NodeRow extends BaseRow {
  /** All labels, because schedulers and screens select by them. */
  labels: Record<string, string>
  ready: boolean
  schedulable: boolean
  roles: string[]
  /** Conditions that are true and should not be: MemoryPressure, DiskPressure … */
  troubles: string[]
  message: string | undefined
  /** The finalizers that delay its deletion. */
  heldBy: string[]
  internalIp: string
  capacity: Resources
  allocatable: Resources
  taints: { key: string; value: string; effect: string }[]
  version: string
  os: string
  architecture: string
  kernel: string
  runtime: string
}

const rolePrefix = 'node-role.kubernetes.io/'

export function nodeRow(node: Wire<V1Node>): NodeRow {
  const { metadata, spec, status } = node
  const conditions = list(status?.conditions)
  const ready = conditions.find(({ type }) => type === 'Ready')
  const info = status?.nodeInfo
  const labels = textsByName(metadata?.labels)
  return {
    ...base(node),
    labels,
    ready: ready?.status === 'True',
    schedulable: spec?.unschedulable !== true,
    roles: Object.keys(labels)
      .filter((key) => key.startsWith(rolePrefix))
      .map((key) => key.slice(rolePrefix.length)),
    troubles: conditions
      .filter(({ type, status }) => type !== 'Ready' && status === 'True')
      .map(({ type }) => text(type)),
    message: ready?.status === 'True' ? undefined : short(ready?.message),
    heldBy: heldBy(node),
    internalIp: text(list(status?.addresses).find(({ type }) => type === 'InternalIP')?.address),
    capacity: resourcesOf(status?.capacity),
    allocatable: resourcesOf(status?.allocatable),
    taints: list(spec?.taints).map(({ key, value, effect }) => ({
      key: text(key),
      value: text(value),
      effect: text(effect),
    })),
    version: text(info?.kubeletVersion),
    os: text(info?.operatingSystem),
    architecture: text(info?.architecture),
    kernel: text(info?.kernelVersion),
    runtime: text(info?.containerRuntimeVersion),
  }
}

export interface NamespaceRow extends BaseRow {
  phase: string
  /** Why its deletion has not finished. */
  message: string | undefined
}

export function namespaceRow(namespace: Wire<V1Namespace>): NamespaceRow {
  const { status } = namespace
  const stuck = list(status?.conditions).find(({ status, reason }) => status === 'True' && reason !== 'ContentDeleted')
  return { ...base(namespace), phase: intern(status?.phase) || 'Active', message: short(stuck?.message) }
}

export interface QuotaRow extends BaseRow {
  /** Quantities as text, by resource: `requests.cpu`, `limits.memory`, `pods` … */
  hard: Record<string, string>
  used: Record<string, string>
}

export function quotaRow(quota: Wire<V1ResourceQuota>): QuotaRow {
  return {
    ...base(quota),
    hard: textsByName(quota.status?.hard ?? quota.spec?.hard),
    used: textsByName(quota.status?.used),
  }
}
