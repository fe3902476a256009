import { agentAddress, type ClusterAddress, secretsOf } from '../../../adapters/kube/transport/kubeconfig.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { type Addressed, addresses, allUuids, lockCluster, mayUse, teamsUsing } from './clusters.store.ts'

type Asker = Pick<Ctx, 'db' | 'ports' | 'keys' | 'secrets'>

/** The address of a stored cluster, with its credentials; a cluster agent knows both itself. */
export function addressOf(ctx: Pick<Ctx, 'keys' | 'secrets'>, row: Addressed): ClusterAddress {
  if (row.reach === 'agent') return agentAddress(row.uuid, row.name)
  try {
    const address = JSON.parse(open(ctx, row.address)) as ClusterAddress
    secretsOf(address.auth).forEach(ctx.secrets.add)
    return address
  } catch {
    throw new Fault('badGateway', 'clusters-sealed', { name: row.name }, null, 'clusters-health-unreachable')
  }
}

/** Whatever cluster answers at the address of an environment: for callers that check which cluster it is. */
export const answererAt = (ctx: Asker, row: Addressed): Cluster =>
  ctx.ports.kube.cluster(row.uuid, addressOf(ctx, row), row.cluster)

/** Throws if another cluster answers at the address. */
export function clusterAt(ctx: Asker, row: Addressed): Cluster {
  if (row.answers !== null) throw anotherAnswers(row.name)
  return answererAt(ctx, row)
}

export const anotherAnswers = (name: string) =>
  new Fault('conflict', 'clusters-another-answers', { name }, null, 'clusters-another-answers-plain')

/** The cluster of an environment. Throws 404 if there is none. */
export async function clusterOf(ctx: Asker, uuid: string): Promise<Cluster> {
  const [row] = await addresses(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
  return clusterAt(ctx, row)
}

/** The address of a cluster. Throws 404 if the environment does not exist. */
export async function wayTo(ctx: Asker, uuid: string): Promise<{ name: string; address: ClusterAddress }> {
  const [row] = await addresses(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
  return { name: row.name, address: addressOf(ctx, row) }
}

/**
 * Throws 404 if the team may not use the environment, exactly as for one that does not exist. `hold`, for callers that
 * put something there, locks the assignment until the end of the transaction.
 */
export async function mustUse(ctx: Ctx, uuid: string, teamId: number, { hold = false } = {}): Promise<void> {
  if (hold) await lockCluster(ctx.db, uuid, 'share')
  if (!(await mayUse(ctx.db, uuid, teamId))) throw new Fault('missing', 'resource-missing')
}

/**
 * Guards changes to a cluster that affect everybody who uses it: its hosts, its storage. Allows administrators, and
 * teams that have the cluster to themselves. The permission itself is checked before.
 */
export async function mustUseAlone(ctx: Ctx, clusterId: string): Promise<void> {
  if (!(await usesExclusively(ctx, clusterId))) throw new Fault('forbidden', 'clusters-shared')
}

/** Whether everything in the cluster may be shown to the caller, because no other team uses it. */
export async function usesExclusively(ctx: Ctx, clusterId: string): Promise<boolean> {
  if (ctx.actor.admin) return true
  const teams = await teamsUsing(ctx.db, clusterId)
  return teams !== 'every' && teams?.length === 1
}

/** Closes this replica's connections to clusters that another replica deleted, and drops their credentials. */
export async function closeDeletedClusters({ db, ports }: Pick<Ctx, 'db' | 'ports'>): Promise<void> {
  // listed before the query: an environment that is connected now existed
  const connected = ports.kube.held().map(({ environment }) => environment)
  if (connected.length === 0) return
  const there = new Set(await allUuids(db))
  await Promise.all(connected.filter((uuid) => !there.has(uuid)).map((uuid) => ports.kube.remove(uuid)))
}
