import { sql } from 'kysely'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { helmReleaseImageRows, helmReleaseRows } from '../../helm/public.read.ts'
import { buildRows, pipelineRows, pushedImageRows } from '../../pipelines/public.read.ts'
import { serviceRevisionRows, serviceRows, stackRows } from '../../stacks/public.read.ts'

/** A service or Helm release, or a revision of one, that names an image of these repositories, on any host. */
export interface UseRow {
  /** Whether it runs the image, or could roll back to it. */
  kind: 'runs' | 'back'
  /** Number and name of the service, or of the release if the type is `helm`. */
  serviceId: number
  serviceName: string
  type: string
  stackId: number
  stackUuid: string
  stackName: string
  envId: string
  teamId: number
  revision: number
  registryId: number | null
  /** Image of the main container. */
  image: string
  /** Images of all containers. */
  refs: string[]
  /** Known digests of the main image; empty if none is known. */
  digests: string[]
  /** Digests to which images of the other containers are pinned. */
  pins: string[]
  /** Whether pods name the main image by digest, so that its tag does not matter. */
  pinned: boolean
}

/** All uses of all teams: an image without one may be deleted. */
export async function usesOf(db: Db, paths: readonly string[]): Promise<UseRow[]> {
  const wanted = sql`${paths}::text[]`
  const of = sql`service.id as "serviceId", service.name as "serviceName", service.type, stack.id as "stackId",
    stack.uuid as "stackUuid", stack.name as "stackName", stack.environment as "envId", stack.team_id as "teamId"`
  const named = (spec: string, pins: string) =>
    sql`array(select value from jsonb_each_text(${sql.ref(pins)} -> 'images')) as pins,
      (${sql.ref(spec)} ->> 'registryId')::int as "registryId",
      coalesce(${sql.ref(spec)} ->> 'image', '') as image,
      image_refs(${sql.ref(spec)}) as refs`
  const { rows } = await sql<UseRow>`
    select 'runs' as kind, ${of}, service.revision, ${named('service.spec', 'service.pins')},
      array_remove(array[service.digest, service.pod_digest], '') as digests, service.pod_digest <> '' as pinned
    from ${serviceRows} service join ${stackRows} stack on stack.id = service.stack_id
    where image_paths(service.spec) && ${wanted}
    union all
    select 'back', ${of}, service.revision - 1, ${named('service.previous_spec', 'service.previous_pins')},
      array_remove(array[service.previous_digest], ''), service.previous_digest <> ''
    from ${serviceRows} service join ${stackRows} stack on stack.id = service.stack_id
    where image_paths(service.previous_spec) && ${wanted}
    union all
    select 'back', ${of}, r.revision, ${named('r.spec', 'r.pins')}, array_remove(array[r.digest], ''), r.digest <> ''
    from ${serviceRevisionRows} r join ${serviceRows} service on service.id = r.service_id join ${stackRows} stack on stack.id = service.stack_id
    where image_paths(r.spec) && ${wanted} and r.revision <> service.revision
    union all
    select case when i.runs then 'runs' else 'back' end, release.id, release.name, 'helm', stack.id, stack.uuid, stack.name,
      stack.environment, stack.team_id, i.revision, '{}', null, i.image, array[i.image], '{}', false
    from ${helmReleaseImageRows} i join ${helmReleaseRows} release on release.id = i.release_id
      join ${stackRows} stack on stack.id = release.stack_id
    where i.path = any(${wanted})`.execute(db)
  return rows
}

/** Pipelines of these teams, or of all, whose image steps push to a repository of one of the registries. */
export const pipelinesPushing = (
  db: Db,
  teams: readonly number[] | undefined,
  registryIds: readonly number[],
  repository: string,
) =>
  db
    .selectFrom(pipelineRows.as('pipeline'))
    .select(['id', 'group_id as groupId', 'name', 'team_id as teamId'])
    .$if(teams !== undefined, (q) => q.where('team_id', '=', sql<number>`any(${teams}::int[])`))
    .where(
      sql<boolean>`jsonb_path_exists(definition, '$.stages[*].** ? (@.registryId == $ids[*] && @.repository == $name)',
        jsonb_build_object('ids', ${registryIds}::int[], 'name', ${repository}::text))`,
    )
    .orderBy(byName('name'))
    .execute()

/** The latest 20 builds of these teams, or of all, that pushed an image. */
export const buildsOf = (
  db: Db,
  teams: readonly number[] | undefined,
  registryIds: readonly number[],
  { image, digests }: { image: string; digests: readonly string[] },
) =>
  db
    .selectFrom(pushedImageRows.as('build_image'))
    .innerJoin(buildRows.as('build'), 'build.id', 'build_image.build_id')
    .innerJoin(pipelineRows.as('pipeline'), 'pipeline.id', 'build_image.pipeline_id')
    .select(['pipeline.id as pipelineId', 'pipeline.group_id as groupId', 'pipeline.name as pipeline'])
    .select(['build.number', 'build.team_id as teamId', 'build_image.created_at as createdAt'])
    .where('build_image.registry_id', '=', sql<number>`any(${registryIds}::int[])`)
    .where('build_image.image', '=', image)
    .where('build_image.digest', '=', sql<string>`any(${digests}::text[])`)
    .$if(teams !== undefined, (q) => q.where('build.team_id', '=', sql<number>`any(${teams}::int[])`))
    .orderBy('build_image.id', 'desc')
    .limit(20)
    .execute()

/** When a build last pushed each of these digests, or a service was last given it. */
export async function lastUses(db: Db, registryId: number, digests: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ digest: string; at: string }>`
    select digest, max(at) as at from (
      select digest, created_at as at from ${pushedImageRows} image where registry_id = ${registryId} and digest = any(${digests})
      union all
      select digest, created_at from ${serviceRevisionRows} revision where digest = any(${digests})
    ) as used group by digest`.execute(db)
  return new Map(rows.map(({ digest, at }) => [digest, at]))
}
