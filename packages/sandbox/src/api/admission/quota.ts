import type { Store } from '../../store/store.ts'
import { kinds, type Kind } from '../../objects/kinds.ts'
import { addQuantities, formatQuantity, parseQuantity, zero, type Quantity } from '../../objects/quantity.ts'
import { forbidden } from '../../objects/status.ts'
import type { Claim } from '../../objects/storage.ts'
import type { Obj, Pod, PodSpec, Service } from '../../objects/types.ts'

type Amounts = Map<string, Quantity>

const add = (to: Amounts, name: string, amount: Quantity): void => {
  to.set(name, addQuantities(to.get(name) ?? zero, amount))
}
const one: Quantity = { milli: 1000n, binary: false }

/** The requests or limits of a pod: the sum of its containers, or its largest init container if that is more. */
export function podAmounts(spec: PodSpec, which: 'requests' | 'limits'): Amounts {
  const sum: Amounts = new Map()
  for (const { resources } of spec.containers)
    for (const [name, text] of Object.entries(resources?.[which] ?? {})) add(sum, name, parseQuantity(text) ?? zero)
  for (const { resources } of spec.initContainers ?? [])
    for (const [name, text] of Object.entries(resources?.[which] ?? {})) {
      const amount = parseQuantity(text) ?? zero
      if (amount.milli > (sum.get(name)?.milli ?? 0n)) sum.set(name, amount)
    }
  return sum
}

/** How much of a quota an object uses, under every name that a quota may give it. */
function takes(kind: Kind, object: Obj): Amounts {
  const taken: Amounts = new Map([[`count/${kind.resource}`, one]])
  const counted = ['pods', 'services', 'configmaps', 'secrets', 'persistentvolumeclaims', 'resourcequotas']
  if (counted.includes(kind.resource)) taken.set(kind.resource, one)
  if (kind.resource === 'pods') {
    const { spec, status } = object as Pod
    if (status.phase === 'Succeeded' || status.phase === 'Failed') return new Map([[`count/pods`, one]])
    for (const [name, amount] of podAmounts(spec, 'requests')) {
      taken.set(`requests.${name}`, amount)
      if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage') taken.set(name, amount)
    }
    for (const [name, amount] of podAmounts(spec, 'limits')) taken.set(`limits.${name}`, amount)
  }
  if (kind.resource === 'services') {
    const { spec } = object as Service
    if (spec.type === 'LoadBalancer') taken.set('services.loadbalancers', one)
    if (spec.type === 'LoadBalancer' || spec.type === 'NodePort')
      taken.set('services.nodeports', { milli: BigInt(spec.ports?.length ?? 0) * 1000n, binary: false })
  }
  if (kind.resource === 'persistentvolumeclaims') {
    const { spec } = object as Claim
    const size = parseQuantity(spec.resources?.requests?.['storage'] ?? '0') ?? zero
    taken.set('requests.storage', size)
    if (spec.storageClassName) {
      taken.set(`${spec.storageClassName}.storageclass.storage.k8s.io/requests.storage`, size)
      taken.set(`${spec.storageClassName}.storageclass.storage.k8s.io/persistentvolumeclaims`, one)
    }
  }
  return taken
}

const quotaed = kinds.filter((kind) => kind.namespaced && kind.resource !== 'events')

/** The usage of these resources in a namespace. */
export function usage(store: Store, namespace: string, names: Iterable<string>): Amounts {
  const wanted = new Set(names)
  const used: Amounts = new Map([...wanted].map((name) => [name, zero]))
  for (const kind of quotaed)
    for (const object of store.list(kind.resource, namespace))
      for (const [name, amount] of takes(kind, object)) if (wanted.has(name)) add(used, name, amount)
  return used
}

const formatAmounts = (amounts: Amounts, names: string[]): string =>
  names.map((name) => `${name}=${formatQuantity(amounts.get(name) ?? zero)}`).join(',')

/** Compute resources that every container must specify if a quota names them. */
const stated = ['requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory', 'cpu', 'memory']

function unstated(spec: PodSpec, hard: string[]): string {
  const missing = hard
    .filter((name) => stated.includes(name))
    .map((name) => {
      const [which, resource] = name.includes('.') ? name.split('.') : ['requests', name]
      const lacking = spec.containers.filter(
        ({ resources }) => resources?.[which as 'requests' | 'limits']?.[resource ?? ''] === undefined,
      )
      return lacking.length > 0 ? `${name} for: ${lacking.map((container) => container.name).join(',')}` : ''
    })
  return missing.filter(Boolean).sort().join('; ')
}

/** Refuses an object that would exceed one of its namespace's quotas; `old` is the object that it replaces. */
export function checkQuota(store: Store, kind: Kind, object: Obj, old?: Obj): void {
  const { namespace, name } = object.metadata
  if (namespace === undefined) return
  for (const quota of store.list('resourcequotas', namespace)) {
    const hard = Object.keys(quota.spec?.hard ?? {}).sort()
    if (kind.resource === 'pods' && !old) {
      const missing = unstated((object as Pod).spec, hard)
      if (missing) throw forbidden(kind, name, `failed quota: ${quota.metadata.name}: must specify ${missing}`)
    }
    const requested = takes(kind, object)
    for (const [resource, amount] of old ? takes(kind, old) : [])
      add(requested, resource, { milli: -amount.milli, binary: amount.binary })
    const touched = hard.filter((resource) => (requested.get(resource)?.milli ?? 0n) > 0n)
    if (touched.length === 0) continue
    const used = usage(store, namespace, touched)
    const limits: Amounts = new Map(touched.map((n) => [n, parseQuantity(quota.spec?.hard?.[n] ?? '0') ?? zero]))
    const above = touched.filter(
      (n) => (used.get(n)?.milli ?? 0n) + (requested.get(n)?.milli ?? 0n) > (limits.get(n)?.milli ?? 0n),
    )
    if (above.length > 0)
      throw forbidden(
        kind,
        name,
        `exceeded quota: ${quota.metadata.name}, requested: ${formatAmounts(requested, above)}, used: ${formatAmounts(used, above)}, limited: ${formatAmounts(limits, above)}`,
      )
  }
}
