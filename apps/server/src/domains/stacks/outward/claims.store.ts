import type { Family } from '@gantry/contract/stacks/outward'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** A place at a cluster's ways in. Host and path are empty unless it is HTTP or HTTPS. */
export interface Place {
  port: number
  family: Family
  host: string
  path: string
}

export interface Holder {
  serviceId: number
  service: string
  stack: string
  teamId: number
  family: string
}

/** Serializes claims of a cluster's ways in until this transaction ends, so that a port never has two families. */
export const serialiseClaims = (db: Db, clusterId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`outward ${clusterId}`}, 0))`.execute(db)

export const dropClaims = (db: Db, serviceId: number) =>
  db.deleteFrom('outward_claim').where('service_id', '=', serviceId).execute()

const holders = (db: Db, clusterId: string) =>
  db
    .selectFrom('outward_claim as c')
    .innerJoin('service as s', 's.id', 'c.service_id')
    .innerJoin('stack as k', 'k.id', 's.stack_id')
    .select(['s.id as serviceId', 's.name as service', 'k.name as stack', 'k.team_id as teamId', 'c.family'])
    .where('c.environment', '=', clusterId)

/** Who has a place, or its port for another family; undefined if it is free. */
export const holderOf = (
  db: Db,
  clusterId: string,
  { port, family, host, path }: Place,
  except?: number,
): Promise<Holder | undefined> =>
  holders(db, clusterId)
    .where('c.port', '=', port)
    .where(({ eb, or, and }) =>
      or([eb('c.family', '<>', family), and([eb('c.host', '=', host), eb('c.path', '=', path)])]),
    )
    .$if(except !== undefined, (q) => q.where('c.service_id', '<>', except ?? 0))
    .limit(1)
    .executeTakeFirst()

/** Reserves a port for a family, unless it is claimed for another one. */
export async function reservePort(db: Db, clusterId: string, { port, family }: Place): Promise<boolean> {
  const done = await db
    .insertInto('outward_port')
    .values({ environment: clusterId, port, family })
    .onConflict((c) =>
      c
        .columns(['environment', 'port'])
        .doUpdateSet({ family })
        .where(({ or, eb, not, exists, selectFrom }) =>
          or([
            eb('outward_port.family', '=', family),
            not(
              exists(
                selectFrom('outward_claim as c')
                  .select('c.port')
                  .whereRef('c.environment', '=', 'outward_port.environment')
                  .whereRef('c.port', '=', 'outward_port.port'),
              ),
            ),
          ]),
        ),
    )
    .returning('port')
    .executeTakeFirst()
  return done !== undefined
}

/** False if somebody else has the place. */
export const insertClaim = async (db: Db, clusterId: string, serviceId: number, place: Place): Promise<boolean> =>
  (await db
    .insertInto('outward_claim')
    .values({ environment: clusterId, service_id: serviceId, ...place })
    .onConflict((c) => c.constraint('outward_claim_place').doNothing())
    .returning('port')
    .executeTakeFirst()) !== undefined

export const noteAddresses = (db: Db, serviceId: number, addresses: string[]) =>
  db
    .insertInto('service_outward')
    .values({ service_id: serviceId, addresses })
    .onConflict((c) => c.column('service_id').doUpdateSet({ addresses }))
    .execute()

/** The addresses of services from outside, as last reported by their clusters. */
export async function addressesOf(db: Db, serviceIds: readonly number[]): Promise<Map<number, string[]>> {
  if (serviceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('service_outward')
    .select(['service_id', 'addresses'])
    .where('service_id', 'in', serviceIds)
    .execute()
  return new Map(rows.map((row) => [row.service_id, row.addresses]))
}

/** Whether a namespace of the cluster belongs to a stack of the team. */
export const hasNamespace = async (
  db: Db,
  { teamId, envId, namespace }: { teamId: number; envId: string; namespace: string },
): Promise<boolean> =>
  (await db
    .selectFrom('stack')
    .select('id')
    .where('team_id', '=', teamId)
    .where('environment', '=', envId)
    .where('namespace', '=', namespace)
    .executeTakeFirst()) !== undefined
