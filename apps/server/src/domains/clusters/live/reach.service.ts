import { teamsHolding } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { teamsUsing } from '../environments/environments.store.ts'
import { type ClaimsSeen, claimsOf, namespacesOf } from './reach.read.ts'

/**
 * The teams whose things the caller sees by this permission; undefined: everybody's, and what is no team's. The tenant header
 * narrows it for who is no administrator.
 */
async function teamsSeen(ctx: Ctx, permission: string): Promise<readonly number[] | undefined> {
  const [teams] = await teamsHolding(ctx, [[permission]])
  const { tenantId } = ctx
  return tenantId === undefined ? teams : teams?.filter((team) => team === tenantId)
}

/**
 * The namespaces of a cluster whose things the caller sees by this permission, as the product gave them out and not as labels
 * in the cluster say; undefined: all, also what is no team's.
 */
export async function namespacesSeen(
  ctx: Ctx,
  environment: string,
  permission: string,
): Promise<ReadonlySet<string> | undefined> {
  const teams = await teamsSeen(ctx, permission)
  return teams && new Set(await namespacesOf(ctx.db, environment, teams))
}

/** By which namespaces the caller sees volumes of a cluster; undefined: all. */
export async function claimsSeen(ctx: Ctx, environment: string): Promise<ClaimsSeen | undefined> {
  const teams = await teamsSeen(ctx, 'resource_storage_view')
  return teams && claimsOf(ctx.db, environment, teams)
}

/**
 * For what changes a cluster for everybody who uses it: its hosts, its storage. Lets in administrators, and a team that has
 * the cluster to itself; who may (the permission) was asked before.
 */
export async function mustHaveAlone(ctx: Ctx, environment: string): Promise<void> {
  if (!(await hasAlone(ctx, environment))) throw new Fault('forbidden', 'clusters-shared')
}

/** Whether what the caller sees of the cluster as a whole is no other team's. */
export async function hasAlone(ctx: Ctx, environment: string): Promise<boolean> {
  if (ctx.actor.admin) return true
  const teams = await teamsUsing(ctx.db, environment)
  return teams !== 'every' && teams?.length === 1
}
