import { agentAddress, type ClusterAddress } from '../../adapters/kube/kubeconfig.ts'
import type { Cluster } from '../../adapters/kube/pool.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { open } from '../../kernel/secrets.ts'
import { type Addressed, addresses, lockEnvironment, mayUse } from './environments.store.ts'

type Asker = Pick<Ctx, 'db' | 'ports' | 'keys'>

/** Where a stored cluster is, with its credentials; where an agent dials out of it, that agent knows both. */
export function addressOf(ctx: Pick<Ctx, 'keys'>, row: Addressed): ClusterAddress {
  if (row.reach === 'agent') return agentAddress(row.uuid, row.name)
  try {
    return JSON.parse(open(ctx, row.address)) as ClusterAddress
  } catch {
    throw new Fault('badGateway', 'clusters-sealed', { name: row.name })
  }
}

export const clusterAt = (ctx: Asker, row: Addressed): Cluster => ctx.ports.kube.cluster(row.uuid, addressOf(ctx, row))

/** The cluster of an environment. Throws 404 where it is gone. */
export async function clusterOf(ctx: Asker, uuid: string): Promise<Cluster> {
  const [row] = await addresses(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
  return clusterAt(ctx, row)
}

/**
 * Throws 404 where the team may not use the environment: exactly as for one that does not exist. `hold`, for who puts something
 * there: that it may stays so until the transaction's end.
 */
export async function mustUse(ctx: Ctx, uuid: string, teamId: number, { hold = false } = {}): Promise<void> {
  if (hold) await lockEnvironment(ctx.db, uuid, 'share')
  if (!(await mayUse(ctx.db, uuid, teamId))) throw new Fault('missing', 'resource-missing')
}
