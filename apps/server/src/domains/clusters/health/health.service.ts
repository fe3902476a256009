import { waits } from '../../../adapters/kube/waits.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { count, text } from '../../../adapters/kube/parse-object.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { connectedElsewhere } from '../cluster-agents/cluster-agents.store.ts'
import { answererAt } from '../clusters/connect.service.ts'
import { publishClusters } from '../clusters/publish.ts'
import { identified } from '../clusters/identity.service.ts'
import { type Capacity, capacityOf, type Quantities, unmeasured, type Usage, usageOf } from '../live/measure.ts'
import { rightsLost } from './check.service.ts'
import { type LatestCheck, lastCheck, storeCheck, type Seen } from './health.store.ts'

/** Lists the nodes only now and then and when their number changed, because each contains its long list of images. */
async function nodesOf(
  kube: Kube,
  known: LatestCheck,
  signal: AbortSignal,
): Promise<{ nodeNum: number; capacity?: Capacity }> {
  const first = await kube.list(kinds.nodes, {}, { limit: 1, signal })
  const nodeNum = first.items.length + count(first.remaining)
  if (known.capacity && !known.stale && known.nodeNum === nodeNum) return { nodeNum }
  const offered: Quantities[] = []
  for await (const { items } of kube.pages(kinds.nodes, {}, { signal }))
    for (const { status } of items) offered.push(status?.allocatable ?? status?.capacity)
  return { nodeNum: offered.length, capacity: capacityOf(offered) }
}

/** Undefined if there are no metrics, or they may not be read. */
const measured = (kube: Kube, signal: AbortSignal): Promise<{ usage?: Record<string, string> }[]> =>
  kube.list(kinds.nodeMetrics, {}, { limit: 5000, signal }).then(
    ({ items }) => items,
    (error: unknown) => {
      if (isKube(error)) return []
      throw error
    },
  )

function healthOf(error: unknown, known: LatestCheck): 'credentials' | 'unknown' | 'unreachable' {
  if (isKube(error, 'credentials', 'anonymous', 'forbidden')) return 'credentials'
  // the manifest of an agent that never connected is not applied yet, so nothing has failed
  return isKube(error, 'agent') && known.capacity === null ? 'unknown' : 'unreachable'
}

/** The health of the cluster; undefined if this replica was too busy to ask. */
async function look(ctx: Ctx, known: LatestCheck): Promise<Seen | undefined> {
  try {
    const { kube } = answererAt(ctx, known)
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(waits.health)])
    const [version, uid, nodes, used, lost] = await Promise.all([
      kube.version({ signal }),
      kube.uid({ signal }),
      nodesOf(kube, known, signal),
      measured(kube, signal),
      rightsLost(kube, signal),
    ])
    const stranger = await identified(ctx, known, uid)
    if (stranger) return { health: 'unknown', reason: stranger, usage: unmeasured }
    const usage: Usage = usageOf(used, nodes.capacity ?? known.capacity)
    const found = { version: text(version.gitVersion), ...nodes, usage }
    if (lost) return { health: 'credentials', reason: reasonOf(lost), ...found }
    const reason: Reason | null = known.doubled ? { key: 'tunnel-two-clusters', vars: {} } : null
    return { health: 'healthy', reason, ...found }
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (isKube(error, 'busy')) return undefined
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    const fault = late
      ? new Fault('unavailable', 'kube-timeout', { server: known.server }, null, 'clusters-health-unreachable')
      : kubeFault(error)
    if (!(fault instanceof Fault)) throw error
    return { health: healthOf(error, known), reason: reasonOf(fault), usage: unmeasured }
  }
}

/** Checks one cluster, stores the result, and publishes a change. Returns whether it is healthy. */
export async function checkHealth(ctx: Ctx, uuid: string): Promise<boolean> {
  const known = await lastCheck(ctx.db, uuid)
  if (!known) return false
  const { isConnected, replica } = ctx.ports.kube.tunnels
  // the agent may not have reached this replica yet; a replica that it is connected to checks instead
  if (known.reach === 'agent' && !isConnected(uuid) && (await connectedElsewhere(ctx.db, uuid, replica))) return false
  const seen = await look(ctx, known)
  if (!seen) return known.health === 'healthy'
  await inTx(ctx, async (ctx) => {
    if (await storeCheck(ctx.db, uuid, known.address, seen)) await publishClusters(ctx)
  })
  return seen.health === 'healthy'
}
