import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.gen.ts'
import { zoneRows } from '../../openstack/public.read.ts'

/** The zones that were written to a cluster: their objects there have these ids. `begun`: one may still be written. */
export const zonesOf = (db: Kysely<Tables>, environment: string): Promise<{ uuid: string; begun: boolean }[]> =>
  db
    .selectFrom(zoneRows.as('zone'))
    .select('uuid')
    .select(sql<boolean>`(ready_at is null and created_at >= now() - interval '1 minute')`.as('begun'))
    .where('environment', '=', environment)
    .execute()
