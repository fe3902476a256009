import { readFile } from 'node:fs/promises'
import type { Tunnels } from '../../../adapters/kube/tunnel/tunnels.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { ownOrigin } from '../../../config.ts'
import { hashToken, newToken } from '../../../identity/sessions.ts'
import { manifestOf } from './agent-manifest.ts'
import { rechecked } from '../health/check.service.ts'
import {
  beat,
  claimCluster,
  connectedElsewhere,
  forgetConnection,
  putClusterAgent,
  strayed,
} from './cluster-agents.store.ts'
import { findCluster } from '../clusters/clusters.store.ts'
import { checkHealth } from '../health/health.service.ts'
import { missingOf } from '../clusters/rights.ts'

async function programOf({ config, log }: Ctx): Promise<string> {
  try {
    return await readFile(config.clusterAgent.program, 'utf8')
  } catch (error) {
    log.error({ err: error }, 'the program of the clusters’ agent cannot be read')
    throw new Fault('unavailable', 'tunnel-file-missing')
  }
}

/** The manifest to apply in a cluster. Its token is shown only now, and replaces the one before. */
export async function makeManifest(ctx: Ctx, uuid: string): Promise<{ manifest: string; url: string }> {
  const row = mustExist(await findCluster(ctx.db, uuid))
  note(ctx, { object: row.name })
  if (row.reach !== 'agent') throw new Fault('conflict', 'tunnel-other-way', { name: row.name })
  const [program, ca] = await Promise.all([
    programOf(ctx),
    ctx.config.caFile === undefined ? undefined : readFile(ctx.config.caFile, 'utf8'),
  ])
  const url = ownOrigin(ctx.config)
  const token = newToken('cluster')
  await inTx(ctx, (ctx) => putClusterAgent(ctx.db, uuid, hashToken(token)))
  const { image } = ctx.config.clusterAgent
  return { url, manifest: manifestOf({ environment: uuid, cluster: row.name, server: url, token, ca, image, program }) }
}

/** When this process's unbroken series of heartbeats began, and its last one. */
const beating = new WeakMap<Tunnels, { since: number; last: number }>()
/** A heartbeat later than `gap` counts as missed; after `steady` every agent had time to reconnect. */
const beats = { gap: 30_000, steady: 120_000 }

/**
 * Records that this replica is alive, and tells its connected agents how many replicas there are; closes an agent whose
 * cluster is no longer its environment's.
 */
export async function beatOnce(ctx: Ctx): Promise<void> {
  const { tunnels } = ctx.ports.kube
  try {
    for (const { environment, cluster } of await strayed(ctx.db, tunnels.connected()))
      tunnels.hangUp(environment, cluster)
    tunnels.setReplicas(await beat(ctx.db, tunnels.replica, tunnels.connected()))
  } catch (error) {
    beating.delete(tunnels)
    throw error
  }
  const now = Date.now()
  const before = beating.get(tunnels)
  // A clock that is set back counts as a gap too.
  const goesOn = before && Math.abs(now - before.last) < beats.gap
  beating.set(tunnels, { since: goesOn ? before.since : now, last: now })
}

/**
 * Whether this process was up long enough to know every agent: after a start or an outage of the database, silence
 * proves nothing.
 */
function wasThere(tunnels: Tunnels): boolean {
  const now = Date.now()
  const { since, last } = beating.get(tunnels) ?? { since: now, last: now }
  return now - last < beats.gap && now - since >= beats.steady
}

/** Whether the environment may be this cluster; `before` is what the same connection reported so far. */
export const claim = (ctx: Ctx, clusterId: string, cluster: Buffer, before: Buffer | undefined): Promise<boolean> =>
  claimCluster(ctx.db, clusterId, { cluster, before, reliable: wasThere(ctx.ports.kube.tunnels) })

/** An agent connected: its cluster's identity and rights are checked now rather than in the next round. */
export async function agentCame(ctx: Ctx, uuid: string): Promise<void> {
  await beatOnce(ctx)
  const healthy = await checkHealth(ctx, uuid)
  if (!healthy) return
  const { ok, version, rights } = await rechecked(ctx, uuid)
  const missing = missingOf(rights).map(({ right }) => right)
  if (!ok) ctx.log.warn({ environment: uuid, version, missing }, 'a cluster with an agent lacks what the product needs')
}

/** The last agent of a cluster disconnected from this replica. */
export async function agentWent(ctx: Ctx, uuid: string): Promise<void> {
  const { replica, isConnected } = ctx.ports.kube.tunnels
  if (isConnected(uuid)) return
  await forgetConnection(ctx.db, uuid, replica)
  if (!(await connectedElsewhere(ctx.db, uuid, replica))) await checkHealth(ctx, uuid)
}
