import { ZoneFields } from '@gantry/contract/openstack/zones'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import { byName } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { clusterRows } from '../clusters/public.read.ts'

type ZoneState = 'writing' | 'ready' | 'removing'

export interface ZoneRow {
  uuid: string
  name: string
  type: 'normal' | 'nested'
  envUuid: string
  envName: string
  openStackUuid: string
  openStackName: string
  fields: ZoneFields
  names: Record<string, string>
  state: ZoneState
  createdAt: string
}

const rows = (db: Db) =>
  db
    .selectFrom('zone')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'zone.environment')
    .innerJoin('openstack', 'openstack.uuid', 'zone.openstack')
    .select([
      'zone.uuid',
      'zone.name',
      'zone.type',
      'zone.environment as envUuid',
      'environment.name as envName',
      'zone.openstack as openStackUuid',
      'openstack.name as openStackName',
      'zone.fields',
      'zone.names',
      'zone.state',
      'zone.created_at as createdAt',
    ])

const Names = z.record(z.string(), z.string())
const parseRow = <Row extends { fields: unknown; names: unknown }>(row: Row) => ({
  ...row,
  fields: ZoneFields.parse(row.fields),
  names: Names.parse(row.names),
})

export async function listZones(db: Db, clusterId: string, at: Page): Promise<List<ZoneRow>> {
  const of = rows(db).where('zone.environment', '=', clusterId)
  const items = await of.orderBy(byName('zone.name')).limit(at.limit).offset(at.offset).execute()
  const { total } = await of
    .clearSelect()
    .select((n) => n.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return toList(items.map(parseRow), total, at)
}

export async function findZone(db: Db, clusterId: string, uuid: string): Promise<ZoneRow | undefined> {
  const row = await rows(db).where('zone.environment', '=', clusterId).where('zone.uuid', '=', uuid).executeTakeFirst()
  return row && parseRow(row)
}

export const zoneNames = async (db: Db, clusterId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('zone')
      .select('name')
      .where('environment', '=', clusterId)
      .where('state', '=', 'ready')
      .orderBy(byName('name'))
      .limit(1000)
      .execute()
  ).map(({ name }) => name)

export const nameIsTaken = async (db: Db, clusterId: string, name: string): Promise<boolean> =>
  (await db
    .selectFrom('zone')
    .select('uuid')
    .where('environment', '=', clusterId)
    .where('name', '=', name)
    .executeTakeFirst()) !== undefined

/** Reserves the name; nothing of the zone is in the cluster yet. */
export const insertZone = (
  db: Db,
  zone: { environment: string; openstack: string; name: string; type: 'normal' | 'nested'; fields: ZoneFields },
): Promise<{ uuid: string }> =>
  db
    .insertInto('zone')
    .values({ ...zone, fields: jsonb(zone.fields) })
    .returning('uuid')
    .executeTakeFirstOrThrow()

/** False if the zone or its connection is being deleted meanwhile. */
export async function markReady(db: Db, uuid: string, names: Record<string, string>): Promise<boolean> {
  const done = await db
    .updateTable('zone')
    .set({ state: 'ready', names: jsonb(names), changed_at: sql<string>`now()`, ready_at: sql<string>`now()` })
    .where('uuid', '=', uuid)
    .where('state', '=', 'writing')
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

export const markRemoving = (db: Db, uuid: string) =>
  db
    .updateTable('zone')
    .set({ state: 'removing', changed_at: sql<string>`now()` })
    .where('uuid', '=', uuid)
    .execute()

/** Called by the creator, when nothing of the zone is in the cluster and nothing more will be. */
export const deleteZone = (db: Db, uuid: string) => db.deleteFrom('zone').where('uuid', '=', uuid).execute()

/**
 * Called by all others. False if the row stays: the creator may still be writing to the cluster, and removes it again,
 * as does the job. That ends within 50 s: 25 s for OpenStack, and five calls to the cluster of 5 s each.
 */
export async function deleteLeft(db: Db, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('zone')
    .where('uuid', '=', uuid)
    .where(sql<boolean>`(ready_at is not null or created_at < now() - interval '1 minute')`)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const zonesLeaving = (db: Db, openstack: string): Promise<{ uuid: string; name: string }[]> =>
  db
    .selectFrom('zone')
    .select(['uuid', 'name'])
    .where('openstack', '=', openstack)
    .where('state', '=', 'removing')
    .execute()

/** Zones in creation or removal that nobody works on any more. */
const stale = sql<boolean>`(state <> 'ready' and changed_at < now() - interval '1 minute')`

export const staleZones = (db: Db): Promise<{ uuid: string; environment: string }[]> =>
  db.selectFrom('zone').select(['uuid', 'environment']).where(stale).execute()

/** False if somebody works on it again, or it became ready after all. */
export async function takeOver(db: Db, uuid: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('zone')
    .set({ state: 'removing', changed_at: sql<string>`now()` })
    .where('uuid', '=', uuid)
    .where(stale)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
