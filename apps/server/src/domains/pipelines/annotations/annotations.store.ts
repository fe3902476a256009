import type { Annotation } from '@gantry/contract/pipelines/findings/annotations'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, countMatches } from '../../../db/list.ts'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import type { Found } from './lines.ts'

/** At most this many annotations are kept for a step's log or a report: a log of 100,000 warnings helps nobody. */
export const keptAnnotations = 500

/** Where annotations come from: a step's log, or the report at this path. */
export interface Source {
  buildId: number
  step: number
  /** Empty for the log. */
  report: string
}

/** Stores the annotations of a log or a report, in place of its earlier ones. */
export async function putAnnotations(
  db: Db,
  { buildId, step, report }: Source,
  found: readonly (Found & { logLine: number | null })[],
): Promise<void> {
  await db
    .deleteFrom('build_annotation')
    .where('build_id', '=', buildId)
    .where('step', '=', step)
    .where('report', '=', report)
    .execute()
  if (found.length === 0) return
  const rows = found.slice(0, keptAnnotations).map(({ logLine, ...one }) => ({ ...one, log_line: logLine }))
  await sql`
    insert into build_annotation (build_id, step, report, level, file, line, "column", message, log_line)
    select ${buildId}::int, ${step}::int, ${report}::text, a.level, a.file, a.line, a."column", a.message, a.log_line
    from jsonb_to_recordset(${jsonb(rows)})
      as a(level text, file text, line int, "column" int, message text, log_line int)`.execute(db)
}

/** Errors first, then by file and line. */
export async function listAnnotations(
  db: Db,
  pipelineId: number,
  number: number,
  filter: { level: string; keyword: string },
  at: Page,
): Promise<List<Annotation>> {
  const of = db
    .selectFrom('build_annotation')
    .innerJoin('build', 'build.id', 'build_annotation.build_id')
    .innerJoin('build_step', (join) =>
      join
        .onRef('build_step.build_id', '=', 'build_annotation.build_id')
        .onRef('build_step.index', '=', 'build_annotation.step'),
    )
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .$if(filter.level !== '' && filter.level !== 'all', (q) =>
      q.where(sql<boolean>`build_annotation.level = ${filter.level}`),
    )
    .$if(filter.keyword !== '', (q) =>
      q.where(anyContains(['build_annotation.file', 'build_annotation.message'], filter.keyword)),
    )
  const items = await of
    .select(['build_annotation.id', 'level', 'file', 'line', 'column', 'message', 'log_line as logLine'])
    .select(['build_annotation.step', 'build_step.name as stepName'])
    .orderBy(sql`array_position(array['error', 'warning', 'notice'], level)`)
    .orderBy('file')
    .orderBy('line')
    .orderBy('build_annotation.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}
