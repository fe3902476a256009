import type { Pod, podSorts } from '@gantry/contract/clusters/pods'
import { labels } from '../../../adapters/kube/labels.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import { by, type Compare, thenBy } from '../../../kernel/in-order.ts'
import type { StackThere } from './pods.read.ts'

const gib = 2 ** 30
const to = (digits: number, value: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** A pod for lists and for the push channel. `stack` is that of its namespace, by our own records. */
export function shownPod(row: PodRow, stack: StackThere | undefined): Pod {
  const serviceId = Number(row.labels[labels.service])
  const service = stack?.services.get(serviceId)
  return {
    uid: row.uid,
    name: row.name,
    namespace: row.namespace,
    host: row.node,
    ip: row.ip,
    status: row.status,
    ready: row.ready,
    containers: row.total,
    container: row.containers.find(({ role }) => role === 'main')?.name ?? '',
    restarts: row.restarts,
    cpu: to(3, row.cpu / 1000),
    memory: to(6, row.memory / gib),
    stack: stack
      ? {
          id: stack.id,
          uuid: stack.uuid,
          name: stack.name,
          teamId: stack.teamId,
          service: service === undefined ? null : { id: serviceId, name: service },
        }
      : null,
    createdAt: row.created,
  }
}

const columns: Record<(typeof podSorts)[number], Compare<PodRow>> = {
  name: by((row) => row.name),
  namespace: by((row) => row.namespace),
  host: by((row) => row.node),
  ip: by((row) => row.ip),
  status: by((row) => row.status),
  // Those that lack most come first.
  ready: by((row) => row.ready - row.total),
  restarts: by((row) => row.restarts),
  cpu: by((row) => row.cpu),
  memory: by((row) => row.memory),
  createdAt: by((row) => row.created),
}

const unique: Compare<PodRow> = thenBy(
  by((row) => row.namespace),
  by((row) => row.name),
)

/** The order of a column; equals by namespace and name, upwards in both directions. */
export const podOrder = (column: (typeof podSorts)[number], direction: 'asc' | 'desc'): Compare<PodRow> => {
  const compare = columns[column]
  return thenBy(direction === 'asc' ? compare : (a, b) => compare(b, a), unique)
}

interface PodFilter {
  keyword?: string | undefined
  namespace?: string | undefined
  host?: string | undefined
}

/** Names, hosts and addresses are lower case in every cluster, so the keyword alone is made so. */
export function podFilter({ keyword = '', namespace, host }: PodFilter): (row: PodRow) => boolean {
  const word = keyword.trim().toLowerCase()
  return (row) =>
    (namespace === undefined || row.namespace === namespace) &&
    (host === undefined || row.node === host) &&
    (word === '' ||
      row.name.includes(word) ||
      row.namespace.includes(word) ||
      row.node.includes(word) ||
      row.ip.includes(word))
}
