import type { Db } from '../../../db/tables.gen.ts'

/** A trigger adds such rows when a team is deleted. */
export const addUndedication = (db: Db, clusterId: string, teamId: number) =>
  db
    .insertInto('host_return')
    .values({ environment: clusterId, team_id: teamId })
    .onConflict((c) => c.doNothing())
    .execute()

export const removeUndedication = (db: Db, clusterId: string, teamId: number) =>
  db.deleteFrom('host_return').where('environment', '=', clusterId).where('team_id', '=', teamId).execute()
