import type { Project } from '@gantry/contract/config-centre/projects'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { serviceRows, stackRows } from '../stacks/public.read.ts'

const columns = [
  'config_project.name',
  'config_project.description',
  'config_project.updated_at as updatedAt',
  'config_project.updated_by as updatedBy',
  sql<number>`(select count(*) from config_profile where project_id = config_project.id)`.as('profiles'),
  sql<number>`(select count(*) from config_template where project_id = config_project.id)`.as('templates'),
  sql<number>`(select count(*) from ${serviceRows} service join ${stackRows} stack on stack.id = service.stack_id
    where stack.team_id = config_project.team_id
      and service.spec #>> '{configuration,project}' = config_project.name)`.as('services'),
] as const

export interface Filter {
  keyword: string
  /** Names that start with this; with `reverse`, all others. */
  prefix: string
  reverse: boolean
}

const orders = { name: byName('config_project.name'), updatedAt: sql.ref('config_project.updated_at') }

export async function listProjects(
  db: Db,
  teamId: number,
  { keyword, prefix, reverse }: Filter,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<List<Project>> {
  const of = db
    .selectFrom('config_project')
    .where('team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['config_project.name', 'config_project.description'], keyword)))
    .$if(prefix !== '', (q) => q.where(sql<boolean>`starts_with(config_project.name, ${prefix}) <> ${reverse}`))
  const items = await of
    .select(columns)
    .orderBy(orders[by], direction)
    .orderBy('config_project.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

export const findProject = (db: Db, teamId: number, name: string): Promise<(Project & { id: number }) | undefined> =>
  db
    .selectFrom('config_project')
    .select(['config_project.id', ...columns])
    .where('team_id', '=', teamId)
    .where('name', '=', name)
    .executeTakeFirst()

/** Locks a project until the transaction ends, so that nothing is added while it is counted. */
export const lockProject = (db: Db, id: number) =>
  db.selectFrom('config_project').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

export const countProjects = async (db: Db, teamId: number): Promise<number> =>
  (
    await db
      .selectFrom('config_project')
      .select((n) => n.fn.countAll<number>().as('n'))
      .where('team_id', '=', teamId)
      .executeTakeFirstOrThrow()
  ).n

export const insertProject = async (
  db: Db,
  teamId: number,
  { name, description, by }: { name: string; description: string; by: string },
): Promise<number> =>
  (
    await db
      .insertInto('config_project')
      .values({ team_id: teamId, name, description, updated_by: by })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const deleteProject = (db: Db, id: number) => db.deleteFrom('config_project').where('id', '=', id).execute()

/** Sets when anything in the project last changed, and by whom. */
export const touchProject = (db: Db, id: number, by: string) =>
  db
    .updateTable('config_project')
    .set({ updated_at: sql`now()`, updated_by: by })
    .where('id', '=', id)
    .execute()

/** Copies a project's contents into another; the installation's key encrypts both. Returns the new profiles. */
export async function copyContents(db: Db, from: number, to: number, by: string): Promise<string[]> {
  await sql`with made as (
      insert into config_profile (project_id, name, description, updated_by)
      select ${to}, name, description, ${by} from config_profile where project_id = ${from} returning uuid, name)
    insert into config_entry (profile_uuid, key, value, secret, revision, updated_by)
    select made.uuid, entry.key, entry.value, entry.secret, 1, ${by} from made
    join config_profile as old on old.project_id = ${from} and old.name = made.name
    join config_entry as entry on entry.profile_uuid = old.uuid`.execute(db)
  await sql`insert into config_template (project_id, name, content, updated_by)
    select ${to}, name, content, ${by} from config_template where project_id = ${from}`.execute(db)
  const made = await db.selectFrom('config_profile').select('uuid').where('project_id', '=', to).execute()
  return made.map(({ uuid }) => uuid)
}
