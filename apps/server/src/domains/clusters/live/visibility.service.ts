import { teamsHolding } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { type ClaimsSeen, claimsOf, namespacesOf } from './visibility.read.ts'

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
