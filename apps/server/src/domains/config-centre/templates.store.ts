import type { Template, TemplateRow } from '@gantry/contract/config-centre/templates'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { serviceRows, stackRows } from '../stacks/public.read.ts'

const rows = (db: Db) =>
  db.selectFrom('config_template').innerJoin('config_project', 'config_project.id', 'config_template.project_id')

const columns = [
  'config_template.uuid',
  'config_project.name as project',
  'config_template.name',
  sql<number>`octet_length(config_template.content)`.as('size'),
  'config_template.revision',
  'config_template.updated_at as updatedAt',
  'config_template.updated_by as updatedBy',
  sql<number>`(select count(*) from ${serviceRows} service join ${stackRows} stack on stack.id = service.stack_id
    where stack.team_id = config_project.team_id
      and service.spec #>> '{configuration,project}' = config_project.name
      and service.spec #> '{configuration,templates}'
        @> jsonb_build_array(jsonb_build_object('template', config_template.name)))`.as('services'),
] as const

const orders = { name: byName('config_template.name'), updatedAt: sql.ref('config_template.updated_at') }

export async function listTemplates(
  db: Db,
  projectId: number,
  keyword: string,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<List<TemplateRow>> {
  const of = rows(db)
    .where('project_id', '=', projectId)
    .$if(keyword !== '', (q) => q.where(anyContains(['config_template.name'], keyword)))
  const items = await of
    .select(columns)
    .orderBy(orders[by], direction)
    .orderBy('config_template.uuid')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

export interface StoredTemplate extends Template {
  projectId: number
}

/** With `lock` the row stays locked until the transaction ends. */
export const findTemplate = (
  db: Db,
  teamId: number,
  uuid: string,
  { lock = false } = {},
): Promise<StoredTemplate | undefined> =>
  rows(db)
    .select([...columns, 'config_template.content', 'config_template.project_id as projectId'])
    .where('config_project.team_id', '=', teamId)
    .where('config_template.uuid', '=', uuid)
    .$if(lock, (q) => q.forUpdate('config_template'))
    .executeTakeFirst()

/** Number and total bytes of a project's templates. */
export const measureTemplates = (db: Db, projectId: number): Promise<{ count: number; size: number }> =>
  db
    .selectFrom('config_template')
    .select((n) => n.fn.countAll<number>().as('count'))
    .select(sql<number>`coalesce(sum(octet_length(content)), 0)::int`.as('size'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()

interface Written {
  name: string
  content: string
  by: string
}

export const insertTemplate = async (db: Db, projectId: number, { name, content, by }: Written): Promise<string> =>
  (
    await db
      .insertInto('config_template')
      .values({ project_id: projectId, name, content, updated_by: by })
      .returning('uuid')
      .executeTakeFirstOrThrow()
  ).uuid

export const updateTemplate = (db: Db, uuid: string, { name, content, by }: Written) =>
  db
    .updateTable('config_template')
    .set({ name, content, updated_by: by, updated_at: sql`now()`, revision: sql`revision + 1` })
    .where('uuid', '=', uuid)
    .execute()

export const deleteTemplate = (db: Db, uuid: string) =>
  db.deleteFrom('config_template').where('uuid', '=', uuid).execute()
