import { teamsHolding } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { type ClaimsSeen, claimsOf, namespacesOf } from './visibility.read.ts'

/**
 * The teams whose objects the caller may see with this permission; undefined: all, and what belongs to no team. The
 * tenant header narrows it for non-administrators.
 */
async function teamsSeen(ctx: Ctx, permission: string): Promise<readonly number[] | undefined> {
  const [teams] = await teamsHolding(ctx, [[permission]])
  const { tenantId } = ctx
  return tenantId === undefined ? teams : teams?.filter((team) => team === tenantId)
}

/**
 * The namespaces of a cluster whose objects the caller may see with this permission, according to the product's records
 * rather than the cluster's labels; undefined: all, and what belongs to no team.
 */
export async function namespacesSeen(
  ctx: Ctx,
  environment: string,
  permission: string,
): Promise<ReadonlySet<string> | undefined> {
  const teams = await teamsSeen(ctx, permission)
  return teams && new Set(await namespacesOf(ctx.db, environment, teams))
}

/** The namespaces through which the caller sees volumes of a cluster; undefined: all. */
export async function claimsSeen(ctx: Ctx, environment: string): Promise<ClaimsSeen | undefined> {
  const teams = await teamsSeen(ctx, 'resource_storage_view')
  return teams && claimsOf(ctx.db, environment, teams)
}
