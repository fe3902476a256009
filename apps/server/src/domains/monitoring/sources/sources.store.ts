import type { Db } from '../../../db/tables.gen.ts'

/** How to query a server of a cluster. `password` and `token` are encrypted; null if there is none. */
export interface Sealed {
  url: string
  username: string
  password: string | null
  token: string | null
}

export interface StoredSource extends Sealed {
  kind: 'prometheus' | 'sampled'
  cluster: string
}

/** Without settings the product samples the cluster. */
export const unset: StoredSource = { kind: 'sampled', url: '', username: '', password: null, token: null, cluster: '' }

export const findSource = async (db: Db, clusterId: string): Promise<StoredSource> =>
  (await db
    .selectFrom('monitoring_source')
    .select(['kind', 'url', 'username', 'password', 'token', 'cluster'])
    .where('environment', '=', clusterId)
    .executeTakeFirst()) ?? unset

export const putSource = (db: Db, clusterId: string, source: StoredSource) =>
  db
    .insertInto('monitoring_source')
    .values({ environment: clusterId, ...source })
    .onConflict((c) => c.column('environment').doUpdateSet(source))
    .execute()

export const putWish = (db: Db, serviceId: number, container: string, by: string) =>
  db
    .insertInto('monitoring_wish')
    .values({ service_id: serviceId, container, by })
    .onConflict((c) => c.doNothing())
    .execute()
