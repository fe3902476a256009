import { sql } from 'kysely'
import type { Db } from './tables.gen.ts'

/** The database's clock, which all servers share; within a transaction, the time when it began. */
export async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db)
  return new Date(rows[0]?.now ?? 0)
}
