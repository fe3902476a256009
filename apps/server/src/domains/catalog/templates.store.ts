import type { CatalogTemplate, CatalogTemplateInput, CatalogTemplateRow } from '@gantry/contract/catalog/templates'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import { usableBy } from './catalogs.store.ts'
import { stackReleaseRows } from '../blueprints/public.read.ts'
import { stackRows } from '../stacks/public.read.ts'

/** `outdated` comes from the TOSCA model, not from the database. */
export type StoredRow = Omit<CatalogTemplateRow, 'outdated'>
export type StoredTemplate = Omit<CatalogTemplate, 'outdated'>

/** `teams`: whose stacks are counted; undefined means all. */
const rows = (db: Db, teams?: readonly number[]) =>
  db
    .selectFrom('catalog_template')
    .innerJoin('catalog', 'catalog.id', 'catalog_template.catalog_id')
    .select([
      'catalog_template.id',
      'catalog_template.catalog_id as catalogId',
      'catalog.name as catalogName',
      'catalog_template.version',
      'catalog_template.notes',
      'catalog_template.published',
      'catalog_template.tosca_version as toscaVersion',
      'catalog_template.service_num as serviceNum',
      'catalog_template.revision',
      'catalog_template.created_at as createdAt',
      'catalog_template.updated_at as updatedAt',
      'catalog_template.updated_by as updatedBy',
      sql<number>`(select count(*) from ${stackRows} stack where stack.template_id = catalog_template.id
        and (${teams ?? null}::int[] is null or stack.team_id = any(${teams ?? null}::int[])))`.as('stackNum'),
    ])

export async function listTemplates(
  db: Db,
  {
    catalogId,
    keyword,
    published,
    teams,
  }: { catalogId: number; keyword: string; published: boolean; teams: readonly number[] | undefined },
  at: Page,
): Promise<{ items: StoredRow[]; total: number }> {
  const of = rows(db, teams)
    .where('catalog_template.catalog_id', '=', catalogId)
    .$if(published, (q) => q.where('catalog_template.published', '=', true))
    .$if(keyword !== '', (q) => q.where(anyContains(['catalog_template.version', 'catalog_template.notes'], keyword)))
  const items = await of.orderBy('catalog_template.id', 'desc').limit(at.limit).offset(at.offset).execute()
  return { items, total: await countMatches(db, of.clearSelect()) }
}

/** With `lock` the row stays locked until the transaction ends. */
export const findTemplate = (
  db: Db,
  id: number,
  { lock = false, teams }: { lock?: boolean; teams?: readonly number[] | undefined } = {},
): Promise<StoredTemplate | undefined> =>
  rows(db, teams)
    .select('catalog_template.template')
    .where('catalog_template.id', '=', id)
    .$if(lock, (q) => q.forUpdate('catalog_template'))
    .executeTakeFirst()

/** A published version of a preset service that the team may deploy. */
export const usableTemplate = (db: Db, teamId: number, id: number): Promise<StoredTemplate | undefined> =>
  rows(db)
    .select('catalog_template.template')
    .where('catalog_template.id', '=', id)
    .where('catalog_template.published', '=', true)
    .where(usableBy(teamId))
    .executeTakeFirst()

export type Written = CatalogTemplateInput & { toscaVersion: string; serviceNum: number; by: string }

const values = ({ version, notes, template, published, toscaVersion, serviceNum, by }: Written) => ({
  version,
  notes,
  template,
  published,
  tosca_version: toscaVersion,
  service_num: serviceNum,
  updated_by: by,
})

export const insertTemplate = async (db: Db, catalogId: number, template: Written): Promise<number> =>
  (
    await db
      .insertInto('catalog_template')
      .values({ catalog_id: catalogId, ...values(template) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateTemplate = (db: Db, id: number, template: Written) =>
  db
    .updateTable('catalog_template')
    .set({ ...values(template), updated_at: sql`now()`, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()

export const deleteTemplate = (db: Db, id: number) => db.deleteFrom('catalog_template').where('id', '=', id).execute()

/** A stack that runs a version or would be rolled back to it: a given version, or any of an entry. */
export const useOf = (
  db: Db,
  { catalogId, id }: { catalogId?: number; id?: number },
): Promise<{ stack: string; team: string; version: string } | undefined> =>
  db
    .selectFrom(stackRows.as('stack'))
    .innerJoin('team', 'team.id', 'stack.team_id')
    .innerJoin('catalog_template as run', (join) =>
      join.on(
        sql<boolean>`(run.id = stack.template_id or exists (select from ${stackReleaseRows} open
          where open.stack_id = stack.id and open.state = 'open' and run.id in (open.template_id, open.template_before)))`,
      ),
    )
    .select(['stack.name as stack', 'team.name as team', 'run.version'])
    .$if(catalogId !== undefined, (q) => q.where('run.catalog_id', '=', catalogId ?? 0))
    .$if(id !== undefined, (q) => q.where('run.id', '=', id ?? 0))
    .orderBy(byName('team.name'))
    .orderBy(byName('stack.name'))
    .limit(1)
    .executeTakeFirst()

/** The entry of a version, and whether teams see it; undefined if there is no such version. */
export const placeOfTemplate = (db: Db, id: number) =>
  db
    .selectFrom('catalog_template')
    .select(['catalog_id as catalogId', 'published'])
    .where('id', '=', id)
    .executeTakeFirst()
