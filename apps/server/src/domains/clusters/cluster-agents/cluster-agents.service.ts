import { readFile } from 'node:fs/promises'
import type { Tunnels } from '../../../adapters/kube/tunnel/tunnels.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
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
import { findEnvironment } from '../environments/environments.store.ts'
import { checkHealth } from '../health/health.service.ts'
import { missingOf } from '../environments/rights.ts'

async function programOf({ config, log }: Ctx): Promise<string> {
  try {
    return await readFile(config.clusterAgent.program, 'utf8')
  } catch (error) {
    log.error({ err: error }, 'the program of the clusters’ agent cannot be read')
    throw new Fault('unavailable', 'tunnel-file-missing')
  }
}

/** What to apply in a cluster. Its token is shown this once, and the one before is no more. */
export async function makeManifest(ctx: Ctx, uuid: string): Promise<{ manifest: string; url: string }> {
  const row = await findEnvironment(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
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

/** Since when this process says without a gap that it lives, and when it did last. */
const beating = new WeakMap<Tunnels, { since: number; last: number }>()
/** A beat that is later than `gap` was missed; after `steady` every agent had the time to come back. */
const beats = { gap: 30_000, steady: 120_000 }

/**
 * Says that this replica lives, and tells the agents that are connected how many there are; one of a cluster that its environment is no more
 * is hung up on.
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
  // A clock that is set back is a gap as well.
  const goesOn = before && Math.abs(now - before.last) < beats.gap
  beating.set(tunnels, { since: goesOn ? before.since : now, last: now })
}

/** Whether this process was there to hear of every agent: after a start or an outage of the database silence says nothing. */
function wasThere(tunnels: Tunnels): boolean {
  const now = Date.now()
  const { since, last } = beating.get(tunnels) ?? { since: now, last: now }
  return now - last < beats.gap && now - since >= beats.steady
}

/** Whether the environment may be this cluster from now on; `before` is what the same connection told until now. */
export const claim = (ctx: Ctx, environment: string, cluster: Buffer, before: Buffer | undefined): Promise<boolean> =>
  claimCluster(ctx.db, environment, { cluster, before, heard: wasThere(ctx.ports.kube.tunnels) })

/** An agent is there: what its cluster is and allows is looked at now and not at the next round. */
export async function agentCame(ctx: Ctx, uuid: string): Promise<void> {
  await beatOnce(ctx)
  const healthy = await checkHealth(ctx, uuid)
  if (!healthy) return
  const { ok, version, rights } = await rechecked(ctx, uuid)
  const missing = missingOf(rights).map(({ right }) => right)
  if (!ok) ctx.log.warn({ environment: uuid, version, missing }, 'a cluster with an agent lacks what the product needs')
}

/** The last agent of a cluster is gone from this replica. */
export async function agentWent(ctx: Ctx, uuid: string): Promise<void> {
  const { replica, isConnected } = ctx.ports.kube.tunnels
  if (isConnected(uuid)) return
  await forgetConnection(ctx.db, uuid, replica)
  if (!(await connectedElsewhere(ctx.db, uuid, replica))) await checkHealth(ctx, uuid)
}
