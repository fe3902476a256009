import { badRequest, invalid, wrong } from '../../objects/status.ts'
import type { Container, ContainerStatus, Pod } from '../../objects/types.ts'
import type { Instance } from '../../node/instance.ts'
import { logLines, type Moment } from '../../node/programs.ts'
import type { ResourceCall } from '../call.ts'
import { integer, isTrue } from '../request.ts'
import { mustFind } from '../write.ts'

/** The container of a log or a terminal; in a pod with a single container its name may be omitted. */
export function chosenContainer(pod: Pod, name: string | null): Container {
  const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers, ...(pod.spec.ephemeralContainers ?? [])]
  if (name) {
    const one = all.find((container) => container.name === name)
    if (!one) throw badRequest(`container ${name} is not valid for pod ${pod.metadata.name}`)
    return one
  }
  const [only, ...more] = pod.spec.containers
  if (only && more.length === 0) return only
  const named = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container']
  const preferred = pod.spec.containers.find((container) => container.name === named)
  if (preferred) return preferred
  const names = pod.spec.containers.map((container) => container.name).join(' ')
  const init = (pod.spec.initContainers ?? []).map((container) => container.name).join(' ')
  throw badRequest(
    `a container name must be specified for pod ${pod.metadata.name}, choose one of: [${names}]${init ? ` or one of the init containers: [${init}]` : ''}`,
  )
}

export const statusOf = (pod: Pod, container: Container): ContainerStatus | undefined =>
  [
    ...(pod.status.initContainerStatuses ?? []),
    ...(pod.status.containerStatuses ?? []),
    ...(pod.status.ephemeralContainerStatuses ?? []),
  ].find(({ name }) => name === container.name)

function instanceOf({ programs }: ResourceCall, pod: Pod, container: Container, previous: boolean): Instance {
  const { name } = pod.metadata
  const status = statusOf(pod, container)
  if (previous) {
    const instance = status && programs.instance(pod, container, status, true)
    if (!instance) throw badRequest(`previous terminated container "${container.name}" in pod "${name}" not found`)
    return instance
  }
  // A container that waits for a restart still has the log of its last run.
  const instance = status && programs.instance(pod, container, status)
  if (instance) return instance
  if (!pod.spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`)
  const reason = status?.state.waiting?.reason ?? 'ContainerCreating'
  const why =
    { ErrImagePull: "image can't be pulled", ImagePullBackOff: 'trying and failing to pull image' }[reason] ?? reason
  throw badRequest(`container "${container.name}" in pod "${name}" is waiting to start: ${why}`)
}

const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, -1)}000000Z`

/** `GET …/pods/{name}/log`. */
export function serveLog(call: ResourceCall): void {
  const { cluster, query, response, target } = call
  const pod = mustFind(cluster, target.kind, target.namespace, target.name ?? '') as Pod
  const container = chosenContainer(pod, query.get('container'))
  const tail = integer(query, 'tailLines')
  const limit = integer(query, 'limitBytes')
  const since = integer(query, 'sinceSeconds')
  const sinceTime = query.get('sinceTime')
  const stamps = isTrue(query.get('timestamps'))
  const follow = isTrue(query.get('follow'))
  const previous = isTrue(query.get('previous'))
  const refuse = (field: string, value: number, why: string): never => {
    throw invalid({ group: '', kind: 'PodLogOptions' }, pod.metadata.name, [wrong(field, value, why)])
  }
  if (tail !== undefined && tail < 0) refuse('tailLines', tail, 'must be greater than or equal to 0')
  if (since !== undefined && since < 1) refuse('sinceSeconds', since, 'must be greater than 0')
  const instance = instanceOf(call, pod, container, previous)
  const from = since === undefined ? (sinceTime ? Date.parse(sinceTime) : 0) : cluster.now() - since * 1000
  // A stopped container has not written the lines that it would have written later.
  const stoppedAt = previous ? Infinity : endOf(pod, container)

  const lines = call.programs.play(instance)
  const now = Math.min(cluster.now(), stoppedAt)
  let past: string[] = []
  let next: Moment | undefined
  // Iterated by hand, because leaving a `for` would close the generator that the follower continues with.
  for (;;) {
    next = lines.next().value ?? undefined
    if (!next || next.at > now || 'exit' in next) break
    if (next.at >= from) past.push(text(next, stamps))
    if (past.length > logLines * 2) past = past.slice(-logLines)
  }
  if (tail !== undefined) past = tail === 0 ? [] : past.slice(-tail)
  let body = past.join('')
  if (limit !== undefined) body = Buffer.from(body).subarray(0, limit).toString('utf8')

  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' })
  if (!follow || previous || stoppedAt !== Infinity) return void response.end(body)
  response.write(body)
  response.flushHeaders()
  follower(call, pod, container, lines, next, stamps)
}

const text = (moment: { at: number; line: string }, stamps: boolean): string =>
  stamps ? `${stamp(moment.at)} ${moment.line}\n` : `${moment.line}\n`

const endOf = (pod: Pod, container: Container): number => {
  const terminated = statusOf(pod, container)?.state.terminated
  return terminated ? Date.parse(terminated.finishedAt) + 999 : Infinity
}

/** Sends each line at its time, until the container ends, the pod is deleted or the client leaves. */
function follower(
  call: ResourceCall,
  pod: Pod,
  container: Container,
  lines: Generator<Moment, void, undefined>,
  first: Moment | undefined,
  stamps: boolean,
): void {
  const { cluster, response, stopped } = call
  let next = first
  let timer: NodeJS.Timeout | undefined
  const end = (): void => void response.end()
  const step = (): void => {
    const now = cluster.now()
    while (next && next.at <= now) {
      if ('exit' in next) return end()
      const taken = response.write(text(next, stamps))
      next = lines.next().value ?? undefined
      if (!taken) return void response.once('drain', step)
    }
    if (!next) return end()
    timer = setTimeout(step, Math.min(next.at - now, 60_000))
  }
  const id = statusOf(pod, container)?.containerID
  const unsubscribe = cluster.store.subscribe(({ resource, object, type }) => {
    if (resource !== 'pods' || object.metadata.uid !== pod.metadata.uid) return
    const status = statusOf(object as Pod, container)
    if (type === 'DELETED') end()
    else if (status?.containerID !== id) end()
  })
  stopped.addEventListener('abort', end)
  response.once('close', () => {
    clearTimeout(timer)
    unsubscribe()
    stopped.removeEventListener('abort', end)
  })
  step()
}
