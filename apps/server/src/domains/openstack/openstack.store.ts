import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { clusterRows } from '../clusters/public.read.ts'

export interface OpenStackRow {
  uuid: string
  envUuid: string
  name: string
  authUrl: string
  username: string
  /** Encrypted. */
  password: string
  projectName: string
  projectDomainName: string
  userDomainName: string
  state: 'ready' | 'removing'
  createdAt: string
  zoneNum: number
}

const rows = (db: Db) =>
  db
    .selectFrom('openstack')
    .select([
      'openstack.uuid',
      'openstack.environment as envUuid',
      'openstack.name',
      'openstack.auth_url as authUrl',
      'openstack.username',
      'openstack.password',
      'openstack.project_name as projectName',
      'openstack.project_domain_name as projectDomainName',
      'openstack.user_domain_name as userDomainName',
      'openstack.state',
      'openstack.created_at as createdAt',
    ])
    .select(sql<number>`(select count(*)::int from zone where zone.openstack = openstack.uuid)`.as('zoneNum'))

export async function listOpenStacks(db: Db, clusterId: string, at: Page): Promise<List<OpenStackRow>> {
  const of = rows(db).where('openstack.environment', '=', clusterId)
  const items = await of.orderBy(byName('openstack.name')).limit(at.limit).offset(at.offset).execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}

export const findOpenStack = (db: Db, clusterId: string, uuid: string): Promise<OpenStackRow | undefined> =>
  rows(db).where('openstack.environment', '=', clusterId).where('openstack.uuid', '=', uuid).executeTakeFirst()

export interface NewOpenStack {
  environment: string
  name: string
  auth_url: string
  username: string
  password: string
  project_name: string
  project_domain_name: string
  user_domain_name: string
}

export const insertOpenStack = (db: Db, row: NewOpenStack): Promise<{ uuid: string }> =>
  db.insertInto('openstack').values(row).returning('uuid').executeTakeFirstOrThrow()

/** Marks the connection and all of its zones as `removing`; no zone can be added any more. */
export async function beginRemoval(db: Db, uuid: string): Promise<void> {
  const state = { state: 'removing', changed_at: sql<string>`now()` } as const
  await db.updateTable('openstack').set(state).where('uuid', '=', uuid).execute()
  await db.updateTable('zone').set(state).where('openstack', '=', uuid).execute()
}

/** Locked until the transaction ends; undefined if the connection or its cluster is deleted or being removed. */
export const holdReady = (db: Db, clusterId: string, uuid: string) =>
  db
    .selectFrom('openstack')
    .select('uuid')
    .where('environment', '=', clusterId)
    .where('uuid', '=', uuid)
    .where('state', '=', 'ready')
    .where(
      sql<boolean>`exists (select from ${clusterRows} environment
        where environment.uuid = openstack.environment and environment.leaving_since is null)`,
    )
    .forShare()
    .executeTakeFirst()

/** False, without deleting, while it still has zones. */
export async function deleteOpenStack(db: Db, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('openstack')
    .where('uuid', '=', uuid)
    .where(sql<boolean>`not exists (select from zone where zone.openstack = openstack.uuid)`)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removals that nobody has continued for a while. */
export const staleRemovals = (db: Db): Promise<{ uuid: string; environment: string }[]> =>
  db
    .selectFrom('openstack')
    .select(['uuid', 'environment'])
    .where('state', '=', 'removing')
    .where(sql<boolean>`changed_at < now() - interval '1 minute'`)
    .execute()
