import { readFile } from 'node:fs/promises'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { ownOrigin } from '../../kernel/own-origin.ts'
import { hashToken, newToken } from '../../kernel/sessions.ts'
import { manifestOf } from './agent-manifest.ts'
import { rechecked } from './check.service.ts'
import { beat, connectedElsewhere, forgetConnection, putClusterAgent } from './cluster-agents.store.ts'
import { findEnvironment } from './environments.store.ts'
import { checkHealth } from './health.service.ts'
import { missingOf } from './rights.ts'

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

/** Says that this replica lives, and tells the agents that are connected how many there are. */
export async function beatOnce(ctx: Ctx): Promise<void> {
  const { tunnels } = ctx.ports.kube
  tunnels.setReplicas(await beat(ctx.db, tunnels.replica, tunnels.connected()))
}

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
