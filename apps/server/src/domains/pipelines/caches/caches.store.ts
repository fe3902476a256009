import type { CacheEntry as Shown } from '@gantry/contract/pipelines/caches'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'

export interface CacheEntry {
  id: number
  key: string
  size: number
  sha256: string
  blob: string
}

const columns = ['pipeline_cache.id', 'pipeline_cache.key', 'size', 'sha256', 'blob'] as const

/**
 * The entry for the first of the wanted keys that has one, preferring the first scope. The first key must match
 * exactly; a fallback matches the newest entry whose key begins with it.
 */
export const findEntry = (
  db: Db,
  pipelineId: number,
  scopes: readonly string[],
  { platform, key, fallbacks }: { platform: string; key: string; fallbacks: readonly string[] },
): Promise<CacheEntry | undefined> =>
  db
    .selectFrom('pipeline_cache')
    .innerJoin(
      sql<{ begin: string; place: number }>`(select * from unnest(${[key, ...fallbacks]}::text[])
        with ordinality as w(begin, place))`.as('wanted'),
      (join) =>
        join.on(sql<boolean>`case wanted.place when 1 then pipeline_cache.key = wanted.begin
          else starts_with(pipeline_cache.key, wanted.begin) end`),
    )
    .innerJoin(
      sql<{ scope: string; place: number }>`(select * from unnest(${scopes}::text[])
        with ordinality as s(scope, place))`.as('readable'),
      (join) => join.onRef('readable.scope', '=', 'pipeline_cache.scope'),
    )
    .select(columns)
    .where('pipeline_id', '=', pipelineId)
    .where('platform', '=', platform)
    .orderBy('wanted.place')
    .orderBy('readable.place')
    .orderBy('kept_at', 'desc')
    .orderBy('pipeline_cache.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** An entry that a build with these scopes may read; marks it as used now. */
export const useEntry = (
  db: Db,
  pipelineId: number,
  scopes: readonly string[],
  id: number,
): Promise<CacheEntry | undefined> =>
  db
    .updateTable('pipeline_cache')
    .set({ used_at: sql`now()` })
    .where('id', '=', id)
    .where('pipeline_id', '=', pipelineId)
    .where('scope', 'in', scopes)
    .returning(columns)
    .executeTakeFirst()

export interface NewEntry extends Omit<CacheEntry, 'id'> {
  teamId: number
  pipelineId: number
  scope: string
  platform: string
}

/** Serializes the writes to a team's caches, so that their size limit holds. */
export const lockCaches = (db: Db, teamId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`caches ${teamId}`}, 0))`.execute(db)

/** Stores an entry in place of one with the same key; returns the blob of the replaced one. */
export async function putEntry(db: Db, { teamId, pipelineId, ...entry }: NewEntry): Promise<string | undefined> {
  const { scope, platform, key } = entry
  const before = await db
    .deleteFrom('pipeline_cache')
    .where('pipeline_id', '=', pipelineId)
    .where('scope', '=', scope)
    .where('platform', '=', platform)
    .where('key', '=', key)
    .returning('blob')
    .executeTakeFirst()
  await db
    .insertInto('pipeline_cache')
    .values({ team_id: teamId, pipeline_id: pipelineId, ...entry })
    .execute()
  return before?.blob
}

/** Removes a team's least recently used entries until the rest is within the limit; returns their blobs. */
export async function evictEntries(db: Db, teamId: number, bytes: number): Promise<string[]> {
  const { rows } = await sql<{ blob: string }>`
    delete from pipeline_cache where id in (
      select id from (
        select id, sum(size) over (order by used_at desc, id desc) as with_newer
        from pipeline_cache where team_id = ${teamId}
      ) as entry where with_newer > ${bytes}::bigint
    ) returning blob`.execute(db)
  return rows.map(({ blob }) => blob)
}

/** The entries of a pipeline, most recently used first. */
export async function listEntries(db: Db, pipelineId: number, keyword: string, at: Page): Promise<List<Shown>> {
  const of = db
    .selectFrom('pipeline_cache')
    .where('pipeline_id', '=', pipelineId)
    .$if(keyword !== '', (q) => q.where(anyContains(['key', 'scope'], keyword)))
  const rows = await of
    .select(['id', 'key', 'scope', 'platform', 'size', 'kept_at as keptAt', 'used_at as usedAt'])
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const items = rows.map(({ scope, ...row }) => {
    const [kind = '', ...name] = scope.split(' ')
    return { ...row, scope: { kind: kind as Shown['scope']['kind'], name: name.join(' ') } }
  })
  return toList(items, await countMatches(db, of), at)
}

/** Removes all entries of a pipeline; returns their blobs. */
export const removeEntries = async (db: Db, pipelineId: number): Promise<string[]> =>
  (await db.deleteFrom('pipeline_cache').where('pipeline_id', '=', pipelineId).returning('blob').execute()).map(
    ({ blob }) => blob,
  )

/** The properties of a build that determine its cache scopes. */
export const sourceOf = (db: Db, buildId: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build.branch', 'build.tag'])
    .select(sql<{ number: number; target: string } | null>`build.merge_request`.as('mergeRequest'))
    .select('pipeline.repository_branch as defaultBranch')
    .where('build.id', '=', buildId)
    .executeTakeFirstOrThrow()
