import type { ConfigEntry } from '@gantry/contract/config-centre/profiles'
import { sql } from 'kysely'
import { byName, countMatches, escapeLike } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'

const columns = ['key', 'value', 'secret', 'revision', 'updated_at as updatedAt', 'updated_by as updatedBy'] as const

const orders = { key: byName('key'), updatedAt: sql.ref('updated_at') }

/** Secret values are encrypted; the search looks into keys and plain values. */
export async function listEntries(
  db: Db,
  profile: string,
  keyword: string,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<{ items: ConfigEntry[]; total: number }> {
  const pattern = `%${escapeLike(keyword)}%`
  const of = db
    .selectFrom('config_entry')
    .where('profile_uuid', '=', profile)
    .$if(keyword !== '', (q) => q.where(sql<boolean>`(key ilike ${pattern} or not secret and value ilike ${pattern})`))
  const items = await of
    .select(columns)
    .orderBy(orders[by], direction)
    .orderBy('key')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items, total: await countMatches(db, of) }
}

/** All keys of a profile, by name; secret values are encrypted. */
export const entriesOf = (db: Db, profile: string): Promise<ConfigEntry[]> =>
  db.selectFrom('config_entry').select(columns).where('profile_uuid', '=', profile).orderBy(byName('key')).execute()

export interface Written {
  key: string
  /** Encrypted if it is secret. */
  value: string
  secret: boolean
}

/** Adds keys, or replaces those of the same name. */
export async function putEntries(
  db: Db,
  profile: string,
  entries: readonly Written[],
  { revision, by }: { revision: number; by: string },
): Promise<void> {
  if (entries.length === 0) return
  await db
    .insertInto('config_entry')
    .values(entries.map((entry) => ({ ...entry, profile_uuid: profile, revision, updated_by: by })))
    .onConflict((c) =>
      c.constraint('config_entry_key').doUpdateSet({
        value: sql`excluded.value`,
        secret: sql`excluded.secret`,
        revision,
        updated_by: by,
        updated_at: sql`now()`,
      }),
    )
    .execute()
}

export const deleteEntries = (db: Db, profile: string, keys: readonly string[]) =>
  db
    .deleteFrom('config_entry')
    .where('profile_uuid', '=', profile)
    .where(sql<boolean>`key = any(${[...keys]}::text[])`)
    .execute()
