import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.gen.ts'
import type { Ctx } from './context.ts'
import { Fault } from './fault.ts'

export interface Membership {
  /** Leaders hold every permission of their team. */
  leader: boolean
  permissions: ReadonlySet<string>
}

/** What a user may do in each team: the role there, and the system roles, which hold in each of the user's teams. */
const memberships = (db: Kysely<Tables>, accountId: number) =>
  db
    .selectFrom('team_member')
    .leftJoin('team_role', 'team_role.id', 'team_member.role_id')
    .select(['team_member.team_id as teamId', 'team_member.leader', 'team_role.permissions'])
    .select(
      sql<string[]>`array(select unnest(system_role.permissions) from account_system_role
        join system_role on system_role.id = account_system_role.role_id
        where account_system_role.account_id = team_member.account_id)`.as('system'),
    )
    .where('team_member.account_id', '=', accountId)

type MembershipRow = Awaited<ReturnType<ReturnType<typeof memberships>['executeTakeFirstOrThrow']>>

const membershipFrom = ({ leader, permissions, system }: MembershipRow): Membership => ({
  leader,
  permissions: new Set([...(permissions ?? []), ...system]),
})

export async function membershipOf(
  db: Kysely<Tables>,
  accountId: number,
  teamId: number,
): Promise<Membership | undefined> {
  const row = await memberships(db, accountId).where('team_member.team_id', '=', teamId).executeTakeFirst()
  return row && membershipFrom(row)
}

/**
 * For what is looked for in all teams at once: to each set of permissions the teams where the actor holds all of it, by
 * the same rules as holds(); undefined means every team there is.
 */
export async function teamsHolding(
  ctx: Pick<Ctx, 'db' | 'actor'>,
  wanted: readonly (readonly string[])[],
): Promise<(number[] | undefined)[]> {
  if (isSystem(ctx)) return wanted.map(() => undefined)
  if (ctx.actor.kind !== 'user') return wanted.map(() => [])
  const rows = await memberships(ctx.db, ctx.actor.id).orderBy('team_id').execute()
  const teams = rows.map((row) => ({ teamId: row.teamId, ...membershipFrom(row) }))
  return wanted.map((needed) =>
    teams
      .filter(({ leader, permissions }) => leader || needed.every((permission) => permissions.has(permission)))
      .map(({ teamId }) => teamId),
  )
}

async function permissionFault(db: Kysely<Tables>, teamId: number, permission: string): Promise<Fault> {
  const roles = await db
    .selectFrom('team_role')
    .select('name')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`${permission} = any(permissions)`)
    .orderBy('name')
    .limit(10)
    .execute()
  return roles.length === 0
    ? new Fault('forbidden', 'permission-missing-nobody', { permission })
    : new Fault('forbidden', 'permission-missing', { permission, roles: roles.map((role) => role.name).join(', ') })
}

const isSystem = (ctx: Pick<Ctx, 'actor'>): boolean => ctx.actor.kind === 'system' || ctx.actor.admin

/**
 * Whether the actor holds a permission in a team. The product itself and administrators hold all. Anonymous callers and
 * agents hold none.
 */
export async function holds(ctx: Pick<Ctx, 'db' | 'actor'>, teamId: number, permission: string): Promise<boolean> {
  if (isSystem(ctx)) return true
  if (ctx.actor.kind !== 'user') return false
  const membership = await membershipOf(ctx.db, ctx.actor.id, teamId)
  return membership !== undefined && (membership.leader || membership.permissions.has(permission))
}

/** Throws 403: `user-team` for a team that one is not in, existing or not; else the missing permission and who carries it. */
export async function mustHold(ctx: Pick<Ctx, 'db' | 'actor'>, teamId: number, permission?: string): Promise<void> {
  if (isSystem(ctx)) {
    const team = await ctx.db.selectFrom('team').select('id').where('id', '=', teamId).executeTakeFirst()
    if (!team) throw new Fault('missing', 'resource-missing')
    return
  }
  const membership = ctx.actor.kind === 'user' ? await membershipOf(ctx.db, ctx.actor.id, teamId) : undefined
  if (!membership) throw new Fault('forbidden', 'user-team')
  if (permission !== undefined && !membership.leader && !membership.permissions.has(permission))
    throw await permissionFault(ctx.db, teamId, permission)
}

/** For what concerns the whole installation: an administrator, or somebody whose system role carries the permission. */
export async function mustHoldSystem(ctx: Pick<Ctx, 'db' | 'actor'>, permission: string): Promise<void> {
  if (isSystem(ctx)) return
  const role = await ctx.db
    .selectFrom('account_system_role')
    .innerJoin('system_role', 'system_role.id', 'account_system_role.role_id')
    .select('system_role.id')
    .where('account_system_role.account_id', '=', ctx.actor.kind === 'user' ? ctx.actor.id : 0)
    .where(sql<boolean>`${permission} = any(system_role.permissions)`)
    .executeTakeFirst()
  if (!role) throw new Fault('forbidden', 'permission-missing-system', { permission })
}

/** The teams whose things one sees in a list that no path narrows: undefined means every team. */
export async function visibleTeams(ctx: Pick<Ctx, 'db' | 'actor' | 'tenantId'>): Promise<number[] | undefined> {
  if (ctx.tenantId !== undefined) return [ctx.tenantId]
  if (isSystem(ctx)) return undefined
  const rows = await ctx.db
    .selectFrom('team_member')
    .select('team_id')
    .where('account_id', '=', ctx.actor.id)
    .orderBy('team_id')
    .execute()
  return rows.map((row) => row.team_id)
}
