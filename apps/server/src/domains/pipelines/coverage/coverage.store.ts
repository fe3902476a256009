import type { CoveredFile } from '@gantry/contract/pipelines/findings/coverage'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, countMatches } from '../../../db/list.ts'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'

export interface FileRow {
  file: string
  hit: string
  missed: string
}

/** Merges the lines of a report into those of the step's other reports: a line is covered if any of them says so. */
export const addLines = (db: Db, buildId: number, step: number, files: FileRow[]) =>
  sql`
    insert into build_coverage (build_id, step, file, hit, missed)
    select ${buildId}::int, ${step}::int, f.file, f.hit::int4multirange, f.missed::int4multirange
    from jsonb_to_recordset(${jsonb(files)}) as f(file text, hit text, missed text)
    on conflict (build_id, step, file) do update set
      hit = build_coverage.hit + excluded.hit,
      missed = (build_coverage.missed + excluded.missed) - (build_coverage.hit + excluded.hit)`.execute(db)

export interface Counts {
  lines: number
  covered: number
}

/** A build's files with each line once, whichever steps report it; with `step`, those of one step. */
const files = (db: Db, buildId: number, step?: number) =>
  db
    .selectFrom('build_coverage')
    .select('file')
    .select(sql<string>`range_agg(hit)`.as('hit'))
    .select(sql<string>`range_agg(missed) - range_agg(hit)`.as('missed'))
    .where('build_id', '=', buildId)
    .$if(step !== undefined, (q) => q.where('step', '=', step ?? 0))
    .groupBy('file')

/** Undefined if nothing was reported. */
export async function countLines(db: Db, buildId: number, step?: number): Promise<Counts | undefined> {
  const { covered, missed } = await db
    .selectFrom(files(db, buildId, step).as('file'))
    .select(sql<number | null>`sum(lines_of(hit))::int`.as('covered'))
    .select(sql<number | null>`sum(lines_of(missed))::int`.as('missed'))
    .executeTakeFirstOrThrow()
  return covered === null || missed === null ? undefined : { lines: covered + missed, covered }
}

/**
 * The last successful build with reports before this one: of the same branch, or of the target of a merge request. None
 * for a tag.
 */
export const buildBefore = (db: Db, buildId: number): Promise<{ id: number; number: number } | undefined> =>
  db
    .selectFrom('build')
    .innerJoin('build as now', 'now.pipeline_id', 'build.pipeline_id')
    .select(['build.id', 'build.number'])
    .where('now.id', '=', buildId)
    .where('now.tag', '=', '')
    .whereRef('build.number', '<', 'now.number')
    .where('build.state', '=', 'success')
    .where('build.tag', '=', '')
    .where('build.merge_request', 'is', null)
    .where(sql<boolean>`build.branch = coalesce(now.merge_request ->> 'target', now.branch)`)
    .where(sql<boolean>`exists (select from build_coverage where build_coverage.build_id = build.id)`)
    .orderBy('build.number', 'desc')
    .limit(1)
    .executeTakeFirst()

/** How many ranges of a file's missed lines are listed. */
const maxRanges = 100

/** The files of a build, with the most missed lines first. */
export async function listFiles(db: Db, buildId: number, keyword: string, at: Page): Promise<List<CoveredFile>> {
  const of = db
    .selectFrom(files(db, buildId).as('covered'))
    .$if(keyword !== '', (q) => q.where(anyContains(['covered.file'], keyword)))
  const items = await of
    .select('covered.file')
    .select(sql<number>`lines_of(hit) + lines_of(missed)`.as('lines'))
    .select(sql<number>`lines_of(hit)`.as('covered'))
    .select(
      sql<string>`(select coalesce(string_agg(case upper(r) - lower(r) when 1 then lower(r)::text
        else lower(r) || '-' || upper(r) - 1 end, ', ' order by lower(r)), '')
        from (select r from unnest(missed) as r order by r limit ${maxRanges}) as first)`.as('missed'),
    )
    .orderBy(sql`lines_of(missed)`, 'desc')
    .orderBy('covered.file')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

export const idOfBuild = async (db: Db, pipelineId: number, number: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom('build')
      .select('id')
      .where('pipeline_id', '=', pipelineId)
      .where('number', '=', number)
      .executeTakeFirst()
  )?.id
