import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { zoneRows } from '../../openstack/public.read.ts'

/** Ids of the zones that were written to a cluster, which its objects carry. `begun`: one may still be in writing. */
export const zonesOf = (db: Db, clusterId: string): Promise<{ uuid: string; begun: boolean }[]> =>
  db
    .selectFrom(zoneRows.as('zone'))
    .select('uuid')
    .select(sql<boolean>`(ready_at is null and created_at >= now() - interval '1 minute')`.as('begun'))
    .where('environment', '=', clusterId)
    .execute()
