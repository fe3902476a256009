import { sql } from 'kysely'
import type { ApiToken } from '@gantry/contract/tokens/tokens'
import type { Db } from '../../db/tables.gen.ts'
import { byName } from '../../db/list.ts'

const apiTokens = (db: Db) =>
  db
    .selectFrom('api_token')
    .innerJoin('account', 'account.id', 'api_token.account_id')
    .select(['api_token.id', 'api_token.alias', 'account.user_name as creator', 'api_token.permissions'])
    .select(['api_token.created_at as createdAt', 'api_token.expires_at as expiresAt'])
    .select(sql<boolean>`coalesce(api_token.expires_at <= now(), false)`.as('expired'))
    .select('api_token.last_used_at as lastUsedAt')

export const listTokens = (db: Db, teamId: number): Promise<ApiToken[]> =>
  apiTokens(db).where('api_token.team_id', '=', teamId).orderBy(byName('api_token.alias')).execute()

export const findToken = (db: Db, tokenId: number): Promise<ApiToken | undefined> =>
  apiTokens(db).where('api_token.id', '=', tokenId).executeTakeFirst()

export async function teamOfToken(db: Db, tokenId: number): Promise<number | undefined> {
  const row = await db.selectFrom('api_token').select('team_id').where('id', '=', tokenId).executeTakeFirst()
  return row?.team_id
}

/** Locks the team until the transaction ends, so that concurrent calls count one after the other. */
export async function countTokens(db: Db, teamId: number): Promise<number> {
  await db.selectFrom('team').select('id').where('id', '=', teamId).forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom('api_token')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

interface NewToken {
  teamId: number
  accountId: number
  alias: string
  hash: Buffer
  permissions: string[]
  /** 0 means that it does not expire. */
  days: number
}

export const insertToken = (db: Db, token: NewToken): Promise<{ id: number }> =>
  db
    .insertInto('api_token')
    .values({
      team_id: token.teamId,
      account_id: token.accountId,
      alias: token.alias,
      token_hash: token.hash,
      permissions: token.permissions,
      expires_at: token.days === 0 ? null : sql<string>`now() + make_interval(days => ${token.days}::int)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

export const deleteToken = (db: Db, tokenId: number) =>
  db.deleteFrom('api_token').where('id', '=', tokenId).executeTakeFirst()
