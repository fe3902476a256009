import type { SourceKind } from '@gantry/contract/tracing/sources'
import type { Db } from '../../../db/tables.gen.ts'
import type { Sealed } from '../../monitoring/public.ts'

export interface StoredSource extends Sealed {
  cluster: string
  version: string
}

export const findSource = (db: Db, clusterId: string, kind: SourceKind): Promise<StoredSource | undefined> =>
  db
    .selectFrom('tracing_source')
    .select(['url', 'username', 'password', 'token', 'cluster', 'version'])
    .where('environment', '=', clusterId)
    .where('kind', '=', kind)
    .executeTakeFirst()

export const putSource = (db: Db, clusterId: string, kind: SourceKind, source: StoredSource) =>
  db
    .insertInto('tracing_source')
    .values({ environment: clusterId, kind, ...source })
    .onConflict((c) => c.columns(['environment', 'kind']).doUpdateSet(source))
    .execute()

export const removeSource = (db: Db, clusterId: string, kind: SourceKind) =>
  db.deleteFrom('tracing_source').where('environment', '=', clusterId).where('kind', '=', kind).execute()
