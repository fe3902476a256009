import { sql } from 'kysely'
import type { User } from '@gantry/contract/users/users'
import type { List } from '@gantry/contract/paging'
import type { Db } from '../../../db/tables.gen.ts'
import { anyContains, anyOf, byName, onlyPage, sorting, withTotal } from '../../../db/list.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { memberRows, systemRoleHolderRows, systemRoleRows } from '../../teams/public.read.ts'

const teams = sql<User['teams']>`coalesce((
  select json_agg(json_build_object('id', team.id, 'name', team.name) order by ${byName('team.name')})
  from ${memberRows} team_member join team on team.id = team_member.team_id where team_member.account_id = account.id), '[]')`

const roles = sql<User['roles']>`coalesce((
  select json_agg(json_build_object('id', system_role.id, 'name', system_role.name) order by ${byName('system_role.name')})
  from ${systemRoleHolderRows} account_system_role join ${systemRoleRows} system_role on system_role.id = account_system_role.role_id
  where account_system_role.account_id = account.id), '[]')`

const avatar = sql<string>`coalesce((select version from account_avatar where account_avatar.account_id = account.id), '')`

const columns = [
  'account.id',
  'user_name as userName',
  'nickname',
  'email',
  'admin',
  'type',
  'status as state',
  'provider',
  'last_login_at as lastLoginAt',
  'account.created_at as createdAt',
  avatar.as('avatar'),
  roles.as('roles'),
] as const

interface Wanted {
  keyword?: string | undefined
  sort?: string | undefined
  state?: User['state'] | undefined
  type?: User['type'] | undefined
}

const order = {
  userName: sql.ref('natural_name'),
  updatedAt: sql`account.updated_at`,
  // users who never logged in sort with those whose login is longest ago
  lastLoginAt: sql`coalesce(last_login_at, '-infinity')`,
}

export async function listUsers(db: Db, { keyword, sort, state, type }: Wanted, at: Page): Promise<List<User>> {
  let matching = db.selectFrom('account')
  if (keyword) matching = matching.where(anyContains(['user_name', 'nickname', 'email'], keyword))
  if (state) matching = matching.where('status', '=', state)
  if (type) matching = matching.where('type', '=', type)
  const { by, direction } = sorting(sort, ['userName', 'updatedAt', 'lastLoginAt'])
  const onPage = matching.select('account.id').orderBy(order[by], direction).orderBy('account.id').$call(onlyPage(at))
  const page = db
    .selectFrom('account')
    .select([...columns, 'account.updated_at as updatedAt', teams.as('teams')])
    .where(anyOf('account.id', onPage))
    .orderBy(order[by], direction)
    .orderBy('account.id')
  const { rows, total } = await withTotal(db, page, matching, at, {
    narrowed: [keyword, state, type].some(Boolean),
  })
  return toList(rows, total, at)
}

export const findUser = (db: Db, userId: number): Promise<User | undefined> =>
  db
    .selectFrom('account')
    .select([...columns, 'account.updated_at as updatedAt', teams.as('teams')])
    .where('account.id', '=', userId)
    .executeTakeFirst()

/** Whether the two are members of one team. */
export async function shareTeam(db: Db, one: number, other: number): Promise<boolean> {
  const found = await db
    .selectFrom(memberRows.as('mine'))
    .innerJoin(memberRows.as('theirs'), 'theirs.team_id', 'mine.team_id')
    .select('mine.team_id')
    .where('mine.account_id', '=', one)
    .where('theirs.account_id', '=', other)
    .executeTakeFirst()
  return found !== undefined
}
