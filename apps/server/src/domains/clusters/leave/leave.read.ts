import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.gen.ts'

/** The zones that were written into a cluster: their objects there bear these ids. `begun`: somebody may still write one. */
export const zonesOf = (db: Kysely<Tables>, environment: string): Promise<{ uuid: string; begun: boolean }[]> =>
  db
    .selectFrom('zone')
    .select('uuid')
    .select(sql<boolean>`(ready_at is null and created_at >= now() - interval '1 minute')`.as('begun'))
    .where('environment', '=', environment)
    .execute()
