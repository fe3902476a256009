import type { Cluster } from '../../cluster.ts'
import { qosClass } from '../../objects/defaults.ts'
import type { Kind } from '../../objects/kinds.ts'
import { parseQuantity } from '../../objects/quantity.ts'
import { forbidden, invalid, wrong } from '../../objects/status.ts'
import type { Node } from '../../objects/nodes.ts'
import type { Claim } from '../../objects/storage.ts'
import type * as t from '../../objects/types.ts'
import type { Store } from '../../store/store.ts'
import { checkPodSecurity } from './pod-security.ts'
import { checkQuota } from './quota.ts'

/** Completes and checks an object that is about to be created. Modifies it. */
export function admit(cluster: Cluster, kind: Kind, object: t.Obj): void {
  const { store } = cluster
  if (kind.resource === 'pods') admitPod(store, kind, object as t.Pod)
  if (kind.resource === 'services') allocate(store, kind, object as t.Service)
  if (kind.resource === 'persistentvolumeclaims') admitClaim(store, object as Claim)
  if (kind.resource === 'persistentvolumes') protect(object, 'kubernetes.io/pv-protection')
  if (kind.resource === 'nodes') admitNode(object as Node)
  checkQuota(store, kind, object)
}

/** The same for an object that replaces another. */
export function admitChange(cluster: Cluster, kind: Kind, old: t.Obj, object: t.Obj): void {
  if (kind.resource === 'services') allocate(cluster.store, kind, object as t.Service, old as t.Service)
  if (kind.resource === 'persistentvolumeclaims') checkGrowth(cluster.store, kind, old as Claim, object as Claim)
  if (kind.resource === 'services' || kind.resource === 'persistentvolumeclaims')
    checkQuota(cluster.store, kind, object, old)
}

/** The newest of several default classes. */
const defaultClass = (store: Store): string | undefined =>
  store
    .list('storageclasses.storage.k8s.io')
    .filter(({ metadata }) => metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true')
    .sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1))[0]?.metadata.name

/** Protects an object that is in use from deletion: the finalizer is removed once nothing uses it. */
function protect({ metadata }: t.Obj, finalizer: string): void {
  metadata.finalizers = [
    ...(metadata.finalizers ?? []),
    ...(metadata.finalizers?.includes(finalizer) ? [] : [finalizer]),
  ]
}

function admitClaim(store: Store, claim: Claim): void {
  protect(claim, 'kubernetes.io/pvc-protection')
  const name = claim.spec.storageClassName ?? defaultClass(store)
  if (name !== undefined) claim.spec.storageClassName = name
}

/** A bound claim may request more storage only if its class allows volume expansion. */
function checkGrowth({ get }: Store, kind: Kind, was: Claim, is: Claim): void {
  const size = ({ spec }: Claim): bigint => parseQuantity(spec.resources?.requests?.['storage'] ?? '0')?.milli ?? 0n
  if (is.status.phase !== 'Bound' || size(is) <= size(was)) return
  const storage = get('storageclasses.storage.k8s.io', undefined, is.spec.storageClassName ?? '')
  if (storage?.allowVolumeExpansion) return
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
  throw forbidden(kind, is.metadata.name, why)
}

/** A node takes no pods until a kubelet has reported it ready. */
function admitNode(node: Node): void {
  const key = 'node.kubernetes.io/not-ready'
  if (!node.spec.taints?.some((taint) => taint.key === key))
    node.spec.taints = [...(node.spec.taints ?? []), { key, effect: 'NoSchedule' }]
}

function admitPod(store: Store, kind: Kind, pod: t.Pod): void {
  const { name, namespace = '' } = pod.metadata
  const account = (pod.spec.serviceAccountName ||= 'default')
  pod.spec.serviceAccount = account
  if (!store.get('serviceaccounts', namespace, account))
    throw forbidden(
      kind,
      name,
      `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`,
    )
  pod.spec.tolerations = [
    ...(pod.spec.tolerations ?? []),
    ...['not-ready', 'unreachable']
      .map((key) => `node.kubernetes.io/${key}`)
      .filter((key) => !pod.spec.tolerations?.some((toleration) => !toleration.key || toleration.key === key))
      .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })),
  ]
  limit(store, kind, pod)
  pod.status.qosClass = qosClass(pod.spec)
  checkPodSecurity(store, kind, pod)
}

/** Applies the namespace's LimitRanges: defaults for containers, minimum and maximum. */
function limit(store: Store, kind: Kind, pod: t.Pod): void {
  const faults: string[] = []
  for (const range of store.list('limitranges', pod.metadata.namespace))
    for (const rule of range.spec.limits ?? []) {
      if (rule.type !== 'Container') continue
      for (const container of [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]) {
        const resources = (container.resources ??= {})
        if (rule.default) resources.limits = { ...rule.default, ...resources.limits }
        const requests = { ...rule.default, ...rule.defaultRequest }
        if (rule.default || rule.defaultRequest) resources.requests = { ...requests, ...resources.requests }
        faults.push(...bounds(rule, resources))
      }
    }
  if (faults.length > 0)
    throw forbidden(kind, pod.metadata.name, faults.length === 1 ? (faults[0] ?? '') : `[${faults.join(', ')}]`)
}

function bounds(rule: t.LimitRange['spec']['limits'][number], resources: t.Resources): string[] {
  const faults: string[] = []
  const milli = (text: string | undefined): bigint | undefined =>
    text === undefined ? undefined : parseQuantity(text)?.milli
  for (const [name, least] of Object.entries(rule.min ?? {})) {
    const specified = resources.requests?.[name]
    const said = `minimum ${name} usage per Container is ${least}`
    if (specified === undefined) faults.push(`${said}.  No request is specified`)
    else if ((milli(specified) ?? 0n) < (milli(least) ?? 0n)) faults.push(`${said}, but request is ${specified}`)
  }
  for (const [name, most] of Object.entries(rule.max ?? {})) {
    const specified = resources.limits?.[name]
    const said = `maximum ${name} usage per Container is ${most}`
    if (specified === undefined) faults.push(`${said}.  No limit is specified`)
    else if ((milli(specified) ?? 0n) > (milli(most) ?? 0n)) faults.push(`${said}, but limit is ${specified}`)
  }
  return faults
}

const usedAddresses = (store: Store): Set<string> =>
  new Set(store.list('services').flatMap(({ spec }) => (spec.clusterIP ? [spec.clusterIP] : [])))
const usedPorts = (store: Store): Set<number> =>
  new Set(store.list('services').flatMap(({ spec }) => (spec.ports ?? []).flatMap((port) => port.nodePort ?? [])))

/** Gives a service its address in 10.96.0.0/16 and, if its type needs them, node ports from 30000 to 32767. */
function allocate(store: Store, kind: Kind, service: t.Service, old?: t.Service): void {
  const { spec, metadata } = service
  if (spec.type === 'ExternalName') {
    delete spec.clusterIP
    delete spec.clusterIPs
    return
  }
  if (!spec.clusterIP) {
    const used = usedAddresses(store)
    for (let n = 257; !spec.clusterIP && n < 65534; n++) {
      const address = `10.96.${n >> 8}.${n & 255}`
      if (!used.has(address)) spec.clusterIP = address
    }
  } else if (!old && spec.clusterIP !== 'None' && usedAddresses(store).has(spec.clusterIP)) {
    throw invalid(kind, metadata.name, [
      wrong(
        'spec.clusterIPs',
        [spec.clusterIP],
        'failed to allocate IP ' + spec.clusterIP + ': provided IP is already allocated',
      ),
    ])
  }
  spec.clusterIPs ??= spec.clusterIP ? [spec.clusterIP] : []

  const published = spec.type === 'NodePort' || spec.type === 'LoadBalancer'
  const used = usedPorts(store)
  for (const [n, port] of (spec.ports ?? []).entries()) {
    if (!published) {
      delete port.nodePort
      continue
    }
    const before = old?.spec.ports?.find((one) => one.port === port.port && one.protocol === port.protocol)?.nodePort
    if (port.nodePort === undefined && before !== undefined) port.nodePort = before
    if (port.nodePort !== undefined) {
      const mine = old?.spec.ports?.some((one) => one.nodePort === port.nodePort) === true
      const field = `spec.ports[${n}].nodePort`
      if (port.nodePort < 30000 || port.nodePort > 32767)
        throw invalid(kind, metadata.name, [
          wrong(
            field,
            port.nodePort,
            'provided port is not in the valid range. The range of valid ports is 30000-32767',
          ),
        ])
      if (!mine && used.has(port.nodePort))
        throw invalid(kind, metadata.name, [wrong(field, port.nodePort, 'provided port is already allocated')])
    } else {
      let free = 30000
      while (used.has(free)) free++
      port.nodePort = free
    }
    used.add(port.nodePort)
  }
}
