import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.gen.ts'

/** The zones that were written into a cluster: their objects there bear these ids. */
export const zonesOf = async (db: Kysely<Tables>, environment: string): Promise<string[]> =>
  (await db.selectFrom('zone').select('uuid').where('environment', '=', environment).execute()).map(({ uuid }) => uuid)
