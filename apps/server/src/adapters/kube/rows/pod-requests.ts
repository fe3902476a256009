import type { V1Container, V1Pod } from '@kubernetes/client-node'
import { list } from '../parse-object.ts'
import type { Wire } from '../objects.ts'
import { bytes, milliCores } from './quantity.ts'

/** What the scheduler reserves: CPU in thousandths of a core, memory in bytes. */
interface Requests {
  cpu: number
  memory: number
}

const requestsIn = (given: Record<string, string> | undefined): Requests => ({
  cpu: milliCores(given?.['cpu']),
  memory: bytes(given?.['memory']),
})
const ofContainer = (container: Wire<V1Container>): Requests => requestsIn(container.resources?.requests)

const plus = (a: Requests, b: Requests): Requests => ({ cpu: a.cpu + b.cpu, memory: a.memory + b.memory })
const most = (a: Requests, b: Requests): Requests => ({
  cpu: Math.max(a.cpu, b.cpu),
  memory: Math.max(a.memory, b.memory),
})

/**
 * A pod's requests by the scheduler's rules: its containers and sidecars together, or more if an init container, with
 * the sidecars that started before it, requests more; plus the runtime's overhead. Requests of the pod itself replace
 * those.
 */
export function podRequests({ spec }: Wire<V1Pod>): Requests {
  let sidecars = requestsIn(undefined)
  let starting = sidecars
  for (const container of list(spec?.initContainers)) {
    const own = ofContainer(container)
    if (container.restartPolicy === 'Always') sidecars = plus(sidecars, own)
    starting = most(starting, container.restartPolicy === 'Always' ? sidecars : plus(sidecars, own))
  }
  const running = list(spec?.containers).reduce((sum, container) => plus(sum, ofContainer(container)), sidecars)
  const counted = most(starting, running)
  const whole = spec?.resources?.requests
  const requested = {
    cpu: whole?.['cpu'] === undefined ? counted.cpu : milliCores(whole['cpu']),
    memory: whole?.['memory'] === undefined ? counted.memory : bytes(whole['memory']),
  }
  return plus(requested, requestsIn(spec?.overhead))
}
