import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { forgetBlob } from './blobs.store.ts'

export interface ArtifactRow {
  buildId: number
  step: number
  path: string
  size: number
  sha256: string
  blob: string
}

export async function putArtifact(db: Db, artifact: ArtifactRow): Promise<void> {
  const before = await db
    .deleteFrom('build_artifact')
    .where('build_id', '=', artifact.buildId)
    .where('path', '=', artifact.path)
    .returning('blob')
    .executeTakeFirst()
  if (before) await forgetBlob(db, before.blob)
  const { buildId, ...rest } = artifact
  await db
    .insertInto('build_artifact')
    .values({ ...rest, build_id: buildId })
    .execute()
}

/** The total bytes of a build's artifacts, without those of a path that is about to be replaced. */
export const artifactBytes = async (db: Db, buildId: number, replaced: string): Promise<number> =>
  (
    await db
      .selectFrom('build_artifact')
      .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
      .where('build_id', '=', buildId)
      .where('path', '<>', replaced)
      .executeTakeFirstOrThrow()
  ).bytes

/** The total bytes that a build's jobs hand on, without those of a job that is about to be replaced. */
export const handedBytes = async (db: Db, buildId: number, replaced: number): Promise<number> =>
  (
    await db
      .selectFrom('build_handed')
      .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
      .where('build_id', '=', buildId)
      .where('job', '<>', replaced)
      .executeTakeFirstOrThrow()
  ).bytes

export async function putHanded(
  db: Db,
  { buildId, job, size, blob }: { buildId: number; job: number; size: number; blob: string },
): Promise<void> {
  const before = await db
    .deleteFrom('build_handed')
    .where('build_id', '=', buildId)
    .where('job', '=', job)
    .returning('blob')
    .executeTakeFirst()
  if (before) await forgetBlob(db, before.blob)
  await db.insertInto('build_handed').values({ build_id: buildId, job, size, blob }).execute()
}

export const findHanded = (db: Db, buildId: number, job: number) =>
  db
    .selectFrom('build_handed')
    .select(['blob', 'size'])
    .where('build_id', '=', buildId)
    .where('job', '=', job)
    .executeTakeFirst()

export interface ReportRow {
  buildId: number
  step: number
  path: string
  total: number
  failed: number
  skipped: number
}

export interface CaseRow {
  suite: string
  name: string
  state: 'passed' | 'failed' | 'skipped' | 'error'
  seconds: number | null
  message: string
}

export async function putReport(db: Db, report: ReportRow, cases: CaseRow[]): Promise<void> {
  const { buildId, ...rest } = report
  await db
    .deleteFrom('build_report')
    .where('build_id', '=', buildId)
    .where('step', '=', report.step)
    .where('path', '=', report.path)
    .execute()
  await db
    .insertInto('build_report')
    .values({ ...rest, build_id: buildId })
    .execute()
  if (cases.length === 0) return
  const rows = cases.map(({ suite, name, state, seconds, message }, position) => ({
    position,
    suite,
    name,
    state,
    seconds,
    message,
  }))
  // one parameter for all of them: a statement takes at most 65,535
  await sql`
    insert into build_test_case (build_id, step, path, position, suite, name, state, seconds, message)
    select ${buildId}::int, ${report.step}::int, ${report.path}::text, c.position, c.suite, c.name, c.state, c.seconds, c.message
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as c(position int, suite text, name text, state text, seconds double precision, message text)`.execute(db)
}
