import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { RegistryAction } from '@gantry/contract/images/registry-token'
import type { RegistryAccess } from '../../../adapters/registry/session.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { holds, visibleTeams } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { teamsUsing } from '../platform.store.ts'
import { accessFor, usableRegistry } from '../registries.service.ts'
import { findRegistry, type StoredRegistry } from '../registries.store.ts'

/** A registry, and the team on whose behalf its contents are read. */
export interface RegistryView {
  registry: StoredRegistry
  /** Null for the platform, as which an administrator sees everything. */
  teamId: number | null
  access: RegistryAccess
  /** The registry answers alike for equal keys. */
  key: string
}

function placeOf(ctx: Ctx, registry: StoredRegistry, teamId: number | null, actions: RegistryAction[]): RegistryView {
  const { id, url, username, password, sandbox } = registry
  const key = JSON.stringify([id, url, username, password, sandbox ? teamId : null])
  return { registry, teamId, access: accessFor(ctx, registry, teamId, actions), key }
}

/** For calls that name a team; a registry that the team may not use is a 404. */
export const placeInTeam = async (
  ctx: Ctx,
  teamId: number,
  id: number,
  actions: RegistryAction[],
): Promise<RegistryView> => placeOf(ctx, await usableRegistry(ctx, teamId, id), teamId, actions)

/**
 * For calls that name only the registry: on behalf of its team; for a shared one the current team, or another of the
 * caller's that may use it. An administrator reads it for the platform.
 */
export async function place(
  ctx: Ctx,
  id: number,
  permission: PermissionKey,
  actions: RegistryAction[],
): Promise<RegistryView> {
  const registry = mustExist(await findRegistry(ctx.db, id))
  const teamId = registry.teamId ?? (await teamWith(ctx, registry, permission))
  return placeOf(ctx, registry, teamId, actions)
}

async function teamWith(ctx: Ctx, registry: StoredRegistry, permission: PermissionKey): Promise<number | null> {
  if (ctx.actor.admin) return null
  const mayUse = registry.sandbox ? 'every' : await teamsUsing(ctx.db, registry.id)
  const uses = (team: number): boolean => mayUse === 'every' || mayUse.includes(team)
  const { tenantId } = ctx
  if (tenantId !== undefined && uses(tenantId) && (await holds(ctx, tenantId, permission))) return tenantId
  const own = await visibleTeams({ ...ctx, tenantId: undefined }, permission)
  // a user who may see all teams counts as an administrator here
  if (own === undefined) return null
  return mustExist(own.find(uses))
}

/** The teams that may read a registry's contents; the simulated one is every team's. */
export async function contentsTeams(db: Db, id: number): Promise<number | readonly number[] | 'every' | undefined> {
  const registry = await findRegistry(db, id)
  if (registry === undefined) return undefined
  return registry.sandbox ? 'every' : (registry.teamId ?? teamsUsing(db, id))
}
