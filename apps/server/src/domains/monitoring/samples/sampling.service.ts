import { waits } from '../../../adapters/kube/waits.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { bytes, milliCores } from '../../../adapters/kube/rows/quantity.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { type Ctx, inTx, scoped } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { clusterOf, namespacesOf } from '../../clusters/public.ts'
import { knownCapacities } from './samples.read.ts'
import { databaseNow } from '../../../db/clock.ts'
import { noteTried, writeSamples } from './samples.store.ts'
import { chooseSamples, type Measured, type PodUsage } from './samples.ts'
import { sampledClusters, prioritiesOn } from '../metrics/scope.read.ts'

const minute = 60_000
/** Namespaces that are read concurrently. */
const abreast = 8
/** The capacity of hosts rarely changes, and their objects are long. */
const capacityEvery = 10 * minute

type Sampled = Measured & {
  /** Why there are no figures of pods; null if there are, or need not be. */
  podsReason: Reason | null
}

type Capacities = Map<string, { cpu: number; memory: number }>

async function capacitiesIn(kube: Kube, signal: AbortSignal): Promise<Capacities> {
  const found: Capacities = new Map()
  for await (const { items } of kube.pages(kinds.nodes, {}, { signal, budget: waits.sample }))
    for (const { metadata, status } of items) {
      const offered = status?.allocatable ?? status?.capacity
      const capacity = { cpu: milliCores(offered?.['cpu']) / 1000, memory: bytes(offered?.['memory']) }
      if (capacity.cpu > 0 && capacity.memory > 0) found.set(metadata?.name ?? '', capacity)
    }
  return found
}

async function podNumIn(kube: Kube, signal: AbortSignal): Promise<number> {
  const first = await kube.list(kinds.pods, {}, { limit: 1, signal })
  return first.items.length + (first.remaining ?? 0)
}

type Pods = Pick<Sampled, 'pods' | 'podsReason'>

/**
 * By namespace, because a list over all would return every pod of the cluster. One that fails, or that is not reached
 * within the time limit, has a gap in its series; if none was read, the reason is that of the last failure.
 */
async function podsIn(kube: Kube, namespaces: readonly string[], signal: AbortSignal): Promise<Pods> {
  const pods: PodUsage[] = []
  let read = 0
  let failure: unknown
  const left = [...namespaces]
  const work = async (): Promise<void> => {
    for (let namespace = left.pop(); namespace !== undefined && !signal.aborted; namespace = left.pop()) {
      const of = namespace
      try {
        const { items } = await kube.list(kinds.podMetrics, { namespace }, { limit: 5000, signal })
        for (const { metadata, containers } of items) pods.push({ namespace: of, pod: metadata.name, containers })
        read++
      } catch (error) {
        if (isKube(error)) failure = error
        else if (!signal.aborted) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(abreast, namespaces.length) }, work))
  return { pods, podsReason: read === 0 && failure !== undefined ? whyNot(failure) : null }
}

/** The figures of a cluster for the minute that begins at `at`; throws if it reports none for its hosts in time. */
export async function measure(ctx: Ctx, clusterId: string, at: number, budget = waits.sample): Promise<Sampled> {
  const { kube } = await clusterOf(ctx, clusterId)
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(budget)])
  const { items } = await kube.list(kinds.nodeMetrics, {}, { limit: 5000, signal, budget: waits.metrics })
  const known = await knownCapacities(ctx.db, clusterId)
  const fresh = at % capacityEvery !== 0 && items.every(({ metadata }) => known.has(metadata.name))
  const [capacities, podNum, { pods, podsReason }] = await Promise.all([
    fresh ? known : capacitiesIn(kube, signal).catch(() => known),
    podNumIn(kube, signal).catch(() => undefined),
    podsIn(kube, await namespacesOf(ctx.db, clusterId), signal),
  ])
  ctx.signal.throwIfAborted()
  const nodes = items.map(({ metadata: { name }, usage }) => ({
    name,
    usage: { cpu: usage.cpu, memory: usage.memory },
    capacity: capacities.get(name),
  }))
  return { nodes, pods, podsReason, podNum }
}

/** Why a cluster gave no figures; other errors are rethrown. */
function whyNot(error: unknown): Reason {
  if (isKube(error, 'missing')) return { key: 'monitoring-no-server', vars: {} }
  const fault = kubeFault(error)
  if (fault instanceof Fault) return reasonOf(fault)
  throw error
}

type InTurn = (write: () => Promise<void>) => Promise<void>

/** Runs one at a time, in the order of the calls. */
function oneByOne(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (write) => {
    const mine = last.then(write)
    last = mine.catch(() => undefined)
    return mine
  }
}

/** Samples one cluster for the minute that begins at `at`. Its problems are stored, not thrown. */
export async function sampleCluster(
  ctx: Ctx,
  clusterId: string,
  at: number,
  inTurn: InTurn = (write) => write(),
): Promise<void> {
  const found = await measure(ctx, clusterId, at).catch((error: unknown) => {
    ctx.signal.throwIfAborted()
    return whyNot(error)
  })
  await inTurn(() =>
    inTx(ctx, async (ctx) => {
      if ('key' in found) {
        await noteTried(ctx.db, clusterId, at, { reason: found, podsReason: null, leftOut: 0 })
        return
      }
      const { kept, leftOut } = chooseSamples(found, await prioritiesOn(ctx.db, clusterId))
      await writeSamples(ctx.db, clusterId, at, kept)
      await noteTried(ctx.db, clusterId, at, { reason: null, podsReason: found.podsReason, leftOut })
    }),
  )
}

/**
 * Samples every cluster without a Prometheus concurrently, each within its own time limit, so that one that hangs
 * delays no other. Results are written one by one, so that this takes one database connection.
 */
export async function sampleAll(ctx: Ctx): Promise<void> {
  const at = Math.floor((await databaseNow(ctx.db)).getTime() / minute) * minute
  const inTurn = oneByOne()
  await Promise.all(
    (await sampledClusters(ctx.db)).map((environment) => {
      const own = scoped(ctx)
      return sampleCluster(own, environment, at, inTurn).catch((error: unknown) => {
        if (!ctx.signal.aborted) own.log.warn({ err: error, environment }, 'the metrics of a cluster were not sampled')
      })
    }),
  )
}
