import type { ConfigAction, ConfigRevision } from '@gantry/contract/config-centre/history'
import { limits } from '@gantry/contract/config-centre/names'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import { countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'

/** Maximum of changed keys that a revision names. */
const maxNamed = 10

interface StoredRevision {
  revision: number
  action: ConfigAction
  by: string
  /** Names of the changed keys. */
  keys: readonly string[]
}

/** Stores the keys of a profile as a revision, secret values encrypted, and deletes the oldest beyond the limit. */
export async function keepRevision(
  db: Db,
  profile: string,
  { revision, action, by, keys }: StoredRevision,
): Promise<void> {
  await sql`insert into config_revision (profile_uuid, revision, action, keys, changes, by, entries)
    select ${profile}, ${revision}, ${action}, ${keys.slice(0, maxNamed)}::text[], ${keys.length}, ${by},
      coalesce(jsonb_agg(jsonb_build_object('key', key, 'value', value, 'secret', secret)), '[]')
    from config_entry where profile_uuid = ${profile}`.execute(db)
  await sql`delete from config_revision where profile_uuid = ${profile} and revision <= (
    select revision from config_revision where profile_uuid = ${profile}
    order by revision desc offset ${limits.revisions} limit 1)`.execute(db)
}

export async function listRevisions(db: Db, profile: string, at: Page): Promise<List<ConfigRevision>> {
  const of = db.selectFrom('config_revision').where('profile_uuid', '=', profile)
  const rows = await of
    .select(['revision', 'action', 'keys', 'changes', 'at', 'by'])
    .orderBy('revision', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const items = rows.map(({ action, ...row }) => ({ ...row, action: action as ConfigAction }))
  return toList(items, await countMatches(db, of), at)
}

export interface KeptEntry {
  key: string
  /** Encrypted if it is secret. */
  value: string
  secret: boolean
}

/** The keys of a profile at a revision. */
export const entriesAt = async (db: Db, profile: string, revision: number): Promise<KeptEntry[] | undefined> =>
  (
    await db
      .selectFrom('config_revision')
      .select(sql<KeptEntry[]>`entries`.as('entries'))
      .where('profile_uuid', '=', profile)
      .where('revision', '=', revision)
      .executeTakeFirst()
  )?.entries

/** Encrypts the plain values of a key in old revisions, because the key has become secret. */
export async function sealKept(db: Db, profile: string, key: string, seal: (value: string) => string): Promise<void> {
  const isPlain = sql<boolean>`entries @> ${JSON.stringify([{ key, secret: false }])}::jsonb`
  const rows = await db
    .selectFrom('config_revision')
    .select(['revision', sql<KeptEntry[]>`entries`.as('entries')])
    .where('profile_uuid', '=', profile)
    .where(isPlain)
    .execute()
  for (const { revision, entries } of rows)
    await db
      .updateTable('config_revision')
      .set({
        entries: jsonb(entries.map((one) => (one.key === key ? { key, value: seal(one.value), secret: true } : one))),
      })
      .where('profile_uuid', '=', profile)
      .where('revision', '=', revision)
      .execute()
}
