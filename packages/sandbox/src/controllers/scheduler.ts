import { podAmounts } from '../api/admission/quota.ts'
import type { Cluster } from '../cluster.ts'
import { parseQuantity } from '../objects/quantity.ts'
import type { Node } from '../objects/nodes.ts'
import type { Pod } from '../objects/types.ts'
import { seconds } from '../store/store.ts'
import { withCondition } from '../node/pod-status.ts'
import { keyOf, type Controller } from './loop.ts'
import { hasNeighbours, neighbourObjection } from './neighbours.ts'
import { fitsAffinity, repelled, tolerates } from './placement.ts'
import { record } from './record.ts'
import { bindAt, claimNames, claimsOf, storageObjection } from './storage/storage-match.ts'

const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

const finished = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed'

/** Why a pod cannot run on a node, in the scheduler's words; undefined if it can. */
function objection({ spec }: Pod, node: Node, there: Pod[]): string | undefined {
  if (node.spec.unschedulable && !tolerates(spec.tolerations, cordon)) return 'node(s) were unschedulable'
  if (repelled(spec, node, ['NoSchedule', 'NoExecute'])) return 'node(s) had untolerated taint(s)'
  if (!fitsAffinity(spec, node)) return "node(s) didn't match Pod's node affinity/selector"
  const room = node.status.allocatable ?? {}
  if (there.length >= Number(room['pods'] ?? 0)) return 'Too many pods'
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    const free = (parseQuantity(room[name] ?? '0')?.milli ?? 0n) - requestedOf(there, name)
    if (amount.milli > free) return `Insufficient ${name}`
  }
  return undefined
}

const requestedOf = (pods: Pod[], name: string): bigint => {
  let sum = 0n
  for (const { spec } of pods) sum += podAmounts(spec, 'requests').get(name)?.milli ?? 0n
  return sum
}

function joinReasons(reasons: string[]): string {
  const counts = new Map<string, number>()
  for (const why of reasons) counts.set(why, (counts.get(why) ?? 0) + 1)
  return [...counts]
    .map(([why, count]) => `${count} ${why}`)
    .sort()
    .join(', ')
}

/** The reasons of all nodes, and whether preempting other pods would help. */
function refusals(reasons: string[]): string {
  const full = /^(Insufficient|Too many) /
  const help = reasons.map((why) =>
    full.test(why) ? 'No preemption victims found for incoming pod' : 'Preemption is not helpful for scheduling',
  )
  const said = reasons.length > 0 ? joinReasons(reasons) : 'no nodes available to schedule pods'
  return `${said}. no new claims to deallocate, preemption: 0/${reasons.length} nodes are available: ${joinReasons(help)}.`
}

const everyPod = ({ store }: Cluster): string[] =>
  store
    .list('pods')
    .filter((pod) => !pod.spec.nodeName)
    .map(keyOf)

const waitingForNeighbours = ({ store }: Cluster): string[] =>
  store
    .list('pods')
    .filter((pod) => !pod.spec.nodeName && hasNeighbours(pod))
    .map(keyOf)

/** Assigns each pod to the node with the fewest pods. */
export const scheduler: Controller = {
  name: 'scheduler',
  affected(cluster, { resource, type, object, previous }) {
    if (resource === 'nodes') return everyPod(cluster)
    if (resource === 'persistentvolumeclaims')
      return cluster.store
        .list('pods', object.metadata.namespace)
        .filter((pod) => !pod.spec.nodeName && claimNames(pod).includes(object.metadata.name))
        .map(keyOf)
    if (resource === 'persistentvolumes' || resource === 'storageclasses.storage.k8s.io') return everyPod(cluster)
    if (resource !== 'pods') return []
    // A deleted pod makes room for waiting ones, and one that was assigned may be what others wait for.
    if (type === 'DELETED') return everyPod(cluster)
    if (!(object as Pod).spec.nodeName) return [keyOf(object)]
    return (previous as Pod | undefined)?.spec.nodeName ? [] : waitingForNeighbours(cluster)
  },
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const pod = store.get('pods', namespace, name)
    if (!pod || pod.spec.nodeName || pod.metadata.deletionTimestamp) return
    const pods = store.list('pods').filter((one) => one.spec.nodeName && !finished(one))
    const claims = claimsOf(cluster, pod)
    const all = new Map(store.list('nodes').map((node) => [node.metadata.name, node]))
    const placed = pods.map((one) => ({ pod: one, node: all.get(one.spec.nodeName ?? '') }))
    const nodes = [...all.values()].map((node) => {
      const there = pods.filter((one) => one.spec.nodeName === node.metadata.name)
      const why =
        claims.fault ??
        objection(pod, node, there) ??
        neighbourObjection(pod, node, placed) ??
        storageObjection(cluster, claims, node)
      return { node, count: there.length, why }
    })
    const [best] = nodes.filter(({ why }) => why === undefined).sort((a, b) => a.count - b.count)
    const now = seconds(cluster.now())
    const conditions = pod.status.conditions ?? []
    // Claims are bound first; a binding requires another call.
    if (best && bindAt(cluster, claims, best.node)) return later(1000)
    if (best) {
      const nodeName = best.node.metadata.name
      const scheduled = withCondition(conditions, { type: 'PodScheduled', status: 'True' }, now).map(
        ({ reason: _, message: __, ...one }) => one,
      )
      store.put('pods', { ...pod, spec: { ...pod.spec, nodeName }, status: { ...pod.status, conditions: scheduled } })
      record(cluster, pod, {
        type: 'Normal',
        reason: 'Scheduled',
        message: `Successfully assigned ${namespace}/${name} to ${nodeName}`,
        component: 'default-scheduler',
      })
      return
    }
    const message = `0/${nodes.length} nodes are available: ${claims.fault ? `${claims.fault}. not found` : refusals(nodes.map(({ why = '' }) => why))}`
    const next = withCondition(
      conditions,
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message },
      now,
    )
    if (conditions.find(({ type }) => type === 'PodScheduled')?.message !== message) {
      store.put('pods', { ...pod, status: { ...pod.status, conditions: next } })
      record(cluster, pod, { type: 'Warning', reason: 'FailedScheduling', message, component: 'default-scheduler' })
    }
    later(30_000)
  },
}
