import type { NodeRow } from '../../adapters/kube/cluster-rows.ts'
import type { PodSum } from '../../adapters/kube/pod-sums.ts'
import { podSums } from '../../adapters/kube/pod-sums.ts'
import type { Cluster } from '../../adapters/kube/pool.ts'
import { bytes, milliCores } from '../../adapters/kube/quantity.ts'
import type { Freshness } from '../../adapters/kube/reflector.ts'
import * as kinds from '../../adapters/kube/resources.ts'

/** How long the first look at a cluster waits for its rows, counted from when they were first wanted. */
const patience = 1500
/** How long after the last look the sums of pods are kept up to date. */
const interestMs = 600_000

type SumOf = (node: string) => Readonly<PodSum>

interface Followed {
  sums: SumOf
  freshness: () => Freshness
  ready: (wait: number) => Promise<Freshness>
  idle: NodeJS.Timeout
}

const followed = new WeakMap<Cluster, Followed>()

/** The sums of a cluster's pods, followed from the first look on until nobody has looked for a while. */
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

/** Cores and bytes in use. */
export interface Used {
  cpu: number
  memory: number
}

interface Measured {
  at: number
  used: ReadonlyMap<string, Used>
  asking?: Promise<ReadonlyMap<string, Used>> | undefined
}

const measured = new WeakMap<Cluster, Measured>()
/** How long figures count as current, how long they are shown at all, and how long the cluster gets to tell them. */
const usage = { current: 15_000, shown: 60_000, budget: 1500 }
const unmeasured: ReadonlyMap<string, Used> = new Map()

async function measure({ kube }: Cluster): Promise<ReadonlyMap<string, Used>> {
  try {
    const { items } = await kube.list(kinds.nodeMetrics, {}, { limit: 10_000, budget: usage.budget })
    return new Map(
      items.map(({ metadata, usage }) => [
        metadata?.name ?? '',
        { cpu: milliCores(usage.cpu) / 1000, memory: bytes(usage.memory) },
      ]),
    )
  } catch {
    // A cluster that does not measure, or does not answer now, has no figures; that it does not answer is told by its rows.
    return unmeasured
  }
}

/** What the nodes use, by name; empty where the cluster does not tell. Asked anew every 15 s, meanwhile the last answer. */
function usedOf(cluster: Cluster): Promise<ReadonlyMap<string, Used>> | ReadonlyMap<string, Used> {
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

export interface LiveHosts {
  nodes: NodeRow[]
  sums: SumOf
  used: ReadonlyMap<string, Used>
  /** Of what is less current: nodes or pods. */
  freshness: Freshness
}

/**
 * What is in memory of a cluster's nodes and their pods. Waits only for a cluster whose first lists are on their way; one
 * that is dead is waited for once.
 */
export const liveHosts = (cluster: Cluster): Promise<LiveHosts> =>
  cluster.lend('nodes', async (nodes) => {
    const pods = follow(cluster)
    const left = ({ since }: Freshness) => Math.max(0, patience - (Date.now() - since))
    const [nodesAge, podsAge, used] = await Promise.all([
      nodes.ready(left(nodes.freshness())),
      pods.ready(left(pods.freshness())),
      usedOf(cluster),
    ])
    return { nodes: nodes.all(), sums: pods.sums, used, freshness: nodesAge.state === 'live' ? podsAge : nodesAge }
  })
