import { sql } from 'kysely'
import type { Db } from '../../db/tables.gen.ts'

export interface ReadProfile {
  uuid: string
  keysRevision: number
}

/** A profile by its names. With `lock` it cannot change until the transaction ends. */
export const profileNamed = (
  db: Db,
  teamId: number,
  { project, profile }: { project: string; profile: string },
  { lock = false } = {},
): Promise<ReadProfile | undefined> =>
  db
    .selectFrom('config_profile')
    .innerJoin('config_project', 'config_project.id', 'config_profile.project_id')
    .select(['config_profile.uuid', 'config_profile.keys_revision as keysRevision'])
    .where('config_project.team_id', '=', teamId)
    .where('config_project.name', '=', project)
    .where('config_profile.name', '=', profile)
    .$if(lock, (q) => q.forShare('config_profile'))
    .executeTakeFirst()

export interface ReadTemplate {
  uuid: string
  name: string
  revision: number
  content: string
}

/** Templates of a project by their names; `lock` as above. */
export const templatesNamed = (
  db: Db,
  teamId: number,
  project: string,
  names: readonly string[],
  { lock = false } = {},
): Promise<ReadTemplate[]> =>
  db
    .selectFrom('config_template')
    .innerJoin('config_project', 'config_project.id', 'config_template.project_id')
    .select(['config_template.uuid', 'config_template.name', 'config_template.revision', 'config_template.content'])
    .where('config_project.team_id', '=', teamId)
    .where('config_project.name', '=', project)
    .where(sql<boolean>`config_template.name = any(${[...names]}::text[])`)
    .orderBy('config_template.uuid')
    .$if(lock, (q) => q.forShare('config_template'))
    .execute()

/** Records the version that a service was applied with; null means no configuration. */
export async function noteVersion(db: Db, serviceId: number, version: string | null): Promise<void> {
  if (version === null) {
    await db.deleteFrom('service_configuration').where('service_id', '=', serviceId).execute()
    return
  }
  await db
    .insertInto('service_configuration')
    .values({ service_id: serviceId, version })
    .onConflict((c) => c.column('service_id').doUpdateSet({ version }))
    .execute()
}

export const appliedVersion = async (db: Db, serviceId: number): Promise<string | null> =>
  (
    await db
      .selectFrom('service_configuration')
      .select('version')
      .where('service_id', '=', serviceId)
      .executeTakeFirst()
  )?.version ?? null
