import type { List } from '@gantry/contract/paging'
import type { Product } from '@gantry/contract/products/products'
import { type Kysely, sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'
import { listed, type Page } from '../../kernel/paging.ts'

type Db = Kysely<Tables>

const rows = (db: Db) =>
  db
    .selectFrom('product')
    .select(['id', 'team_id as teamId', 'name', 'description', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select((q) =>
      q
        .selectFrom('stack')
        .whereRef('stack.product_id', '=', 'product.id')
        .select((n) => n.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('stackNum'),
    )

export async function listProducts(db: Db, teamId: number, keyword: string, at: Page): Promise<List<Product>> {
  const of = rows(db)
    .where('team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['name'], keyword)))
  const items = await of.orderBy(byName('name')).limit(at.limit).offset(at.offset).execute()
  return listed(items, await countMatches(db, of.clearSelect()), at)
}

export const findProduct = (db: Db, teamId: number, id: number): Promise<Product | undefined> =>
  rows(db).where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst()

interface ProductInput {
  name: string
  description: string
}

/** Returns the new product's id; undefined where the team has a product with that name. */
export const insertProduct = async (db: Db, teamId: number, product: ProductInput): Promise<number | undefined> =>
  (
    await db
      .insertInto('product')
      .values({ team_id: teamId, ...product })
      .onConflict((c) => c.constraint('product_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateProduct = (db: Db, id: number, product: ProductInput) =>
  db
    .updateTable('product')
    .set({ ...product, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteProduct = (db: Db, id: number) => db.deleteFrom('product').where('id', '=', id).execute()
