import { agentAddress, type ClusterAddress, secretsOf } from '../../../adapters/kube/transport/kubeconfig.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { type Addressed, addresses, allUuids, lockEnvironment, mayUse, teamsUsing } from './environments.store.ts'

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

/** Whatever answers at the address of an environment: for callers that ask which cluster it is. */
export const answererAt = (ctx: Asker, row: Addressed): Cluster =>
  ctx.ports.kube.cluster(row.uuid, addressOf(ctx, row), row.cluster)

/** Throws where another cluster answers in its place. */
export function clusterAt(ctx: Asker, row: Addressed): Cluster {
  if (row.answers !== null) throw anotherAnswers(row.name)
  return answererAt(ctx, row)
}

export const anotherAnswers = (name: string) =>
  new Fault('conflict', 'clusters-another-answers', { name }, null, 'clusters-another-answers-plain')

/** The cluster of an environment. Throws 404 where it does not exist. */
export async function clusterOf(ctx: Asker, uuid: string): Promise<Cluster> {
  const [row] = await addresses(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
  return clusterAt(ctx, row)
}

/** How a cluster is reached. Throws 404 where the environment does not exist. */
export async function wayTo(ctx: Asker, uuid: string): Promise<{ name: string; address: ClusterAddress }> {
  const [row] = await addresses(ctx.db, uuid)
  if (!row) throw new Fault('missing', 'resource-missing')
  return { name: row.name, address: addressOf(ctx, row) }
}

/**
 * Throws 404 where the team may not use the environment: exactly as for one that does not exist. `hold`, for callers
 * that put something there, locks the assignment until the end of the transaction.
 */
export async function mustUse(ctx: Ctx, uuid: string, teamId: number, { hold = false } = {}): Promise<void> {
  if (hold) await lockEnvironment(ctx.db, uuid, 'share')
  if (!(await mayUse(ctx.db, uuid, teamId))) throw new Fault('missing', 'resource-missing')
}

/**
 * For what changes a cluster for everybody who uses it: its hosts, its storage. Lets in administrators, and a team that has
 * the cluster to itself; who may (the permission) was asked before.
 */
export async function mustUseAlone(ctx: Ctx, environment: string): Promise<void> {
  if (!(await usesAlone(ctx, environment))) throw new Fault('forbidden', 'clusters-shared')
}

/** Whether what the caller sees of the cluster as a whole is no other team's. */
export async function usesAlone(ctx: Ctx, environment: string): Promise<boolean> {
  if (ctx.actor.admin) return true
  const teams = await teamsUsing(ctx.db, environment)
  return teams !== 'every' && teams?.length === 1
}

/** Closes what this replica still holds of clusters that another one deleted: with their connections go their credentials. */
export async function letGo({ db, ports }: Pick<Ctx, 'db' | 'ports'>): Promise<void> {
  // Listed before the query: an environment that is held now existed.
  const held = ports.kube.held().map(({ environment }) => environment)
  if (held.length === 0) return
  const there = new Set(await allUuids(db))
  await Promise.all(held.filter((uuid) => !there.has(uuid)).map((uuid) => ports.kube.remove(uuid)))
}
