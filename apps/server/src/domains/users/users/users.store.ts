import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

interface NewLocal {
  userName: string
  nickname: string
  email: string
  admin: boolean
  passwordHash: string
}

const localRow = ({ userName, nickname, email, admin, passwordHash }: NewLocal) => ({
  type: 'IDENTITY' as const,
  // names must differ by more than case
  subject: userName.toLowerCase(),
  user_name: userName,
  nickname,
  email,
  admin,
  password_hash: passwordHash,
  newly_built: true,
  space_name: userName,
})

/** A local user whose initial password must be changed. */
export const insertLocal = (db: Db, user: NewLocal): Promise<{ id: number }> =>
  db.insertInto('account').values(localRow(user)).returning('id').executeTakeFirstOrThrow()

export const updateProfile = (db: Db, userId: number, change: { nickname?: string; email?: string; admin?: boolean }) =>
  db
    .updateTable('account')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', userId)
    .executeTakeFirst()

/** Locked in the order of their ids until the transaction ends: no two administrators remove each other's right. */
export const lockAdmins = (db: Db) =>
  db.selectFrom('account').select(['id', 'status']).where('admin', '=', true).orderBy('id').forNoKeyUpdate().execute()

/** Those who exist, locked in the order of their ids until the transaction ends. */
export const lockUsers = (db: Db, userIds: number[]) =>
  db
    .selectFrom('account')
    .select(['id', 'user_name as userName'])
    .where('id', 'in', userIds)
    .orderBy('id')
    .forUpdate()
    .execute()

export const deleteUsers = (db: Db, userIds: number[]) => db.deleteFrom('account').where('id', 'in', userIds).execute()

/** Nobody else creates an account until this transaction ends. */
export const lockAccounts = (db: Db) => sql`lock table account in exclusive mode`.execute(db)

export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined

/** A user identified by a directory or provider. Identity is (type, provider, subject), never a name. */
export interface ExternalUser {
  type: 'LDAP' | 'OAUTH'
  /** Permanent id of the directory or issuer, not its name, which may change. */
  provider: string
  /** An id that the provider never gives to another user: an entry's UUID, the claim `sub`. */
  subject: string
  userName: string
  nickname: string
  email: string
}

export const findExternal = (db: Db, { type, provider, subject }: ExternalUser) =>
  db
    .selectFrom('account')
    .select('id')
    .where('type', '=', type)
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Two concurrent first logins create one account. */
export const insertExternal = (
  db: Db,
  { type, provider, subject, userName, nickname, email }: ExternalUser,
): Promise<{ id: number }> =>
  db
    .insertInto('account')
    .values({ type, provider, subject, user_name: userName, nickname, email, space_name: userName })
    .onConflict((c) => c.constraint('account_identity').doUpdateSet({ user_name: userName, nickname, email }))
    .returning('id')
    .executeTakeFirstOrThrow()

/** Stores the directory's present data, only if it differs, so that a login is no change; returns whether it did. */
export const updateExternal = async (
  db: Db,
  accountId: number,
  { userName, nickname, email }: ExternalUser,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ user_name: userName, nickname, email, updated_at: sql`now()` })
    .where('id', '=', accountId)
    .where((eb) => eb.or([eb('user_name', '<>', userName), eb('nickname', '<>', nickname), eb('email', '<>', email)]))
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Like insertLocal for many; users whose name or address is taken by now are missing in the answer. */
export const insertLocals = (db: Db, users: NewLocal[]): Promise<{ id: number; userName: string }[]> =>
  db
    .insertInto('account')
    .values(users.map(localRow))
    .onConflict((c) => c.doNothing())
    .returning(['id', 'user_name as userName'])
    .execute()

/** Which of these names and addresses local users already have, in lower case. */
export async function takenAmong(
  db: Db,
  wanted: { userName: string; email: string }[],
): Promise<{ names: Set<string>; emails: Set<string> }> {
  const names = wanted.map(({ userName }) => userName.toLowerCase())
  const emails = wanted.map(({ email }) => email.toLowerCase()).filter((email) => email !== '')
  const rows = await db
    .selectFrom('account')
    .select(['subject', sql<string>`lower(email)`.as('email')])
    .where('type', '=', 'IDENTITY')
    .where(sql<boolean>`(subject = any(${names}::text[]) or lower(email) = any(${emails}::text[]))`)
    .execute()
  return { names: new Set(rows.map((row) => row.subject)), emails: new Set(rows.map((row) => row.email)) }
}
