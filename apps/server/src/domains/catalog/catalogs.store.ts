import type { CatalogInput, CatalogTag } from '@gantry/contract/catalog/catalogs'
import { type RawBuilder, sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import { stackRows } from '../stacks/public.read.ts'

type Named = { id: number; name: string }

/** Whether a team may deploy an entry of the catalogue. */
export const usableBy = (team: number | RawBuilder<number>) =>
  sql<boolean>`(catalog.for_all or exists (select from catalog_team given
    where given.catalog_id = catalog.id and given.team_id = ${team}))`

/** Counts the stacks that run a version of the entry, of one team or of all. */
const stacks = (teamId: number | undefined) =>
  sql<number>`(select count(*) from ${stackRows} stack join catalog_template run on run.id = stack.template_id
    where run.catalog_id = catalog.id and (${teamId ?? null}::int is null or stack.team_id = ${teamId ?? null}::int))`

const versions = (published: boolean) =>
  sql<number>`(select count(*) from catalog_template one
    where one.catalog_id = catalog.id and one.published = ${sql.lit(published)})`

const columns = (teamId?: number) =>
  [
    'catalog.id',
    'catalog.name',
    'catalog.description',
    'catalog.for_all as forAll',
    'catalog.shipped',
    'catalog.revision',
    'catalog.updated_at as updatedAt',
    'catalog.updated_by as updatedBy',
    sql<
      Named[]
    >`coalesce((select jsonb_agg(jsonb_build_object('id', tag.id, 'name', tag.name) order by ${byName('tag.name')})
      from catalog_tagged tagged join catalog_tag tag on tag.id = tagged.tag_id
      where tagged.catalog_id = catalog.id), '[]')`.as('tags'),
    sql<
      Named[]
    >`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name) order by ${byName('team.name')})
      from catalog_team given join team on team.id = given.team_id where given.catalog_id = catalog.id), '[]')`.as(
      'teams',
    ),
    sql<string>`coalesce((select version from catalog_image where catalog_image.catalog_id = catalog.id), '')`.as(
      'imageVersion',
    ),
    versions(true).as('versionNum'),
    versions(false).as('draftNum'),
    sql<{ id: number; version: string } | null>`(select jsonb_build_object('id', one.id, 'version', one.version)
      from catalog_template one where one.catalog_id = catalog.id and one.published order by one.id desc limit 1)`.as(
      'newest',
    ),
    stacks(teamId).as('stackNum'),
  ] as const

const rows = (db: Db, teamId?: number) => db.selectFrom('catalog').select(columns(teamId))

export type StoredCatalog = NonNullable<Awaited<ReturnType<typeof findCatalog>>>

/** With `lock` the row stays locked until the transaction ends. */
export const findCatalog = (db: Db, id: number, { lock = false } = {}) =>
  rows(db)
    .where('catalog.id', '=', id)
    .$if(lock, (q) => q.forUpdate('catalog'))
    .executeTakeFirst()

interface Filter {
  keyword: string
  tag?: number | undefined
  id?: number | undefined
  /** Only entries that this team may deploy and that have a published version; only its stacks are counted. */
  teamId?: number
}

const orders = { name: byName('catalog.name'), updatedAt: sql.ref('catalog.updated_at') }
export const orderNames = ['name', 'updatedAt'] as const

export async function listCatalogs(
  db: Db,
  { keyword, tag, id, teamId }: Filter,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<{ items: StoredCatalog[]; total: number }> {
  const of = db
    .selectFrom('catalog')
    .$if(keyword !== '', (q) => q.where(anyContains(['catalog.name', 'catalog.description'], keyword)))
    .$if(id !== undefined, (q) => q.where('catalog.id', '=', id ?? 0))
    .$if(tag !== undefined, (q) =>
      q.where(
        sql<boolean>`exists (select from catalog_tagged tagged
          where tagged.catalog_id = catalog.id and tagged.tag_id = ${tag ?? 0})`,
      ),
    )
    .$if(teamId !== undefined, (q) =>
      q
        .where(usableBy(teamId ?? 0))
        .where(
          sql<boolean>`exists (select from catalog_template one where one.catalog_id = catalog.id and one.published)`,
        ),
    )
  const items = await of
    .select(columns(teamId))
    .orderBy(orders[by], direction)
    .orderBy('catalog.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items, total: await countMatches(db, of) }
}

type Written = Pick<CatalogInput, 'name' | 'description' | 'forAll'> & { by: string }

export const insertCatalog = async (db: Db, { name, description, forAll, by }: Written): Promise<number> =>
  (
    await db
      .insertInto('catalog')
      .values({ name, description, for_all: forAll, updated_by: by })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateCatalog = (db: Db, id: number, { name, description, forAll, by }: Written) =>
  db
    .updateTable('catalog')
    .set({
      name,
      description,
      for_all: forAll,
      updated_by: by,
      updated_at: sql`now()`,
      revision: sql`revision + 1`,
    })
    .where('id', '=', id)
    .execute()

/** Replaces the tags and teams of an entry. */
export async function setTagsAndTeams(
  db: Db,
  id: number,
  { tagIds, teamIds }: Pick<CatalogInput, 'tagIds' | 'teamIds'>,
): Promise<void> {
  await db.deleteFrom('catalog_tagged').where('catalog_id', '=', id).execute()
  await db.deleteFrom('catalog_team').where('catalog_id', '=', id).execute()
  await sql`insert into catalog_tagged (catalog_id, tag_id)
    select distinct ${id}::int, tag from unnest(${tagIds}::int[]) tag`.execute(db)
  await sql`insert into catalog_team (catalog_id, team_id)
    select distinct ${id}::int, team from unnest(${teamIds}::int[]) team`.execute(db)
}

export const deleteCatalog = (db: Db, id: number) => db.deleteFrom('catalog').where('id', '=', id).execute()

export const findImage = (db: Db, id: number) =>
  db.selectFrom('catalog_image').select(['image', 'version']).where('catalog_id', '=', id).executeTakeFirst()

export const saveImage = (db: Db, image: { catalog_id: number; image: Buffer; version: string }) =>
  db
    .insertInto('catalog_image')
    .values(image)
    .onConflict((c) =>
      c.column('catalog_id').doUpdateSet({ image: sql`excluded.image`, version: sql`excluded.version` }),
    )
    .execute()

/** The teams that may deploy the entry; undefined if there is no such entry. */
export async function teamsOfCatalog(db: Db, id: number): Promise<readonly number[] | 'every' | undefined> {
  const row = await db.selectFrom('catalog').select('for_all').where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  if (row.for_all) return 'every'
  const given = await db.selectFrom('catalog_team').select('team_id').where('catalog_id', '=', id).execute()
  return given.map((one) => one.team_id)
}

const tags = (db: Db) =>
  db
    .selectFrom('catalog_tag')
    .select([
      'catalog_tag.id',
      'catalog_tag.name',
      sql<number>`(select count(*) from catalog_tagged where catalog_tagged.tag_id = catalog_tag.id)`.as('catalogNum'),
    ])

export const listTags = (db: Db): Promise<CatalogTag[]> =>
  tags(db).orderBy(byName('catalog_tag.name')).orderBy('catalog_tag.id').limit(1000).execute()

export const findTag = (db: Db, id: number): Promise<CatalogTag | undefined> =>
  tags(db).where('catalog_tag.id', '=', id).executeTakeFirst()

export const insertTag = async (db: Db, name: string): Promise<number> =>
  (await db.insertInto('catalog_tag').values({ name }).returning('id').executeTakeFirstOrThrow()).id

export const deleteTag = (db: Db, id: number) => db.deleteFrom('catalog_tag').where('id', '=', id).execute()
