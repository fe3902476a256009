import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

export const findAvatar = (db: Db, userId: number) =>
  db.selectFrom('account_avatar').select(['image', 'version']).where('account_id', '=', userId).executeTakeFirst()

export const saveAvatar = (db: Db, avatar: { account_id: number; image: Buffer; version: string }) =>
  db
    .insertInto('account_avatar')
    .values(avatar)
    .onConflict((c) =>
      c.column('account_id').doUpdateSet({ image: sql`excluded.image`, version: sql`excluded.version` }),
    )
    .execute()

export const deleteAvatar = (db: Db, userId: number) =>
  db.deleteFrom('account_avatar').where('account_id', '=', userId).execute()
