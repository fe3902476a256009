import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.gen.ts'

interface NewLocal {
  userName: string
  nickname: string
  email: string
  admin: boolean
  passwordHash: string
}

/** A local user whose initial password must be changed. */
export const insertLocal = (
  db: Kysely<Tables>,
  { userName, nickname, email, admin, passwordHash }: NewLocal,
): Promise<{ id: number }> =>
  db
    .insertInto('account')
    .values({
      type: 'IDENTITY',
      // names differ by more than case
      subject: userName.toLowerCase(),
      user_name: userName,
      nickname,
      email,
      admin,
      password_hash: passwordHash,
      newly_built: true,
      space_name: userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

export const updateProfile = (
  db: Kysely<Tables>,
  userId: number,
  change: { nickname?: string; email?: string; admin?: boolean },
) =>
  db
    .updateTable('account')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', userId)
    .executeTakeFirst()

/** Held until the transaction ends, in the order of their ids: two administrators never both take the other's right away. */
export const lockAdmins = (db: Kysely<Tables>) =>
  db.selectFrom('account').select('id').where('admin', '=', true).orderBy('id').forUpdate().execute()

export const hasUsers = async (db: Kysely<Tables>): Promise<boolean> =>
  (await db.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined
