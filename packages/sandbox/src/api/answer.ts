import type { ServerResponse } from 'node:http'
import type { Cluster } from '../cluster.ts'
import { selectedPods, targetPort } from '../controllers/endpoints.ts'
import { controllerOf, isReady } from '../controllers/pods.ts'
import { credentialsOf } from '../node/instance.ts'
import { ApiError, notFound } from '../objects/status.ts'
import type { Pod, Service, ServicePort } from '../objects/types.ts'
import { sendText, type Call } from './call.ts'

let turn = 0

/** A ready pod behind a service's port, in turn. */
function pick(cluster: Cluster, service: Service, port: ServicePort): Pod | undefined {
  const ready = selectedPods(cluster, service).filter(
    (pod) => isReady(pod) && !pod.metadata.deletionTimestamp && targetPort(pod, port) !== undefined,
  )
  return ready[turn++ % ready.length]
}

/** The answer of a pod's web server, which shows the version. */
function introduction(cluster: Cluster, pod: Pod, port: number, path: string): string {
  const [container] = pod.spec.containers
  const status = pod.status.containerStatuses?.find(({ name }) => name === container?.name)
  const owner = controllerOf(pod)
  const set = owner && cluster.store.get('replicasets.apps', pod.metadata.namespace, owner.name)
  const revision = set?.metadata.annotations?.['deployment.kubernetes.io/revision']
  let labels: Record<string, string> = {}
  try {
    if (status) ({ labels } = cluster.images.pull(status.imageID, credentialsOf(cluster, pod)))
  } catch {
    // The image was deleted after the container had started.
  }
  const commit = labels['org.opencontainers.image.revision']
  // images are pinned when pulled, so the digest gets a line of its own
  const name = container?.image.replace(/@.*$/, '').replace(/^[^/]*[.:][^/]*\//, '')
  const lines = [
    `Hello from ${name} (simulated by the Gantry sandbox)`,
    `digest: ${status?.imageID.split('@')[1] ?? ''}`,
    ...(revision === undefined ? [] : [`revision: ${revision}`]),
    ...(commit === undefined ? [] : [`commit: ${commit}`]),
    ...(container?.env ?? []).filter(({ name }) => name === 'VERSION').map(({ value }) => `version: ${value ?? ''}`),
    `pod: ${pod.metadata.name}`,
    `port: ${port}`,
    `path: ${path}`,
  ]
  return `${lines.join('\n')}\n`
}

/** The answer of the service `[scheme:]name[:port]`, or 503 if no pod behind it is ready. */
export function answerFor(cluster: Cluster, namespace: string, address: string, path: string): string {
  const parts = address.split(':')
  if (parts[0] === 'http' || parts[0] === 'https') parts.shift()
  const [name = '', wanted = ''] = parts
  const service = cluster.store.get('services', namespace, name)
  if (!service) throw notFound({ group: '', plural: 'services' }, name)
  const ports = service.spec.ports ?? []
  const port =
    wanted === '' && ports.length === 1
      ? ports[0]
      : ports.find((one) => one.name === wanted || (wanted !== '' && one.port === Number(wanted)))
  const unavailable = (why: string): ApiError => new ApiError(503, 'ServiceUnavailable', why)
  if (!port && /^\d+$/.test(wanted)) throw unavailable(`no service port ${wanted} found for service "${name}"`)
  const known = selectedPods(cluster, service).length > 0
  if (!port) throw unavailable(`no endpoints available for service "${known ? address : name}"`)
  const pod = pick(cluster, service, port)
  if (!pod) throw unavailable(`no endpoints available for service "${name}"`)
  return introduction(cluster, pod, targetPort(pod, port) ?? port.port, path)
}

export function serveProxy({ cluster, response }: Call, namespace: string, address: string, rest: string): void {
  sendText(response, 200, answerFor(cluster, namespace, address, `/${rest}`))
}

/** `/sandbox/services/<namespace>/<service>:<port>/…`: open to everybody, like a published service. */
export function servePublished(cluster: Cluster, response: ServerResponse, pathname: string): void {
  const [, , , namespace = '', address = '', ...rest] = pathname.split('/')
  response.setHeader('x-gantry-sandbox', 'simulated')
  try {
    sendText(response, 200, answerFor(cluster, namespace, decodeURIComponent(address), `/${rest.join('/')}`))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    sendText(response, error.status.code ?? 503, `${error.message}\n`)
  }
}
