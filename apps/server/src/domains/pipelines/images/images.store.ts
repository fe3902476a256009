import type { List } from '@gantry/contract/paging'
import type { ImageVersion, Release } from '@gantry/contract/pipelines/images'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { serviceRows, stackRows } from '../../stacks/public.read.ts'

const imagesOfBuilds = (db: Db) => db.selectFrom('build_image').innerJoin('build', 'build.id', 'build_image.build_id')

export async function listVersions(db: Db, pipelineId: number, keyword: string, at: Page): Promise<List<ImageVersion>> {
  const of = imagesOfBuilds(db)
    .where('build_image.pipeline_id', '=', pipelineId)
    .$if(keyword !== '', (q) => q.where(anyContains(['build_image.image', 'build_image.tag'], keyword)))
  const items = await of
    .select([
      'build_image.id as imageId',
      'build_image.image',
      'build_image.tag as imageTag',
      sql<string>`build_image.image || ':' || build_image.tag`.as('version'),
      'build_image.digest',
      'build.number as buildNumber',
      'build_image.created_at as createdAt',
    ])
    .orderBy('build_image.id', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

const columns = [
  'build_image.image',
  'build_image.tag',
  'build_image.digest',
  'build_image.registry_id as registryId',
] as const

/** The team's newest image with this reference: `image:tag`, `image@digest` or `image:tag@digest`. */
export const findVersion = (db: Db, teamId: number, reference: string) =>
  imagesOfBuilds(db)
    .select(columns)
    .where('build.team_id', '=', teamId)
    .where(
      sql<boolean>`${reference} in (
        build_image.image || ':' || build_image.tag,
        build_image.image || '@' || build_image.digest,
        build_image.image || ':' || build_image.tag || '@' || build_image.digest)`,
    )
    .orderBy('build_image.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The image that triggered a build; undefined if none did, or if it was removed from the list. */
export async function imageOfTrigger(db: Db, buildId: number) {
  const build = await db.selectFrom('build').select(['image', 'team_id']).where('id', '=', buildId).executeTakeFirst()
  return build && build.image !== '' ? findVersion(db, build.team_id, build.image) : undefined
}

/** False if the pipeline has no such image. */
export const deleteVersion = async (db: Db, pipelineId: number, id: number): Promise<boolean> =>
  (await db.deleteFrom('build_image').where('pipeline_id', '=', pipelineId).where('id', '=', id).executeTakeFirst())
    .numDeletedRows > 0n

/** Whether a build of the team made an image of this name, with any tag. */
export const isMadeBy = async (db: Db, teamId: number, name: string): Promise<boolean> =>
  (await imagesOfBuilds(db)
    .select('build_image.id')
    .where('build.team_id', '=', teamId)
    .where('build_image.image', '=', name)
    .limit(1)
    .executeTakeFirst()) !== undefined

export interface Reference {
  name: string
  tag: string
  digest: string
}

/** The team's services whose image has this name and, if given, this tag and digest. */
export async function releasesOf(db: Db, teamId: number, { name, tag, digest }: Reference): Promise<Release[]> {
  const image = sql<string>`service.spec ->> 'image'`
  return db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .select([
      'stack.environment as envId',
      'stack.id as stackId',
      'stack.uuid as stackUuid',
      'stack.name as stackName',
      'service.id as serviceId',
      'service.name as serviceName',
      image.as('image'),
      'service.digest',
      'service.state',
    ])
    .where('stack.team_id', '=', teamId)
    .where(sql<boolean>`regexp_replace(split_part(${image}, '@', 1), ':[^:/]*$', '') = ${name}`)
    .$if(tag !== '', (q) => q.where(sql<boolean>`split_part(${image}, '@', 1) = ${`${name}:${tag}`}`))
    .$if(digest !== '', (q) => q.where('service.digest', '=', digest))
    .orderBy(byName('stack.name'))
    .orderBy(byName('service.name'))
    .limit(1000)
    .execute()
}
