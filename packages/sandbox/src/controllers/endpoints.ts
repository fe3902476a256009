import type { Cluster } from '../cluster.ts'
import { selects } from '../objects/selectors.ts'
import type { EndpointAddress, Endpoints, Obj, Pod, Service, ServicePort } from '../objects/types.ts'
import { sameValue } from '../objects/record.ts'
import { newMeta } from '../store/store.ts'
import { keyOf, type Controller } from './loop.ts'
import { isFinished, isReady } from './pods.ts'

/** The container port of a service port; undefined if the pod has no port of that name. */
export function targetPort(pod: Pod, port: ServicePort): number | undefined {
  if (typeof port.targetPort === 'number') return port.targetPort
  const ports = pod.spec.containers.flatMap((container) => container.ports ?? [])
  return ports.find((one) => one.name === port.targetPort && (one.protocol ?? 'TCP') === port.protocol)?.containerPort
}

export const selectedPods = ({ store }: Cluster, { metadata, spec }: Service): Pod[] =>
  store
    .list('pods', metadata.namespace)
    .filter(
      (pod) => spec.selector && selects(spec.selector, pod.metadata.labels) && pod.status.podIP && !isFinished(pod),
    )

const address = ({ metadata, spec, status }: Pod): EndpointAddress => ({
  ip: status.podIP ?? '',
  ...(spec.nodeName === undefined ? {} : { nodeName: spec.nodeName }),
  targetRef: { kind: 'Pod', namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid },
})

function subsets({ spec }: Service, pods: Pod[]): NonNullable<Endpoints['subsets']> {
  const live = pods.filter((pod) => !pod.metadata.deletionTimestamp)
  const groups = new Map<string, { ports: object[]; ready: EndpointAddress[]; unready: EndpointAddress[] }>()
  for (const pod of live) {
    const ports = (spec.ports ?? []).flatMap((port) => {
      const target = targetPort(pod, port)
      const name = port.name === undefined ? {} : { name: port.name }
      return target === undefined ? [] : [{ ...name, port: target, protocol: port.protocol }]
    })
    if (ports.length === 0 && spec.clusterIP !== 'None') continue
    const key = JSON.stringify(ports)
    const group = groups.get(key) ?? { ports, ready: [], unready: [] }
    groups.set(key, group)
    if (isReady(pod) || spec.publishNotReadyAddresses) group.ready.push(address(pod))
    else group.unready.push(address(pod))
  }
  return [...groups.values()].map(({ ports, ready, unready }) => ({
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(unready.length > 0 ? { notReadyAddresses: unready } : {}),
    ...(ports.length > 0 ? { ports: ports as { port: number; protocol: string }[] } : {}),
  }))
}

/** Writes the generated object under the service's name, unless nothing changed. */
function save(cluster: Cluster, resource: string, name: string, service: Service, body: Obj, now: number): void {
  const old = cluster.store.get(resource, service.metadata.namespace, name)
  const { metadata, ...content } = body
  const known = old && Object.fromEntries(Object.keys(content).map((key) => [key, old[key as keyof Obj]]))
  if (old && sameValue(known, content) && sameValue(old.metadata.labels ?? {}, metadata.labels ?? {})) return
  const base = old?.metadata ?? {
    name,
    ...(service.metadata.namespace === undefined ? {} : { namespace: service.metadata.namespace }),
    ...newMeta(now),
    ...(metadata.ownerReferences ? { ownerReferences: metadata.ownerReferences } : {}),
  }
  cluster.store.put(resource, {
    ...body,
    metadata: { ...base, ...(metadata.labels ? { labels: metadata.labels } : {}) },
  })
}

const sliceLabel = 'kubernetes.io/service-name'

function slice(service: Service, pods: Pod[]): Obj {
  const ports = (service.spec.ports ?? []).flatMap((port) => {
    const target = pods[0] ? targetPort(pods[0], port) : undefined
    return target === undefined ? [] : [{ name: port.name ?? '', port: target, protocol: port.protocol }]
  })
  const { labels, name, uid, namespace } = service.metadata
  const body = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: '',
      uid: '',
      resourceVersion: '',
      creationTimestamp: '',
      labels: {
        ...labels,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        [sliceLabel]: name,
        ...(service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}),
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => {
      const going = pod.metadata.deletionTimestamp !== undefined
      const ready = isReady(pod) || service.spec.publishNotReadyAddresses === true
      return {
        addresses: [pod.status.podIP],
        conditions: { ready: ready && !going, serving: ready, terminating: going },
        ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
        targetRef: { kind: 'Pod', namespace, name: pod.metadata.name, uid: pod.metadata.uid },
      }
    }),
    ports: ports.length > 0 ? ports : null,
  }
  return body
}

/** Maintains Endpoints and EndpointSlices of services that select pods. */
export const endpoints: Controller = {
  name: 'endpoints',
  affected({ store }, change) {
    if (change.resource === 'services') return [keyOf(change.object)]
    if (change.resource !== 'pods') return []
    const { namespace } = change.object.metadata
    const touched = [change.object, change.previous].map((pod) => pod?.metadata.labels)
    return store
      .list('services', namespace)
      .filter(({ spec }) => spec.selector && touched.some((labels) => selects(spec.selector ?? {}, labels)))
      .map(keyOf)
  },
  reconcile(cluster, namespace, name) {
    const { store } = cluster
    const service = store.get('services', namespace, name)
    const sliceName = `${name}-sandbox`
    if (!service) {
      store.remove('endpoints', namespace, name)
      return store.remove('endpointslices.discovery.k8s.io', namespace, sliceName)
    }
    if (!service.spec.selector || service.spec.type === 'ExternalName') return
    const home = store.get('namespaces', undefined, namespace)
    if (!home || home.metadata.deletionTimestamp) return
    const pods = selectedPods(cluster, service)
    const found = subsets(service, pods)
    const meta = { name, uid: '', resourceVersion: '', creationTimestamp: '' }
    const { labels } = service.metadata
    const headless = service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}
    const body: Endpoints = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        ...meta,
        labels: { ...labels, ...headless, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
      },
      ...(found.length > 0 ? { subsets: found } : {}),
    }
    // Explicitly empty subsets, because `save` would see no difference from the old ones.
    const old = store.get('endpoints', namespace, name)
    if (found.length === 0 && old?.subsets) store.put('endpoints', { ...old, subsets: [] })
    else save(cluster, 'endpoints', name, service, body, cluster.now())
    save(cluster, 'endpointslices.discovery.k8s.io', sliceName, service, slice(service, pods), cluster.now())
  },
}
