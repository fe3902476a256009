import { sql } from 'kysely'
import type { Db } from '../../db/tables.gen.ts'
import { unreadVersion } from '../../identity/news.ts'

/** Notes each version once, at its first start; the very first one counts as having always been there. */
export const noteVersion = (db: Db, version: string, noted: boolean) =>
  db
    .insertInto('product_version')
    .values({
      version,
      noted,
      first_at: sql`case when exists (select from product_version) then now() else '-infinity' end`,
    })
    .onConflict((c) => c.doNothing())
    .execute()

export const findUnread = async (db: Db, accountId: number): Promise<string | undefined> =>
  (await db.selectFrom('account').select(unreadVersion.as('news')).where('id', '=', accountId).executeTakeFirst())?.news

export const markRead = (db: Db, accountId: number, version: string) =>
  db.updateTable('account').set({ read_version: version }).where('id', '=', accountId).execute()
