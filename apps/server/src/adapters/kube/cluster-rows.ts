import type { CoreV1Event, V1Namespace, V1Node, V1ResourceQuota, V1Service } from '@kubernetes/client-node'
import { allLabels, base, intern, short } from './keep.ts'
import type { BaseRow } from './keep.ts'
import type { Wire } from './objects.ts'
import { bytes, milliCores } from './quantity.ts'

export interface ServicePort {
  name: string
  protocol: string
  port: number
  targetPort: number | string
  nodePort: number | undefined
}

export interface ServiceRow extends BaseRow {
  type: string
  /** 'None' for headless ones, '' for external names. */
  clusterIp: string
  ports: ServicePort[]
  selector: Record<string, string>
  /** Addresses of a load balancer, external ones, or the external name. */
  external: string[]
}

export function serviceRow(service: Wire<V1Service>): ServiceRow {
  const { spec, status } = service
  const balanced = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '')
  return {
    ...base(service),
    type: intern(spec?.type ?? 'ClusterIP'),
    clusterIp: spec?.clusterIP ?? '',
    ports: (spec?.ports ?? []).map(({ name, protocol, port, targetPort, nodePort }) => ({
      name: intern(name ?? ''),
      protocol: intern(protocol ?? 'TCP'),
      port,
      targetPort: targetPort ?? port,
      nodePort,
    })),
    selector: spec?.selector ?? {},
    external: [...balanced, ...(spec?.externalIPs ?? []), spec?.externalName ?? ''].filter((text) => text !== ''),
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
  /** The component that tells it. */
  source: string
}

export function eventRow(event: Wire<CoreV1Event>): EventRow {
  const { involvedObject: about, series } = event
  const first = event.firstTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? ''
  return {
    ...base(event),
    type: event.type === 'Warning' ? 'Warning' : 'Normal',
    reason: intern(event.reason ?? ''),
    message: short(event.message, 1000) ?? '',
    count: series?.count ?? event.count ?? 1,
    first,
    last: series?.lastObservedTime ?? event.lastTimestamp ?? first,
    about: {
      kind: intern(about.kind ?? ''),
      namespace: intern(about.namespace ?? ''),
      name: about.name ?? '',
      uid: about.uid ?? '',
    },
    source: intern(event.source?.component || event.reportingComponent || ''),
  }
}

/** CPU in thousandths of a core, memory and storage in bytes. */
export interface Resources {
  cpu: number
  memory: number
  storage: number
  pods: number
}

const resourcesOf = (given: Record<string, string> | undefined): Resources => ({
  cpu: milliCores(given?.['cpu']),
  memory: bytes(given?.['memory']),
  storage: bytes(given?.['ephemeral-storage']),
  pods: bytes(given?.['pods']),
})

export interface NodeRow extends BaseRow {
  /** All labels: schedulers and screens choose by them. */
  labels: Record<string, string>
  ready: boolean
  schedulable: boolean
  roles: string[]
  /** Conditions that hold and should not: MemoryPressure, DiskPressure … */
  troubles: string[]
  message: string | undefined
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
  const conditions = status?.conditions ?? []
  const ready = conditions.find(({ type }) => type === 'Ready')
  const info = status?.nodeInfo
  return {
    ...base(node),
    labels: allLabels(metadata?.labels),
    ready: ready?.status === 'True',
    schedulable: spec?.unschedulable !== true,
    roles: Object.keys(metadata?.labels ?? {})
      .filter((key) => key.startsWith(rolePrefix))
      .map((key) => key.slice(rolePrefix.length)),
    troubles: conditions.filter(({ type, status }) => type !== 'Ready' && status === 'True').map(({ type }) => type),
    message: ready?.status === 'True' ? undefined : short(ready?.message),
    internalIp: status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '',
    capacity: resourcesOf(status?.capacity),
    allocatable: resourcesOf(status?.allocatable),
    taints: (spec?.taints ?? []).map(({ key, value, effect }) => ({ key, value: value ?? '', effect })),
    version: info?.kubeletVersion ?? '',
    os: info?.operatingSystem ?? '',
    architecture: info?.architecture ?? '',
    kernel: info?.kernelVersion ?? '',
    runtime: info?.containerRuntimeVersion ?? '',
  }
}

export interface NamespaceRow extends BaseRow {
  phase: string
  /** Why it cannot be deleted, while it is being deleted. */
  message: string | undefined
}

export function namespaceRow(namespace: Wire<V1Namespace>): NamespaceRow {
  const { status } = namespace
  const stuck = status?.conditions?.find(({ status, reason }) => status === 'True' && reason !== 'ContentDeleted')
  return { ...base(namespace), phase: intern(status?.phase ?? 'Active'), message: short(stuck?.message) }
}

export interface QuotaRow extends BaseRow {
  /** Quantities as text, by resource: `requests.cpu`, `limits.memory`, `pods` … */
  hard: Record<string, string>
  used: Record<string, string>
}

export function quotaRow(quota: Wire<V1ResourceQuota>): QuotaRow {
  return { ...base(quota), hard: quota.status?.hard ?? quota.spec?.hard ?? {}, used: quota.status?.used ?? {} }
}
