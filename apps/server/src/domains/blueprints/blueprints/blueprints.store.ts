import type { Blueprint, BlueprintRow } from '@gantry/contract/blueprints/blueprints'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, countMatches, rowCount } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { productRows } from '../../products/public.read.ts'
import { stackRows } from '../../stacks/public.read.ts'

/** `outdated` comes from the TOSCA model, not from the database. */
export type StoredRow = Omit<BlueprintRow, 'outdated'>
export type StoredBlueprint = Omit<Blueprint, 'outdated'>

const rows = (db: Db) =>
  db
    .selectFrom('blueprint')
    .innerJoin(productRows.as('product'), 'product.id', 'blueprint.product_id')
    .select([
      'blueprint.id',
      'blueprint.uuid',
      'blueprint.team_id as teamId',
      'blueprint.product_id as applicationId',
      'product.name as productName',
      'blueprint.version',
      'blueprint.description',
      'blueprint.tosca_version as toscaVersion',
      'blueprint.service_num as serviceNum',
      'blueprint.revision',
      'blueprint.created_at as createdAt',
      'blueprint.updated_at as updatedAt',
      'blueprint.updated_by as updatedBy',
    ])
    .select((q) =>
      q
        .selectFrom(stackRows.as('stack'))
        .whereRef('stack.blueprint_id', '=', 'blueprint.id')
        .$call(rowCount)
        .as('stackNum'),
    )

export async function listBlueprints(
  db: Db,
  teamId: number,
  { productId, keyword }: { productId?: number | undefined; keyword: string },
  at: Page,
): Promise<List<StoredRow>> {
  const of = rows(db)
    .where('blueprint.team_id', '=', teamId)
    .$if(productId !== undefined, (q) => q.where('blueprint.product_id', '=', productId ?? 0))
    .$if(keyword !== '', (q) => q.where(anyContains(['blueprint.version', 'blueprint.description'], keyword)))
  const items = await of.orderBy('blueprint.id', 'desc').limit(at.limit).offset(at.offset).execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}

export type BlueprintKey = number | string

const is = (key: BlueprintKey) =>
  typeof key === 'number' ? sql<boolean>`blueprint.id = ${key}` : sql<boolean>`blueprint.uuid = ${key}::uuid`

export const findBlueprint = (db: Db, key: BlueprintKey, { lock = false } = {}): Promise<StoredBlueprint | undefined> =>
  rows(db)
    .select('blueprint.template')
    .where(is(key))
    .$if(lock, (q) => q.forUpdate('blueprint'))
    .executeTakeFirst()

export interface NewBlueprint {
  teamId: number
  productId: number
  version: string
  description: string
  template: string
  toscaVersion: string
  serviceNum: number
  by: string
}

/** Returns the new blueprint's id; undefined if the product already has this version. */
export const insertBlueprint = async (db: Db, blueprint: NewBlueprint): Promise<number | undefined> =>
  (
    await db
      .insertInto('blueprint')
      .values({
        team_id: blueprint.teamId,
        product_id: blueprint.productId,
        version: blueprint.version,
        description: blueprint.description,
        template: blueprint.template,
        tosca_version: blueprint.toscaVersion,
        service_num: blueprint.serviceNum,
        updated_by: blueprint.by,
      })
      .onConflict((c) => c.constraint('blueprint_version').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateBlueprint = (
  db: Db,
  id: number,
  {
    by,
    toscaVersion,
    serviceNum,
    ...change
  }: Partial<Omit<NewBlueprint, 'teamId' | 'productId' | 'by'>> & { by: string },
) =>
  db
    .updateTable('blueprint')
    .set({
      ...change,
      ...(toscaVersion === undefined ? {} : { tosca_version: toscaVersion }),
      ...(serviceNum === undefined ? {} : { service_num: serviceNum }),
      updated_by: by,
      updated_at: sql`now()`,
      revision: sql`revision + 1`,
    })
    .where('id', '=', id)
    .execute()

export const deleteBlueprint = (db: Db, id: number) => db.deleteFrom('blueprint').where('id', '=', id).execute()

/** The stack with an open release of this blueprint, if there is one. */
export const stackInRelease = async (db: Db, id: number): Promise<string | undefined> =>
  (
    await db
      .selectFrom('stack_release')
      .innerJoin(stackRows.as('stack'), 'stack.id', 'stack_release.stack_id')
      .select('stack.name')
      .where('stack_release.blueprint_id', '=', id)
      .where('stack_release.state', '=', 'open')
      .executeTakeFirst()
  )?.name
