import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** Marks a blob that no row names any more, for the next sweep. */
export const forgetBlob = (db: Db, key: string) =>
  db
    .insertInto('blob_garbage')
    .values({ key })
    .onConflict((c) => c.column('key').doUpdateSet({ created_at: sql<string>`now()` }))
    .execute()

/**
 * Marks a blob that is about to be written, to be swept in a day unless a row names it by then. No upload takes so
 * long.
 */
export const expectBlob = (db: Db, key: string) =>
  db
    .insertInto('blob_garbage')
    .values({ key, created_at: sql<string>`now() + interval '1 day'` })
    .execute()

/** Removes the mark, in the transaction that names the blob. False if it is too late and the blob may be gone. */
export const keepBlob = async (db: Db, key: string): Promise<boolean> =>
  (await db.deleteFrom('blob_garbage').where('key', '=', key).executeTakeFirst()).numDeletedRows > 0n

/** Removes the mark of a blob that was deleted. */
export const noteRemoved = (db: Db, key: string) => db.deleteFrom('blob_garbage').where('key', '=', key).execute()

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
