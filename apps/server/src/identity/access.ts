import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import { sql } from 'kysely'
import { byName } from '../db/list.ts'
import { prepared } from '../db/open.ts'
import type { Db } from '../db/tables.gen.ts'
import type { Ctx } from '../kernel/context.ts'
import { Fault, type Vars } from '../kernel/fault.ts'
import { activeStatuses } from './sessions.ts'

type Requester = Pick<Ctx, 'db' | 'actor'>

/** An account's rights in a team. */
export interface Membership {
  /** False for administrators and holders of a system role who are not members of the team. */
  member: boolean
  /** Holds every permission of the team: true for its leaders, and for administrators in every team. */
  leader: boolean
  permissions: ReadonlySet<string>
}

const everything: Membership = { member: false, leader: true, permissions: new Set() }

/** Prefix of permissions of the whole installation; only system roles contain them. */
export const systemPrefix = 'system_'

const systemPermissions = sql<string[]>`array(
  select unnest(system_role.permissions) from account_system_role
  join system_role on system_role.id = account_system_role.role_id
  where account_system_role.account_id = account.id)`

/** A system role that contains any team permission opens every team to its holder, member or not. */
const opensTeams = (permissions: readonly string[]): boolean => permissions.some((key) => !key.startsWith(systemPrefix))

/**
 * The permissions of accounts in a team: by their roles there, by their system roles, as leaders or as administrators.
 * Those without access to the team are left out.
 */
const memberships = (db: Db, teamId: number) =>
  db
    .selectFrom('account')
    .innerJoin('team', (join) => join.on('team.id', '=', teamId))
    .leftJoin('team_member', (join) =>
      join.onRef('team_member.account_id', '=', 'account.id').onRef('team_member.team_id', '=', 'team.id'),
    )
    .leftJoin('team_role', 'team_role.id', 'team_member.role_id')
    .select(['account.id', 'account.admin', 'team_member.leader', 'team_role.permissions'])
    .select(systemPermissions.as('system'))

type MembershipRow = Awaited<ReturnType<ReturnType<typeof memberships>['executeTakeFirstOrThrow']>>

const membership = ({ leader, admin, permissions, system }: MembershipRow): Membership | undefined =>
  leader !== null || admin || opensTeams(system)
    ? {
        member: leader !== null,
        leader: admin || leader === true,
        permissions: new Set([...(permissions ?? []), ...system]),
      }
    : undefined

/** The permissions of an account in a team. Undefined if there is no such team, or the account has no access to it. */
export const membershipOf = async (db: Db, accountId: number, teamId: number): Promise<Membership | undefined> => {
  const row = await memberships(db, teamId).modifyFront(prepared).where('account.id', '=', accountId).executeTakeFirst()
  return row && membership(row)
}

const teamExists = async (db: Db, teamId: number): Promise<boolean> =>
  (await db.selectFrom('team').modifyFront(prepared).select('id').where('id', '=', teamId).executeTakeFirst()) !==
  undefined

/**
 * The actor's current rights in a team. An API token has the permissions that both it and its creator hold; a view as a
 * role has those of the role. Both have rights in one team only.
 */
export async function rightsIn({ db, actor }: Requester, teamId: number): Promise<Membership | undefined> {
  if (actor.kind === 'system') return (await teamExists(db, teamId)) ? everything : undefined
  if (actor.kind !== 'user') return undefined
  const { limit } = actor
  if (limit && limit.teamId !== teamId) return undefined
  if (limit?.kind === 'view') return { member: true, leader: false, permissions: limit.permissions }
  const rights = await membershipOf(db, actor.id, teamId)
  if (!rights || !limit) return rights
  const both = rights.leader
    ? limit.permissions
    : new Set([...limit.permissions].filter((key) => rights.permissions.has(key)))
  return { member: rights.member, leader: false, permissions: both }
}

const carries = ({ leader, permissions }: Membership, permission: string): boolean =>
  leader || permissions.has(permission)

/** The number of names in a sentence before an ellipsis. */
const maxNamed = 5
const joinNames = (names: readonly string[]): string =>
  names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? ' …' : '')

/** The roles of a team that contain a permission, and the leaders, who can assign one: the first few, by name. */
export async function grantersOf(
  db: Db,
  teamId: number,
  permission: string,
): Promise<{ roles: string[]; leaders: string[] }> {
  const { rows } = await sql<{ roles: string[]; leaders: string[] }>`select
    array(select name from team_role where team_id = ${teamId} and ${permission} = any(permissions)
      order by ${byName('name')} limit ${maxNamed + 1}) as roles,
    array(select user_name from team_member join account on account.id = team_member.account_id
      where team_id = ${teamId} and leader order by ${byName('user_name')} limit ${maxNamed + 1}) as leaders`.execute(
    db,
  )
  return rows[0] ?? { roles: [], leaders: [] }
}

/** The refusal; it names the permission, the team's roles that contain it, and the leaders, who can assign one. */
async function permissionFault({ db, actor }: Requester, teamId: number, permission: PermissionKey): Promise<Fault> {
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
  const { roles, leaders } = await grantersOf(db, teamId, permission)
  if (leaders.length === 0) return refusal('missing-admin')
  return roles.length === 0
    ? refusal('missing-nobody', { leaders: joinNames(leaders) })
    : refusal('missing', { roles: joinNames(roles), leaders: joinNames(leaders) })
}

/** Which of these accounts hold a permission in a team. */
export async function accountsHolding(
  db: Db,
  accountIds: readonly number[],
  teamId: number,
  permission: PermissionKey,
): Promise<ReadonlySet<number>> {
  const rows = await memberships(db, teamId)
    .where(sql<boolean>`account.id = any(${accountIds}::int[])`)
    .execute()
  return new Set(
    rows.flatMap((row) => {
      const rights = membership(row)
      return rights && carries(rights, permission) ? [row.id] : []
    }),
  )
}

/** The active members of a team who hold a permission there, with their roles. */
export async function membersHolding(
  db: Db,
  teamId: number,
  permission: PermissionKey,
): Promise<{ id: number; roleId: number | null }[]> {
  return db
    .selectFrom('team_member')
    .innerJoin('account', 'account.id', 'team_member.account_id')
    .leftJoin('team_role', 'team_role.id', 'team_member.role_id')
    .select(['account.id', 'team_role.id as roleId'])
    .where('team_member.team_id', '=', teamId)
    .where('account.status', 'in', activeStatuses)
    .where(
      sql<boolean>`(leader or ${permission} = any(team_role.permissions) or ${permission} = any(${systemPermissions}))`,
    )
    .orderBy('account.id')
    .execute()
}

const isSystem = ({ actor }: Pick<Ctx, 'actor'>): boolean => actor.kind === 'system' || actor.admin

/** Whether the actor holds a permission in a team. The product itself and administrators hold all. */
export async function holds(ctx: Requester, teamId: number, permission: PermissionKey): Promise<boolean> {
  if (isSystem(ctx)) return true
  const rights = await rightsIn(ctx, teamId)
  return rights !== undefined && carries(rights, permission)
}

/**
 * Throws 403: `user-team` for a team that the actor is not in, whether it exists or not; otherwise the first missing
 * permission and who can grant it.
 */
export async function mustHold(
  ctx: Requester,
  teamId: number,
  ...permissions: readonly PermissionKey[]
): Promise<void> {
  if (isSystem(ctx)) {
    if (!(await teamExists(ctx.db, teamId))) throw new Fault('missing', 'resource-missing')
    return
  }
  const rights = await rightsIn(ctx, teamId)
  if (!rights) throw new Fault('forbidden', 'user-team')
  const lacking = permissions.find((permission) => !carries(rights, permission))
  if (lacking !== undefined) throw await permissionFault(ctx, teamId, lacking)
}

/**
 * The permissions of the actor's system roles, for teams and for the installation. An API token and a view as a role
 * have none of them.
 */
export async function systemRights({ db, actor }: Requester): Promise<ReadonlySet<string>> {
  if (actor.kind !== 'user' || actor.limit) return new Set()
  const row = await db
    .selectFrom('account')
    .modifyFront(prepared)
    .select(systemPermissions.as('system'))
    .where('account.id', '=', actor.id)
    .executeTakeFirst()
  return new Set(row?.system)
}

/** Whether the actor holds a permission of the whole installation. */
export const holdsSystem = async (ctx: Requester, permission: string): Promise<boolean> =>
  isSystem(ctx) || (await systemRights(ctx)).has(permission)

/** Requires an administrator, or a system role with a permission of the whole installation. */
export async function mustHoldSystem(ctx: Requester, permission: string): Promise<void> {
  if (await holdsSystem(ctx, permission)) return
  const roles = await ctx.db
    .selectFrom('system_role')
    .select('name')
    .where(sql<boolean>`${permission} = any(permissions)`)
    .orderBy(byName('name'))
    .limit(maxNamed + 1)
    .execute()
  const names = joinNames(roles.map(({ name }) => name))
  throw names === ''
    ? new Fault('forbidden', 'permission-missing-system-nobody', { permission })
    : new Fault('forbidden', 'permission-missing-system', { permission, roles: names })
}

/**
 * For searches across teams: for each set of permissions, the teams where the actor holds all of it, by the same rules
 * as holds(); undefined means every team. For an empty set these are the teams that the actor may see.
 */
export async function teamsHolding(
  ctx: Requester,
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
  const rows = await db
    .selectFrom('account')
    .modifyFront(prepared)
    .leftJoin('team_member', 'team_member.account_id', 'account.id')
    .leftJoin('team_role', 'team_role.id', 'team_member.role_id')
    .select(['team_member.team_id as teamId', 'team_member.leader', 'team_role.permissions'])
    .select(systemPermissions.as('system'))
    .where('account.id', '=', actor.id)
    .orderBy('team_member.team_id')
    .execute()
  const everywhere = new Set(rows[0]?.system)
  const opened = opensTeams([...everywhere])
  return wanted.map((needed) => {
    if (opened && needed.every((key) => everywhere.has(key))) return undefined
    return rows
      .filter((row) => row.leader || needed.every((key) => everywhere.has(key) || row.permissions?.includes(key)))
      .flatMap(({ teamId }) => teamId ?? [])
  })
}

/**
 * The teams whose objects the actor sees in a list across teams. With a permission, only those where the actor holds
 * it. Undefined means every team.
 */
export async function visibleTeams(
  ctx: Pick<Ctx, 'db' | 'actor' | 'tenantId'>,
  permission?: PermissionKey,
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
 * For an object that several teams or all teams share: requires the permissions in one of them. Throws 404 to actors
 * who are in none of them, exactly as if it did not exist; otherwise 403 with the permission and who can grant it.
 */
export async function mustHoldInOneOf(
  ctx: Requester,
  teams: readonly number[] | 'every',
  ...permissions: readonly PermissionKey[]
): Promise<void> {
  const [seen, permitted] = (await teamsHolding(ctx, [[], permissions])).map((mine) => shareOf(mine, teams))
  if (permitted === undefined || permitted.length > 0) return
  if (seen?.length === 0) throw new Fault('missing', 'resource-missing')
  const [first] = seen ?? []
  if (first !== undefined) await mustHold(ctx, first, ...permissions)
  throw new Fault('forbidden', 'permission-missing-admin', { permission: permissions.join(', ') })
}

/** For an object that belongs to no team yet: requires the permission in any one team. */
export async function mustHoldSomewhere(ctx: Requester, permission: string): Promise<void> {
  const [teams] = await teamsHolding(ctx, [[permission]])
  if (teams?.length === 0) throw new Fault('forbidden', 'permission-missing-anywhere', { permission })
}

/** Those of the teams that share an object where the actor has access; undefined means all. */
const shareOf = (mine: number[] | undefined, teams: readonly number[] | 'every'): number[] | undefined =>
  mine === undefined || teams === 'every' ? mine : mine.filter((team) => teams.includes(team))
