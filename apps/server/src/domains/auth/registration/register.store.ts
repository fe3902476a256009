import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** Inserts the account of a visitor; an administrator has yet to approve it. */
export const insertRegistered = (
  db: Db,
  given: { userName: string; nickname: string; email: string; passwordHash: string },
): Promise<{ id: number }> =>
  db
    .insertInto('account')
    .values({
      type: 'IDENTITY',
      subject: given.userName.toLowerCase(),
      user_name: given.userName,
      nickname: given.nickname,
      email: given.email,
      password_hash: given.passwordHash,
      space_name: given.userName,
      status: 'unapproved',
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Whether at least `count` accounts wait for an administrator. */
export async function areWaiting(db: Db, count: number): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .select(sql`1`.as('one'))
    .where('status', '=', 'unapproved')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
