import { sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Reason } from '../../kernel/phrase.ts'

/** The value of `account.provider` for users of a directory. */
export const providerOf = (ldapId: number): string => String(ldapId)

const accounts = (db: Db, ldapId: number) =>
  db
    .selectFrom('account')
    .leftJoin('ldap_account', 'ldap_account.account_id', 'account.id')
    .where('account.type', '=', 'LDAP')
    .where('account.provider', '=', providerOf(ldapId))

export interface DirectoryAccount {
  id: number
  subject: string
  userName: string
  status: string
  dn: string | null
  barred: unknown
  applied: string | null
}

/** A batch of a directory's accounts. */
export const accountsOf = (db: Db, ldapId: number, after: number, limit: number): Promise<DirectoryAccount[]> =>
  accounts(db, ldapId)
    .select(['account.id', 'account.subject', 'account.user_name as userName', 'account.status'])
    .select(['ldap_account.dn', 'ldap_account.barred', 'ldap_account.applied'])
    .where('account.id', '>', after)
    .orderBy('account.id')
    .limit(limit)
    .execute()

export async function countAccounts(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('account')
    .select(['provider', sql<number>`count(*)::int`.as('users')])
    .where('type', '=', 'LDAP')
    .groupBy('provider')
    .execute()
  return new Map(rows.map(({ provider, users }) => [provider, users]))
}

export const accountIds = async (db: Db, ldapId: number): Promise<number[]> =>
  (await accounts(db, ldapId).select('account.id').orderBy('account.id').execute()).map(({ id }) => id)

/** Accounts of the directory with one of these subjects. */
export const findBySubjects = (
  db: Db,
  ldapId: number,
  subjects: string[],
): Promise<{ id: number; subject: string; status: string; barred: unknown }[]> =>
  subjects.length === 0
    ? Promise.resolve([])
    : accounts(db, ldapId)
        .select(['account.id', 'account.subject', 'account.status', 'ldap_account.barred'])
        .where('account.subject', 'in', subjects)
        .execute()

/** Locked until the transaction ends, so that a ban by hand and a check of the directory run one after the other. */
export const lockAccount = (db: Db, accountId: number): Promise<{ status: string; barred: unknown } | undefined> =>
  db
    .selectFrom('account')
    .leftJoin('ldap_account', 'ldap_account.account_id', 'account.id')
    .select(['account.status', 'ldap_account.barred'])
    .where('account.id', '=', accountId)
    .forUpdate('account')
    .executeTakeFirst()

const keep = (db: Db, accountId: number, kept: { dn: string; barred?: Reason; applied?: string }) => {
  const set = {
    dn: kept.dn,
    ...(kept.barred && { barred: jsonb(kept.barred) }),
    ...(kept.applied !== undefined && { applied: kept.applied }),
  }
  return db
    .insertInto('ldap_account')
    .values({ account_id: accountId, ...set })
    .onConflict((c) => c.column('account_id').doUpdateSet(set))
    .execute()
}

/** Stores where the entry is, and the fingerprint of what was copied from it. */
export const keepEntry = (db: Db, accountId: number, dn: string, applied: string) =>
  keep(db, accountId, { dn, applied })

/** Called after the ban, which clears any earlier reason. */
export const keepBarred = (db: Db, accountId: number, dn: string, barred: Reason) => keep(db, accountId, { dn, barred })

/** All accounts with one of these addresses, of any origin. */
export function accountsWithEmail(db: Db, emails: string[]) {
  const wanted = emails.filter((email) => email !== '').map((email) => email.toLowerCase())
  return db
    .selectFrom('account')
    .select(['id', 'user_name as userName', 'type', 'provider', 'subject', sql<string>`lower(email)`.as('email')])
    .where(sql<boolean>`lower(email) = any(${wanted}::text[])`)
    .orderBy('id')
    .limit(1_000)
    .execute()
}
