import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import type { Prioritized } from '../samples/samples.ts'
import { clusterRows } from '../../clusters/public.read.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

/** A service of the team on this cluster; undefined if there is none. */
export const serviceOf = (
  db: Db,
  of: { teamId: number; environment: string; serviceId: number; stack?: number | string },
) =>
  db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .select(['service.id', 'service.name', 'stack.name as stackName', 'stack.namespace'])
    .where('service.id', '=', of.serviceId)
    .where('stack.team_id', '=', of.teamId)
    .where('stack.environment', '=', of.environment)
    .$if(of.stack !== undefined, (q) =>
      typeof of.stack === 'number' ? q.where('stack.id', '=', of.stack) : q.where('stack.uuid', '=', of.stack ?? ''),
    )
    .executeTakeFirst()

export const clusterNamed = (db: Db, uuid: string): Promise<{ name: string } | undefined> =>
  db.selectFrom(clusterRows.as('environment')).select('name').where('uuid', '=', uuid).executeTakeFirst()

/** Clusters that are sampled, because they have no Prometheus. */
export const sampledClusters = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectFrom(clusterRows.as('environment'))
      .leftJoin('monitoring_source', 'monitoring_source.environment', 'environment.uuid')
      .select('environment.uuid')
      .where(sql<boolean>`monitoring_source.kind is distinct from 'prometheus'`)
      .orderBy('environment.uuid')
      .execute()
  ).map(({ uuid }) => uuid)

/** The containers of a cluster with sampling priority. */
export const prioritiesOn = (db: Db, clusterId: string): Promise<Prioritized[]> =>
  db
    .selectFrom('monitoring_wish')
    .innerJoin(serviceRows.as('service'), 'service.id', 'monitoring_wish.service_id')
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .select(['stack.namespace', 'service.name as service', 'monitoring_wish.container'])
    .where('stack.environment', '=', clusterId)
    .execute()
