import { waits } from '../../../adapters/kube/waits.ts'
import type { NodeRow } from '../../../adapters/kube/rows/cluster-rows.ts'
import type { PodSum } from '../../../adapters/kube/rows/pod-sums.ts'
import { podSums } from '../../../adapters/kube/rows/pod-sums.ts'
import type { Cluster, KubePort } from '../../../adapters/kube/transport/pool.ts'
import { bytes, milliCores } from '../../../adapters/kube/rows/quantity.ts'
import type { Freshness } from '../../../adapters/kube/cache/reflector.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

/** How long after the last look the sums of pods are kept up to date. */
const interestMs = 600_000
/**
 * A list over many clusters starts to watch the pods of a further one up to this many cached rows of all clusters: a
 * pod takes about 1.1 kB. A cluster that is not counted yet is estimated from its nodes, at most `expected`.
 */
const room = { rows: 100_000, expected: 5_000 }

type SumOf = (node: string) => Readonly<PodSum>

interface Followed {
  sums: SumOf
  freshness: () => Freshness
  ready: (wait: number) => Promise<Freshness>
  idle: NodeJS.Timeout
}

const followed = new Map<Cluster, Followed>()

/** The sums of a cluster's pods, watched from the first look until nobody has looked for a while. */
function follow(cluster: Cluster): Followed {
  const found = followed.get(cluster)
  if (found) {
    found.idle.refresh()
    return found
  }
  const lease = cluster.need('pods')
  const stop = () => {
    followed.delete(cluster)
    lease.release()
  }
  const { freshness, ready } = lease
  const made = { sums: podSums(lease), freshness, ready, idle: setTimeout(stop, interestMs).unref() }
  followed.set(cluster, made)
  return made
}

/** Used cores and bytes. */
export interface Usage {
  cpu: number
  memory: number
}

interface Measured {
  at: number
  used: ReadonlyMap<string, Usage>
  asking?: Promise<ReadonlyMap<string, Usage>> | undefined
}

const measured = new WeakMap<Cluster, Measured>()
/** How long figures count as current, and how long they are shown at all. */
const usage = { current: 15_000, shown: 60_000 }
const unmeasured: ReadonlyMap<string, Usage> = new Map()

async function measure({ kube }: Cluster): Promise<ReadonlyMap<string, Usage>> {
  try {
    const { items } = await kube.list(kinds.nodeMetrics, {}, { limit: 10_000, budget: waits.usage })
    return new Map(
      items.map(({ metadata, usage }) => [
        metadata?.name ?? '',
        { cpu: milliCores(usage.cpu) / 1000, memory: bytes(usage.memory) },
      ]),
    )
  } catch {
    // a cluster without metrics, or that does not answer, has no figures; its rows report the latter
    return unmeasured
  }
}

/** Usage by node name; empty if the cluster reports none. Requested at most every 15 s, cached in between. */
function usedOf(cluster: Cluster): Promise<ReadonlyMap<string, Usage>> | ReadonlyMap<string, Usage> {
  const now = Date.now()
  const last = measured.get(cluster) ?? { at: 0, used: unmeasured }
  if (now - last.at < usage.current) return last.used
  if (!last.asking) {
    last.asking = measure(cluster).then((used) => {
      measured.set(cluster, { at: Date.now(), used })
      return used
    })
    measured.set(cluster, last)
  }
  return now - last.at < usage.shown ? last.used : last.asking
}

/** The first look at a cluster waits for its rows, counted from when they were first requested. */
const remainingMs = ({ since }: Freshness): number => Math.max(0, waits.rows - (Date.now() - since))

export interface LiveHosts {
  nodes: NodeRow[]
  freshness: Freshness
}

/**
 * A cluster's nodes from the cache. Waits only while the cluster's first list is on its way, and for a dead cluster
 * only once.
 */
export const liveHosts = (cluster: Cluster): Promise<LiveHosts> =>
  cluster.lend('nodes', async (lease) => {
    const freshness = await lease.ready(remainingMs(lease.freshness()))
    return { nodes: [...lease.all()], freshness }
  })

export interface LiveFigures {
  sums: SumOf
  used: ReadonlyMap<string, Usage>
  /** Freshness of the pods. */
  freshness: Freshness
}

/** The sums of pods for a cluster's hosts. The cluster's pods are cached from now on, for as long as somebody looks. */
export async function liveFigures(cluster: Cluster): Promise<LiveFigures> {
  const { sums, ready, freshness } = follow(cluster)
  const [age, used] = await Promise.all([ready(remainingMs(freshness())), usedOf(cluster)])
  return { sums, used, freshness: age }
}

/** Estimated from the cached nodes. */
function expected(cluster: Cluster): number {
  const { all, release } = cluster.need('nodes')
  const pods = all().reduce((sum, { allocatable }) => sum + Math.max(0, allocatable.pods), 0)
  release()
  return Math.min(room.expected, pods)
}

/** The clusters whose pods fit into the cache: first those that are already watched, then others in their order. */
export function withRoom(kube: Pick<KubePort, 'held'>, clusters: readonly Cluster[]): Set<Cluster> {
  const reading = [...followed].flatMap(([cluster, { freshness }]) => (isReading(freshness()) ? [cluster] : []))
  const kept = kube.held().reduce((sum, { rows }) => sum + rows, 0)
  let free = reading.reduce((left, cluster) => left - expected(cluster), room.rows - kept)
  return new Set(
    clusters.filter((cluster) => {
      if (followed.has(cluster)) return true
      free -= expected(cluster)
      return free >= 0
    }),
  )
}

const isReading = ({ state, error }: Freshness): boolean => state === 'loading' && !error
