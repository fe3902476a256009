import type { BuildImageInput, BuildImageKind, BuildImageType } from '@gantry/contract/build-images/build-images'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { anyContains, byName, countMatches, rowCount } from '../../db/list.ts'
import type { Db, Tables } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { clusterRows } from '../clusters/public.read.ts'
import { pipelineRows } from '../pipelines/public.read.ts'

/** Teams whose images and clusters are visible; undefined means all. */
export type Teams = readonly number[] | undefined

const visibleTo =
  (teams: Teams) =>
  (q: ExpressionBuilder<Tables, 'job_image'>): Expression<SqlBool> =>
    teams === undefined
      ? sql<boolean>`true`
      : q.or([q('job_image.team_id', 'is', null), sql<boolean>`job_image.team_id = any(${teams}::int[])`])

const rows = (db: Db, teams: Teams) =>
  db
    .selectFrom('job_image')
    .leftJoin('team', 'team.id', 'job_image.team_id')
    .select([
      'job_image.id',
      'job_image.kind',
      'job_image.type',
      'job_image.team_id as teamId',
      'job_image.name',
      'job_image.image',
      'job_image.description',
      'job_image.catalog',
      'job_image.revision',
      'job_image.updated_at as updatedAt',
      'job_image.updated_by as updatedBy',
    ])
    .select(sql<string>`coalesce(team.name, '')`.as('teamName'))
    .select((q) => [
      q.selectFrom('pipeline_job_image').whereRef('image_id', '=', 'job_image.id').$call(rowCount).as('pipelineNum'),
      jsonArrayFrom(
        q
          .selectFrom('job_image_environment as limited')
          .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'limited.environment')
          .select(['limited.team_id as teamId', 'environment.uuid', 'environment.name'])
          .whereRef('limited.image_id', '=', 'job_image.id')
          .$if(teams !== undefined, (e) => e.where(sql<boolean>`limited.team_id = any(${teams ?? []}::int[])`))
          .orderBy(byName('environment.name')),
      ).as('environments'),
    ])

export interface Filter {
  kind: BuildImageKind | undefined
  type: BuildImageType | undefined
  catalog: string | undefined
  keyword: string
}

export async function listImages(db: Db, teams: Teams, { kind, type, catalog, keyword }: Filter, at: Page) {
  const of = rows(db, teams)
    .where(visibleTo(teams) as never)
    .$if(kind !== undefined, (q) => q.where('job_image.kind', '=', kind ?? 'internal'))
    .$if(type !== undefined, (q) => q.where('job_image.type', '=', type ?? 'BUILD'))
    .$if(catalog !== undefined, (q) => q.where('job_image.catalog', '=', catalog ?? ''))
    .$if(keyword !== '', (q) =>
      q.where(anyContains(['job_image.name', 'job_image.image', 'job_image.description'], keyword)),
    )
  const items = await of
    .orderBy(byName('job_image.name'))
    .orderBy('job_image.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}

export const listCatalogs = (db: Db, teams: Teams, type: BuildImageType | undefined) =>
  db
    .selectFrom('job_image')
    .select('catalog as name')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where(visibleTo(teams))
    .where('catalog', '<>', '')
    .$if(type !== undefined, (q) => q.where('type', '=', type ?? 'BUILD'))
    .groupBy('catalog')
    .orderBy(byName('catalog'))
    .execute()

/** With `lock` the row stays locked until the transaction ends. */
export const findImage = (db: Db, id: number, { lock = false } = {}) =>
  rows(db, undefined)
    .where('job_image.id', '=', id)
    .$if(lock, (q) => q.forUpdate('job_image'))
    .executeTakeFirst()

interface Written extends BuildImageInput {
  by: string
}

const values = ({ name, image, description, catalog, type, teamId, by }: Written) => ({
  name,
  image,
  description,
  catalog,
  type,
  team_id: teamId,
  updated_by: by,
})

export const insertImage = async (db: Db, given: Written): Promise<number> =>
  (
    await db
      .insertInto('job_image')
      .values({ ...values(given), kind: 'customer' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateImage = (db: Db, id: number, given: Written) =>
  db
    .updateTable('job_image')
    .set({ ...values(given), updated_at: sql`now()`, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()

export const makeInternal = (db: Db, id: number, by: string) =>
  db
    .updateTable('job_image')
    .set({ kind: 'internal', team_id: null, updated_by: by, updated_at: sql`now()`, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()

export const deleteImage = (db: Db, id: number) => db.deleteFrom('job_image').where('id', '=', id).execute()

/** Replaces the clusters of a team that an image is limited to. */
export async function limitTo(db: Db, imageId: number, teamId: number, clusterIds: readonly string[]): Promise<void> {
  await db.deleteFrom('job_image_environment').where('image_id', '=', imageId).where('team_id', '=', teamId).execute()
  if (clusterIds.length === 0) return
  await db
    .insertInto('job_image_environment')
    .values([...new Set(clusterIds)].map((environment) => ({ image_id: imageId, team_id: teamId, environment })))
    .execute()
}

/** The pipelines whose jobs use the image, with their teams. */
export const pipelinesIn = (db: Db, id: number) =>
  db
    .selectFrom('pipeline_job_image')
    .innerJoin(pipelineRows.as('pipeline'), 'pipeline.id', 'pipeline_job_image.pipeline_id')
    .select(['pipeline.name', 'pipeline.team_id as teamId'])
    .where('image_id', '=', id)
    .orderBy(byName('pipeline.name'))
    .execute()

/** Those of the given images that jobs of the team may run in, with the clusters to which the team limits them. */
export const imagesForJobs = (db: Db, teamId: number, ids: readonly number[]) =>
  imagesOfTeam(db, teamId)
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .execute()

/** Images that the team's jobs may run in, by name. */
export const listImagesForJobs = (db: Db, teamId: number) =>
  imagesOfTeam(db, teamId).orderBy(byName('name')).orderBy('id').execute()

const imagesOfTeam = (db: Db, teamId: number) =>
  db
    .selectFrom('job_image')
    .select(['id', 'name', 'image'])
    .select((q) =>
      jsonArrayFrom(
        q
          .selectFrom('job_image_environment as limited')
          .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'limited.environment')
          .select(['environment.uuid', 'environment.name'])
          .whereRef('limited.image_id', '=', 'job_image.id')
          .where('limited.team_id', '=', teamId)
          .orderBy(byName('environment.name')),
      ).as('clusters'),
    )
    .where('type', '=', 'BUILD')
    .where((q) => q.or([q('team_id', 'is', null), q('team_id', '=', teamId)]))

/** Replaces the list of images that a pipeline's jobs run in. */
export async function linkBuildImages(db: Db, pipelineId: number, ids: number[]): Promise<void> {
  await db
    .deleteFrom('pipeline_job_image')
    .where('pipeline_id', '=', pipelineId)
    .where(sql<boolean>`image_id <> all(${ids}::int[])`)
    .execute()
  if (ids.length === 0) return
  await db
    .insertInto('pipeline_job_image')
    .values(ids.map((id) => ({ pipeline_id: pipelineId, image_id: id })))
    .onConflict((c) => c.columns(['pipeline_id', 'image_id']).doNothing())
    .execute()
}
