import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.gen.ts'
import type { Addressed } from './environments.store.ts'

type Db = Kysely<Tables>

/** A team that may no longer use a cluster, where hosts may be kept for it yet. */
export interface HostReturn extends Addressed {
  teamId: number
}

export const owedReturns = (db: Db): Promise<HostReturn[]> =>
  db
    .selectFrom('host_return')
    .innerJoin('environment', 'environment.uuid', 'host_return.environment')
    .select(['environment.uuid', 'environment.name', 'environment.reach', 'environment.address'])
    .select('host_return.team_id as teamId')
    .execute()

/** A team that is deleted leaves such rows by itself, by a trigger. */
export const oweReturn = (db: Db, environment: string, teamId: number) =>
  db
    .insertInto('host_return')
    .values({ environment, team_id: teamId })
    .onConflict((c) => c.doNothing())
    .execute()

export const isOwed = async (db: Db, environment: string, teamId: number): Promise<boolean> =>
  (await db
    .selectFrom('host_return')
    .select('team_id')
    .where('environment', '=', environment)
    .where('team_id', '=', teamId)
    .executeTakeFirst()) !== undefined

export const endReturn = (db: Db, environment: string, teamId: number) =>
  db.deleteFrom('host_return').where('environment', '=', environment).where('team_id', '=', teamId).execute()
