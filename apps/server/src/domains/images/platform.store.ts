import { sql } from 'kysely'
import { byName } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { rows, type StoredRegistry } from './registries.store.ts'
import { holdTeam } from '../teams/public.read.ts'

export interface StoredPlatformRegistry extends StoredRegistry {
  teams: { id: number; name: string }[]
}

const platform = (db: Db) =>
  rows(db)
    .where('team_id', 'is', null)
    .select(
      sql<
        { id: number; name: string }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name)
        order by ${byName('team.name')}) from registry_team given join team on team.id = given.team_id
        where given.registry_id = registry.id), '[]')`.as('teams'),
    )

export const platformRegistriesOf = (db: Db): Promise<StoredPlatformRegistry[]> =>
  platform(db).orderBy(byName('name')).execute()

export const platformRegistry = (db: Db, id: number): Promise<StoredPlatformRegistry | undefined> =>
  platform(db).where('id', '=', id).executeTakeFirst()

/** Returns whether the team exists; assigning twice does no harm. */
export async function assignRegistry(db: Db, registryId: number, teamId: number): Promise<boolean> {
  if (!(await holdTeam(db, teamId))) return false
  await db
    .insertInto('registry_team')
    .values({ registry_id: registryId, team_id: teamId })
    .onConflict((c) => c.doNothing())
    .execute()
  return true
}

export const withdrawRegistry = (db: Db, registryId: number, teamId: number) =>
  db.deleteFrom('registry_team').where('registry_id', '=', registryId).where('team_id', '=', teamId).execute()

/** The teams that a registry of the platform is assigned to. */
export const teamsUsing = async (db: Db, registryId: number): Promise<number[]> =>
  (await db.selectFrom('registry_team').select('team_id').where('registry_id', '=', registryId).execute()).map(
    (row) => row.team_id,
  )
