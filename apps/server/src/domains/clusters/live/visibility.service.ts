import { teamsHolding } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { type ClaimsSeen, claimsOf, namespacesOf } from './visibility.read.ts'

/**
 * The teams whose objects the caller may see with this permission; undefined means everything, even without a team. The
 * tenant header narrows it for users who are not administrators.
 */
async function teamsSeen(ctx: Ctx, permission: string): Promise<readonly number[] | undefined> {
  const [teams] = await teamsHolding(ctx, [[permission]])
  const { tenantId } = ctx
  return tenantId === undefined ? teams : teams?.filter((team) => team === tenantId)
}

/**
 * The namespaces of a cluster whose objects the caller may see with this permission, by the product's records rather
 * than the cluster's labels; undefined means everything, even what belongs to no team.
 */
export async function namespacesSeen(
  ctx: Ctx,
  clusterId: string,
  permission: string,
): Promise<ReadonlySet<string> | undefined> {
  const teams = await teamsSeen(ctx, permission)
  return teams && new Set(await namespacesOf(ctx.db, clusterId, teams))
}

/** The namespaces that decide which volumes the caller sees; undefined means all volumes. */
export async function claimsSeen(ctx: Ctx, clusterId: string): Promise<ClaimsSeen | undefined> {
  const teams = await teamsSeen(ctx, 'resource_storage_view')
  return teams && claimsOf(ctx.db, clusterId, teams)
}
