import type { List } from '@gantry/contract/paging'
import type { Product } from '@gantry/contract/products/products'
import { sql } from 'kysely'
import { anyContains, byName, countMatches, rowCount } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { blueprintRows } from '../blueprints/public.read.ts'
import { stackRows } from '../stacks/public.read.ts'

const rows = (db: Db) =>
  db
    .selectFrom('product')
    .select([
      'id',
      'team_id as teamId',
      'name',
      'description',
      'created_at as createdAt',
      'updated_at as updatedAt',
      'updated_by as updatedBy',
    ])
    .select((q) =>
      q
        .selectFrom(stackRows.as('stack'))
        .whereRef('stack.product_id', '=', 'product.id')
        .$call(rowCount)
        .as('stackNum'),
    )
    .select((q) =>
      q
        .selectFrom(blueprintRows.as('blueprint'))
        .whereRef('blueprint.product_id', '=', 'product.id')
        .$call(rowCount)
        .as('blueprintNum'),
    )
    .select((q) =>
      q.fn
        .coalesce(
          q
            .selectFrom('product_image')
            .select('product_image.version')
            .whereRef('product_image.product_id', '=', 'product.id'),
          sql<string>`''`,
        )
        .$notNull()
        .as('imageVersion'),
    )

export async function listProducts(db: Db, teamId: number, keyword: string, at: Page): Promise<List<Product>> {
  const of = rows(db)
    .where('team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['name'], keyword)))
  const items = await of.orderBy(byName('name')).limit(at.limit).offset(at.offset).execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}

export const findProduct = (db: Db, teamId: number, id: number): Promise<Product | undefined> =>
  rows(db).where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst()

export interface ProductInput {
  name: string
  description: string
}

/** Returns the new product's id; undefined if the team already has that name. */
export const insertProduct = async (
  db: Db,
  teamId: number,
  product: ProductInput,
  by: string,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('product')
      .values({ team_id: teamId, ...product, updated_by: by })
      .onConflict((c) => c.constraint('product_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateProduct = (db: Db, id: number, product: ProductInput, by: string) =>
  db
    .updateTable('product')
    .set({ ...product, updated_at: sql`now()`, updated_by: by })
    .where('id', '=', id)
    .execute()

export const deleteProduct = (db: Db, id: number) => db.deleteFrom('product').where('id', '=', id).execute()

export const findImage = (db: Db, productId: number) =>
  db.selectFrom('product_image').select(['image', 'version']).where('product_id', '=', productId).executeTakeFirst()

export const saveImage = (db: Db, image: { product_id: number; image: Buffer; version: string }) =>
  db
    .insertInto('product_image')
    .values(image)
    .onConflict((c) =>
      c.column('product_id').doUpdateSet({ image: sql`excluded.image`, version: sql`excluded.version` }),
    )
    .execute()

/** Copies a product's picture and its versions to another one. */
export async function copyParts(db: Db, from: number, to: number, by: string): Promise<void> {
  await sql`insert into product_image (product_id, image, version)
    select ${to}, image, version from product_image where product_id = ${from}`.execute(db)
  await sql`insert into blueprint
      (team_id, product_id, version, description, template, tosca_version, service_num, updated_by)
    select team_id, ${to}, version, description, template, tosca_version, service_num, ${by}
    from blueprint where product_id = ${from} order by id`.execute(db)
}
