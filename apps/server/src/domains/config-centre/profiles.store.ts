import type { Profile } from '@gantry/contract/config-centre/profiles'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { serviceRows, stackRows } from '../stacks/public.read.ts'

const rows = (db: Db) =>
  db.selectFrom('config_profile').innerJoin('config_project', 'config_project.id', 'config_profile.project_id')

const columns = [
  'config_profile.uuid',
  'config_project.name as project',
  'config_profile.name',
  'config_profile.description',
  'config_profile.revision',
  'config_profile.updated_at as updatedAt',
  'config_profile.updated_by as updatedBy',
  sql<number>`(select count(*) from config_entry where profile_uuid = config_profile.uuid)`.as('keys'),
  sql<number>`(select count(*) from ${serviceRows} service join ${stackRows} stack on stack.id = service.stack_id
    where stack.team_id = config_project.team_id
      and service.spec #>> '{configuration,project}' = config_project.name
      and service.spec #>> '{configuration,profile}' = config_profile.name)`.as('services'),
] as const

const orders = { name: byName('config_profile.name'), updatedAt: sql.ref('config_profile.updated_at') }

export async function listProfiles(
  db: Db,
  projectId: number,
  keyword: string,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<List<Profile>> {
  const of = rows(db)
    .where('project_id', '=', projectId)
    .$if(keyword !== '', (q) => q.where(anyContains(['config_profile.name', 'config_profile.description'], keyword)))
  const items = await of
    .select(columns)
    .orderBy(orders[by], direction)
    .orderBy('config_profile.uuid')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

export interface StoredProfile extends Profile {
  projectId: number
}

/** With `lock` the row stays locked until the transaction ends. */
export const findProfile = (
  db: Db,
  teamId: number,
  uuid: string,
  { lock = false } = {},
): Promise<StoredProfile | undefined> =>
  rows(db)
    .select([...columns, 'config_profile.project_id as projectId'])
    .where('config_project.team_id', '=', teamId)
    .where('config_profile.uuid', '=', uuid)
    .$if(lock, (q) => q.forUpdate('config_profile'))
    .executeTakeFirst()

export const countProfiles = async (db: Db, projectId: number): Promise<number> =>
  (
    await db
      .selectFrom('config_profile')
      .select((n) => n.fn.countAll<number>().as('n'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
  ).n

interface Written {
  name: string
  description: string
  by: string
}

export const insertProfile = async (db: Db, projectId: number, { name, description, by }: Written): Promise<string> =>
  (
    await db
      .insertInto('config_profile')
      .values({ project_id: projectId, name, description, updated_by: by })
      .returning('uuid')
      .executeTakeFirstOrThrow()
  ).uuid

export const updateProfile = (db: Db, uuid: string, { name, description, by }: Written) =>
  db
    .updateTable('config_profile')
    .set({ name, description, updated_by: by, updated_at: sql`now()`, revision: sql`revision + 1` })
    .where('uuid', '=', uuid)
    .execute()

/** Increments and returns the revision of the keys, which services are to run with. */
export const nextRevision = async (db: Db, uuid: string, by: string): Promise<number> =>
  (
    await db
      .updateTable('config_profile')
      .set({
        updated_by: by,
        updated_at: sql`now()`,
        revision: sql`revision + 1`,
        keys_revision: sql`revision + 1`,
      })
      .where('uuid', '=', uuid)
      .returning('revision')
      .executeTakeFirstOrThrow()
  ).revision

export const deleteProfile = (db: Db, uuid: string) =>
  db.deleteFrom('config_profile').where('uuid', '=', uuid).execute()
