import { sql } from 'kysely'
import type { Member, Team } from '@gantry/contract/teams/teams'
import type { List } from '@gantry/contract/paging'
import type { Db } from '../../../db/tables.gen.ts'
import { anyContains, byName, countMatches, sorting } from '../../../db/list.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { avatarRows } from '../../users/public.read.ts'

interface Wanted {
  keyword?: string | undefined
  sort?: string | undefined
}

const managers = sql<string[]>`array(
  select account.user_name from team_member join account on account.id = team_member.account_id
  where team_member.team_id = team.id and team_member.leader order by ${byName('account.user_name')})`
const userNum = sql<number>`(select count(*) from team_member where team_member.team_id = team.id)`

const teams = (db: Db) => db.selectFrom('team').leftJoin('account as creator', 'creator.id', 'team.creator_id')

const selectTeam = (query: ReturnType<typeof teams>) =>
  query
    .select([
      'team.id',
      'team.name',
      'team.description',
      'team.created_at as createdAt',
      'team.updated_at as updatedAt',
      'team.updated_by as updatedBy',
    ])
    .select((eb) => eb.fn.coalesce('creator.user_name', sql<string>`''`).as('creator'))
    .select([managers.as('managers'), userNum.as('userNum')])

/** `seen`: only these teams. */
function matchingTeams(db: Db, { keyword }: Wanted, seen: number[] | undefined) {
  let query = teams(db)
  if (keyword) query = query.where(anyContains(['team.name'], keyword))
  if (seen !== undefined) query = query.where(sql<boolean>`team.id = any(${seen})`)
  return query
}

export async function listTeams(db: Db, wanted: Wanted, at: Page, seen: number[] | undefined): Promise<List<Team>> {
  const { by, direction } = sorting(wanted.sort, ['name', 'createdAt'])
  const matching = matchingTeams(db, wanted, seen)
  const items = await selectTeam(matching)
    .orderBy(by === 'name' ? byName('team.name') : 'team.created_at', direction)
    .orderBy('team.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, matching), at)
}

export const findTeam = (db: Db, teamId: number): Promise<Team | undefined> =>
  selectTeam(teams(db).where('team.id', '=', teamId)).executeTakeFirst()

const avatar = sql<string>`coalesce((select version from ${avatarRows} account_avatar where account_avatar.account_id = account.id), '')`

/** Columns in which lists of users search. */
const searched = ['account.user_name', 'account.nickname', 'account.email']

export async function listMembers(db: Db, teamId: number, { keyword, sort }: Wanted, at: Page): Promise<List<Member>> {
  let matching = db
    .selectFrom('team_member')
    .innerJoin('account', 'account.id', 'team_member.account_id')
    .leftJoin('team_role', 'team_role.id', 'team_member.role_id')
    .where('team_member.team_id', '=', teamId)
  if (keyword) matching = matching.where(anyContains(searched, keyword))
  const { direction } = sorting(sort, ['userName'])
  const items = await matching
    .select(['account.id', 'account.user_name as userName', 'nickname', 'email', 'type', 'status as state'])
    .select(['team_member.granted_by as grantedBy', avatar.as('avatar')])
    .select(['team_member.leader as teamLeader', 'team_role.id as roleId'])
    .select((eb) => eb.fn.coalesce('team_role.name', sql<string>`''`).as('roleName'))
    .orderBy('account.natural_name', direction)
    .orderBy('account.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, matching), at)
}

/** A user in the picker. */
interface Candidate {
  id: number
  name: string
  email: string
  type: 'IDENTITY' | 'LDAP' | 'OAUTH'
}

/** Users who are not members of the team. */
export async function listOthers(
  db: Db,
  teamId: number,
  { keyword, sort }: Wanted,
  at: Page,
): Promise<List<Candidate>> {
  let matching = db
    .selectFrom('account')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('team_member')
            .select('team_member.team_id')
            .whereRef('team_member.account_id', '=', 'account.id')
            .where('team_member.team_id', '=', teamId),
        ),
      ),
    )
  if (keyword) matching = matching.where(anyContains(searched, keyword))
  const { direction } = sorting(sort, ['name'])
  const items = await matching
    .select(['account.id', 'user_name as name', 'email', 'type'])
    .orderBy('natural_name', direction)
    .orderBy('account.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, matching), at)
}

/** User names of those who exist. */
export async function namesOf(db: Db, userIds: number[]): Promise<Map<number, string>> {
  const rows = await db.selectFrom('account').select(['id', 'user_name']).where('id', 'in', userIds).execute()
  return new Map(rows.map((row) => [row.id, row.user_name]))
}

export async function teamsByName(db: Db, names: string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await db.selectFrom('team').select(['id', 'name']).where('name', 'in', names).execute()
  return new Map(rows.map((row) => [row.name, row.id]))
}

export async function teamsOf(db: Db, userId: number): Promise<number[]> {
  const rows = await db.selectFrom('team_member').select('team_id').where('account_id', '=', userId).execute()
  return rows.map((row) => row.team_id)
}
