import { sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { ExternalUser } from '../users/public.ts'

/** Stores the groups of a sign-in with its account; nothing without an account. */
export async function keepGroups(
  db: Db,
  { type, provider, subject }: ExternalUser,
  groups: string[] | undefined,
): Promise<void> {
  const account = db
    .selectFrom('account')
    .select(['id', sql`${groups === undefined ? null : jsonb(groups)}::jsonb`.as('groups'), sql`now()`.as('at')])
    .where('type', '=', type)
    .where('provider', '=', provider)
    .where('subject', '=', subject)
  await db
    .insertInto('oauth_account')
    .columns(['account_id', 'groups', 'signed_in_at'])
    .expression(account)
    .onConflict((c) =>
      c.column('account_id').doUpdateSet({
        groups: sql`excluded.groups`,
        signed_in_at: sql`excluded.signed_in_at`,
      }),
    )
    .execute()
}

const signIns = (db: Db) =>
  db
    .selectFrom('oauth_account')
    .select('oauth_account.signed_in_at as at')
    .select(sql<string[] | null>`oauth_account.groups`.as('groups'))

/** The latest sign-in of an account. */
export const signInOf = (db: Db, accountId: number) =>
  signIns(db).where('oauth_account.account_id', '=', accountId).executeTakeFirst()

/** The latest sign-in by this provider. */
export const lastSignIn = (db: Db, issuer: string) =>
  signIns(db)
    .innerJoin('account', 'account.id', 'oauth_account.account_id')
    .select('account.user_name as userName')
    .where('account.type', '=', 'OAUTH')
    .where('account.provider', '=', issuer)
    .orderBy('oauth_account.signed_in_at', 'desc')
    .limit(1)
    .executeTakeFirst()
