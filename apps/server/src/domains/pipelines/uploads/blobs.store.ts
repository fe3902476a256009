import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.gen.ts'

type Db = Kysely<Tables>

/** A blob that no row names any more: it goes with the next sweep. */
export const forgetBlob = (db: Db, key: string) =>
  db
    .insertInto('blob_garbage')
    .values({ key })
    .onConflict((c) => c.column('key').doUpdateSet({ created_at: sql<string>`now()` }))
    .execute()

/** A blob that is about to be put: it goes in a day, unless a row names it by then. No upload takes as long. */
export const expectBlob = (db: Db, key: string) =>
  db
    .insertInto('blob_garbage')
    .values({ key, created_at: sql<string>`now() + interval '1 day'` })
    .execute()

/** In the transaction that names it. False where it came too late, and may be gone. */
export const keepBlob = async (db: Db, key: string): Promise<boolean> =>
  (await db.deleteFrom('blob_garbage').where('key', '=', key).executeTakeFirst()).numDeletedRows > 0n

export const garbage = async (db: Db, limit: number): Promise<string[]> =>
  (
    await db
      .selectFrom('blob_garbage')
      .select('key')
      .where('created_at', '<=', sql<string>`now()`)
      .orderBy('created_at')
      .limit(limit)
      .execute()
  ).map(({ key }) => key)
