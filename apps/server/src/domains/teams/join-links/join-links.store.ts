import { sql } from 'kysely'
import type { JoinLink } from '@gantry/contract/teams/join-links'
import { activeStatuses } from '../../../identity/sessions.ts'
import type { Db } from '../../../db/tables.gen.ts'

/** Links that have not expired and whose creator may log in; used and revoked ones are deleted. */
const openLinks = (db: Db) =>
  db
    .selectFrom('team_join_link')
    .innerJoin('account', 'account.id', 'team_join_link.account_id')
    .innerJoin('team', 'team.id', 'team_join_link.team_id')
    .leftJoin('team_role', 'team_role.id', 'team_join_link.role_id')
    .where('team_join_link.expires_at', '>', sql<string>`now()`)
    .where('account.status', 'in', activeStatuses)

const selectLinks = (query: ReturnType<typeof openLinks>) =>
  query
    .select(['team_join_link.id', 'team_join_link.leader', 'account.user_name as by', 'team_join_link.email'])
    .select(['team_join_link.created_at as createdAt', 'team_join_link.expires_at as expiresAt'])
    .select((eb) => eb.fn.coalesce('team_role.name', sql<string>`''`).as('roleName'))

export const listLinks = (db: Db, teamId: number): Promise<JoinLink[]> =>
  selectLinks(openLinks(db).where('team_join_link.team_id', '=', teamId))
    .orderBy('team_join_link.id', 'desc')
    .execute()

export const findLink = (db: Db, teamId: number, linkId: number): Promise<JoinLink | undefined> =>
  selectLinks(
    openLinks(db).where('team_join_link.team_id', '=', teamId).where('team_join_link.id', '=', linkId),
  ).executeTakeFirst()

/** The link of a token, whatever its creator's present permissions. */
export const findByToken = (db: Db, hash: Buffer) =>
  selectLinks(openLinks(db).where('team_join_link.token_hash', '=', hash))
    .select(['team.id as teamId', 'team.name as teamName', 'team_join_link.role_id as roleId'])
    .select(['account.id as makerId', 'team_role.permissions'])
    .executeTakeFirst()

interface NewLink {
  team_id: number
  token_hash: Buffer
  leader: boolean
  role_id: number | null
  account_id: number
  email: string
}

export const insertLink = (db: Db, link: NewLink, hours: number): Promise<{ id: number }> =>
  db
    .insertInto('team_join_link')
    .values({ ...link, expires_at: sql<string>`now() + make_interval(hours => ${hours}::int)` })
    .returning('id')
    .executeTakeFirstOrThrow()

/** False if somebody else has just deleted it. */
export async function deleteLink(db: Db, linkId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('team_join_link').where('id', '=', linkId).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function forgetExpired(db: Db): Promise<void> {
  await db
    .deleteFrom('team_join_link')
    .where('expires_at', '<=', sql<string>`now()`)
    .execute()
}
