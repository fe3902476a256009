import { sql } from 'kysely'
import type { z } from 'zod'
import { jsonb } from './json.ts'
import type { Db } from './tables.gen.ts'

/** A document of the installation's settings; undefined until it is first saved. */
export async function findSetting<S extends z.ZodType>(
  db: Db,
  name: string,
  schema: S,
): Promise<z.output<S> | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return row && schema.parse(row.value)
}

/** Like findSetting(), but other changes of it wait until the transaction ends, even if there is no row yet. */
export async function lockSetting<S extends z.ZodType>(
  db: Db,
  name: string,
  schema: S,
): Promise<z.output<S> | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('setting ' || ${name}, 0))`.execute(db)
  return findSetting(db, name, schema)
}

export async function writeSetting(db: Db, name: string, document: object): Promise<void> {
  const value = jsonb(document)
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
}
