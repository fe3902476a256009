import { OauthSettings } from '@gantry/contract/oauth/oauth'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import type { Tables } from '../../db/tables.gen.ts'

/** `clientSecret` is sealed, or empty. */
const Stored = z.object({ ...OauthSettings.shape, clientSecret: z.string() })
export type StoredSettings = z.infer<typeof Stored>

const name = 'oauth'

export async function findSettings(db: Kysely<Tables>): Promise<StoredSettings | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return row && Stored.parse(row.value)
}

export async function writeSettings(db: Kysely<Tables>, settings: StoredSettings): Promise<void> {
  const value = jsonb(settings)
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
}
