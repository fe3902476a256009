import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.gen.ts'
import type { Ctx } from '../kernel/context.ts'
import { Fault, type Vars } from '../kernel/fault.ts'

type Asker = Pick<Ctx, 'db' | 'actor'>

/** What somebody may do in a team. */
export interface Membership {
  /** False for who is let in by a system role, or as an administrator. */
  member: boolean
  /** Holds every permission of the team: its leaders, and administrators everywhere. */
  leader: boolean
  permissions: ReadonlySet<string>
}

const everything: Membership = { member: false, leader: true, permissions: new Set() }

/** Permissions of the whole installation begin with this; only system roles carry them. */
export const systemPrefix = 'system_'

const systemPermissions = sql<string[]>`array(
  select unnest(system_role.permissions) from account_system_role
  join system_role on system_role.id = account_system_role.role_id
  where account_system_role.account_id = account.id)`

/** A system role that carries a permission of teams opens every team to its holder, member or not. */
const opensTeams = (permissions: readonly string[]): boolean => permissions.some((key) => !key.startsWith(systemPrefix))

/**
 * What an account holds in a team: by its role there, by its system roles, as a leader or as an administrator. Undefined:
 * the team does not exist, or is none of theirs.
 */
export async function membershipOf(
  db: Kysely<Tables>,
  accountId: number,
  teamId: number,
): Promise<Membership | undefined> {
  const row = await db
    .selectFrom('account')
    .innerJoin('team', (join) => join.on('team.id', '=', teamId))
    .leftJoin('team_member', (join) =>
      join.onRef('team_member.account_id', '=', 'account.id').onRef('team_member.team_id', '=', 'team.id'),
    )
    .leftJoin('team_role', 'team_role.id', 'team_member.role_id')
    .select(['account.admin', 'team_member.leader', 'team_role.permissions', systemPermissions.as('system')])
    .where('account.id', '=', accountId)
    .executeTakeFirst()
  if (!row) return undefined
  const member = row.leader !== null
  if (!member && !row.admin && !opensTeams(row.system)) return undefined
  return {
    member,
    leader: row.admin || row.leader === true,
    permissions: new Set([...(row.permissions ?? []), ...row.system]),
  }
}

const teamExists = async (db: Kysely<Tables>, teamId: number): Promise<boolean> =>
  (await db.selectFrom('team').select('id').where('id', '=', teamId).executeTakeFirst()) !== undefined

/**
 * What the actor may do in a team at this moment. An API token may what both it and its maker may; who looks through a
 * role may what the role may; both in one team alone.
 */
export async function rightsIn({ db, actor }: Asker, teamId: number): Promise<Membership | undefined> {
  if (actor.kind === 'system') return (await teamExists(db, teamId)) ? everything : undefined
  if (actor.kind !== 'user') return undefined
  const { limit } = actor
  if (limit && limit.teamId !== teamId) return undefined
  if (limit?.kind === 'view') return { member: true, leader: false, permissions: limit.permissions }
  const held = await membershipOf(db, actor.id, teamId)
  if (!held || !limit) return held
  const both = held.leader
    ? limit.permissions
    : new Set([...limit.permissions].filter((key) => held.permissions.has(key)))
  return { member: held.member, leader: false, permissions: both }
}

const carries = ({ leader, permissions }: Membership, permission: string): boolean =>
  leader || permissions.has(permission)

/** Of names for a sentence: so many, then an ellipsis. */
const shown = 5
const named = (names: readonly string[]): string =>
  names.slice(0, shown).join(', ') + (names.length > shown ? ' …' : '')

/** The roles of a team that carry a permission, and the leaders, who can give one: the first few of each, by name. */
export async function giversOf(
  db: Kysely<Tables>,
  teamId: number,
  permission: string,
): Promise<{ roles: string[]; leaders: string[] }> {
  const { rows } = await sql<{ roles: string[]; leaders: string[] }>`select
    array(select name from team_role where team_id = ${teamId} and ${permission} = any(permissions)
      order by name collate "C" limit ${shown + 1}) as roles,
    array(select user_name from team_member join account on account.id = team_member.account_id
      where team_id = ${teamId} and leader order by user_name collate "C" limit ${shown + 1}) as leaders`.execute(db)
  return rows[0] ?? { roles: [], leaders: [] }
}

/** Names the key, the roles of the team that carry it, and the leaders, who can give one. */
async function permissionFault({ db, actor }: Asker, teamId: number, permission: string): Promise<Fault> {
  const refusal = (key: 'missing' | 'missing-nobody' | 'missing-admin', vars: Vars = {}) =>
    new Fault('forbidden', `permission-${key}`, { permission, ...vars })
  const { limit } = actor
  if (limit?.kind === 'view')
    return new Fault('forbidden', 'permission-missing-view', { permission, role: limit.roleName })
  if (limit)
    return new Fault(
      'forbidden',
      limit.permissions.has(permission) ? 'permission-missing-maker' : 'permission-missing-token',
      { permission, alias: limit.alias },
    )
  const { roles, leaders } = await giversOf(db, teamId, permission)
  if (leaders.length === 0) return refusal('missing-admin')
  return roles.length === 0
    ? refusal('missing-nobody', { leaders: named(leaders) })
    : refusal('missing', { roles: named(roles), leaders: named(leaders) })
}

const isSystem = ({ actor }: Pick<Ctx, 'actor'>): boolean => actor.kind === 'system' || actor.admin

/** Whether the actor holds a permission in a team. The product itself and administrators hold all. */
export async function holds(ctx: Asker, teamId: number, permission: string): Promise<boolean> {
  if (isSystem(ctx)) return true
  const rights = await rightsIn(ctx, teamId)
  return rights !== undefined && carries(rights, permission)
}

/** Throws 403: `user-team` for a team that one is not in, existing or not; else the first permission that is missing and who can give it. */
export async function mustHold(ctx: Asker, teamId: number, ...permissions: readonly string[]): Promise<void> {
  if (isSystem(ctx)) {
    if (!(await teamExists(ctx.db, teamId))) throw new Fault('missing', 'resource-missing')
    return
  }
  const rights = await rightsIn(ctx, teamId)
  if (!rights) throw new Fault('forbidden', 'user-team')
  const lacking = permissions.find((permission) => !carries(rights, permission))
  if (lacking !== undefined) throw await permissionFault(ctx, teamId, lacking)
}

/** What the actor's system roles carry, of teams and of the installation. An API token and a role's view carry none of it. */
export async function systemRights({ db, actor }: Asker): Promise<ReadonlySet<string>> {
  if (actor.kind !== 'user' || actor.limit) return new Set()
  const row = await db
    .selectFrom('account')
    .select(systemPermissions.as('system'))
    .where('account.id', '=', actor.id)
    .executeTakeFirst()
  return new Set(row?.system)
}

/** Whether the actor holds a permission of the whole installation. */
export const holdsSystem = async (ctx: Asker, permission: string): Promise<boolean> =>
  isSystem(ctx) || (await systemRights(ctx)).has(permission)

/** For what concerns the whole installation: an administrator, or somebody whose system role carries the permission. */
export async function mustHoldSystem(ctx: Asker, permission: string): Promise<void> {
  if (await holdsSystem(ctx, permission)) return
  const roles = await ctx.db
    .selectFrom('system_role')
    .select('name')
    .where(sql<boolean>`${permission} = any(permissions)`)
    .orderBy('name')
    .limit(shown + 1)
    .execute()
  const names = named(roles.map(({ name }) => name))
  throw names === ''
    ? new Fault('forbidden', 'permission-missing-system-nobody', { permission })
    : new Fault('forbidden', 'permission-missing-system', { permission, roles: names })
}

/**
 * For what is looked for in all teams at once: for each set of permissions, the teams where the actor holds all of it, by
 * the same rules as holds(); undefined means every team there is. An empty set asks for the teams that one sees.
 */
export async function teamsHolding(
  ctx: Asker,
  wanted: readonly (readonly string[])[],
): Promise<(number[] | undefined)[]> {
  const { db, actor } = ctx
  if (isSystem(ctx)) return wanted.map(() => undefined)
  if (actor.kind !== 'user') return wanted.map(() => [])
  if (actor.limit) {
    const { teamId } = actor.limit
    const rights = await rightsIn(ctx, teamId)
    return wanted.map((needed) => (rights && needed.every((key) => carries(rights, key)) ? [teamId] : []))
  }
  const everywhere = await systemRights(ctx)
  const rows = await db
    .selectFrom('team_member')
    .leftJoin('team_role', 'team_role.id', 'team_member.role_id')
    .select(['team_member.team_id as teamId', 'team_member.leader', 'team_role.permissions'])
    .where('team_member.account_id', '=', actor.id)
    .orderBy('team_member.team_id')
    .execute()
  const opened = opensTeams([...everywhere])
  return wanted.map((needed) => {
    if (opened && needed.every((key) => everywhere.has(key))) return undefined
    return rows
      .filter((row) => row.leader || needed.every((key) => everywhere.has(key) || row.permissions?.includes(key)))
      .map(({ teamId }) => teamId)
  })
}

/**
 * The teams whose things one sees in a list that no path narrows, and with a permission those where one holds it:
 * undefined means every team.
 */
export async function visibleTeams(
  ctx: Pick<Ctx, 'db' | 'actor' | 'tenantId'>,
  permission?: string,
): Promise<number[] | undefined> {
  const { tenantId } = ctx
  if (tenantId !== undefined) {
    const seen = permission === undefined || (await holds(ctx, tenantId, permission))
    return seen ? [tenantId] : []
  }
  const [teams] = await teamsHolding(ctx, [permission === undefined ? [] : [permission]])
  return teams
}

/**
 * For what several teams share, or every team: lets in who holds the permissions in one of them. Throws 404 to who is in
 * none of them, exactly as where there is no such thing; else 403 with the permission and who can give it.
 */
export async function mustHoldInOneOf(
  ctx: Asker,
  teams: readonly number[] | 'every',
  ...permissions: readonly string[]
): Promise<void> {
  const [seen, held] = (await teamsHolding(ctx, [[], permissions])).map((mine) => shareOf(mine, teams))
  if (held === undefined || held.length > 0) return
  if (seen?.length === 0) throw new Fault('missing', 'resource-missing')
  const [first] = seen ?? []
  if (first !== undefined) await mustHold(ctx, first, ...permissions)
  throw new Fault('forbidden', 'permission-missing-admin', { permission: permissions.join(', ') })
}

/** For what names no team yet: lets in who holds the permission in any one team. */
export async function mustHoldSomewhere(ctx: Asker, permission: string): Promise<void> {
  const [teams] = await teamsHolding(ctx, [[permission]])
  if (teams?.length === 0) throw new Fault('forbidden', 'permission-missing-anywhere', { permission })
}

/** Of the teams where one may something those that share a thing; undefined is all of them. */
const shareOf = (mine: number[] | undefined, teams: readonly number[] | 'every'): number[] | undefined =>
  mine === undefined || teams === 'every' ? mine : mine.filter((team) => teams.includes(team))
