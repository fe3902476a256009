import { Pod, type podSorts } from '@gantry/contract/clusters/pods'
import { labels } from '../../../adapters/kube/labels.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import { by, byNameOf, thenBy, type Compare } from '../../../kernel/in-order.ts'
import type { StackThere } from './pods.read.ts'

const gib = 2 ** 30
const to = (digits: number, value: number): number => Math.round(value * 10 ** digits) / 10 ** digits

type Alike = keyof Pod & keyof PodRow

/** The fields that lists and cached rows name alike. */
const alike = (row: PodRow) =>
  Object.fromEntries(Object.keys(Pod.shape).map((key) => [key, row[key as Alike]])) as Pick<PodRow, Alike>

/** A pod for lists and for the push channel. `stack` is the stack of its namespace, by our own records. */
export function shownPod(row: PodRow, stack: StackThere | undefined): Pod {
  const serviceId = Number(row.labels[labels.service])
  const service = stack?.services.get(serviceId)
  return {
    ...alike(row),
    host: row.node,
    containers: row.total,
    container: row.containers.find(({ role }) => role === 'main')?.name ?? '',
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

type Sort = (typeof podSorts)[number]

/** Columns that are not sorted by the cached field of their name. */
const ownOrders: Record<Exclude<Sort, keyof PodRow> | 'name' | 'namespace' | 'ip' | 'ready', Compare<PodRow>> = {
  name: byNameOf((row) => row.name),
  namespace: byNameOf((row) => row.namespace),
  ip: byNameOf((row) => row.ip),
  host: byNameOf((row) => row.node),
  // pods that lack the most ready containers come first
  ready: by((row) => row.ready - row.total),
  createdAt: by((row) => row.created),
}
const hasOwnOrder = (column: Sort): column is keyof typeof ownOrders => column in ownOrders
const orderOf = (column: Sort): Compare<PodRow> => (hasOwnOrder(column) ? ownOrders[column] : by((row) => row[column]))

const unique: Compare<PodRow> = thenBy(ownOrders.namespace, ownOrders.name)

/** The order of a column; equal rows by namespace and name, always ascending. */
export const podOrder = (column: Sort, direction: 'asc' | 'desc'): Compare<PodRow> => {
  const compare = orderOf(column)
  return thenBy(direction === 'asc' ? compare : (a, b) => compare(b, a), unique)
}

interface PodFilter {
  keyword?: string | undefined
  namespace?: string | undefined
  host?: string | undefined
}

/** Names, hosts and addresses are lower case in every cluster, so only the keyword is lowercased. */
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
