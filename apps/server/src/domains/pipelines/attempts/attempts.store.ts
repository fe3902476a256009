import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** So many earlier attempts of a job are kept, the newest ones. */
const keptAttempts = 10

/**
 * Moves aside the logs, test reports, artifacts and images of ended attempts, except those of steps that passed and do
 * not run again. The caller has locked the jobs' rows. Coverage, scans, outputs, annotations and handed-on files exist
 * for the latest attempt only.
 */
export async function keepAttempts(db: Db, buildId: number, indices: number[], passed: number[]): Promise<void> {
  const ids = (
    await sql<{ id: number }>`
      insert into build_attempt (build_id, job, attempt, state, reason, agent_name, started_at, ended_at, tests)
      select build_id, index, attempt, state, reason, agent_name, started_at, ended_at, (
        select case when count(*) > 0 then
          jsonb_build_object('total', sum(total), 'failed', sum(failed), 'skipped', sum(skipped)) end
        from build_report where build_report.build_id = build_job.build_id and step in (
          select step.index from build_step as step where step.build_id = build_job.build_id and step.job = build_job.index))
      from build_job
      where build_id = ${buildId} and index = any(${indices}::int[]) and state in ('success', 'failed', 'aborted')
      returning id`.execute(db)
  ).rows.map(({ id }) => id)
  if (ids.length === 0) return
  /** Rows of the build's steps, each with the attempt that it now belongs to. */
  const rows = (table: string) => sql`${sql.table(table)} as own
    join build_step as step on step.build_id = own.build_id and step.index = own.step
    join build_attempt as kept on kept.build_id = step.build_id and kept.job = step.job
    where kept.id = any(${ids}::int[]) and step.index <> all(${passed}::int[])`
  await sql`
    insert into build_attempt_step (attempt_id, index, state, exit_code, reason, started_at, ended_at, log_bytes,
      log_lines, log_open, log_blob, image, passed_in)
    select kept.id, step.index, step.state, exit_code, step.reason, step.started_at, step.ended_at, log_bytes,
      log_lines, log_open, log_blob, to_jsonb(pushed), passed_in
    from build_attempt as kept
    join build_step as step on step.build_id = kept.build_id and step.job = kept.job
    left join build_image as pushed on pushed.build_id = step.build_id and pushed.step = step.index
    where kept.id = any(${ids}::int[]) and step.index <> all(${passed}::int[])`.execute(db)
  await sql`
    insert into build_attempt_log_chunk (attempt_id, step, start_byte, bytes, first_line, lines, times, data)
    select kept.id, own.step, start_byte, bytes, first_line, lines, times, data from ${rows('build_log_chunk')}`.execute(
    db,
  )
  await sql`
    insert into build_attempt_artifact (id, attempt_id, step, path, size, sha256, blob, created_at)
    select own.id, kept.id, own.step, path, size, sha256, blob, created_at from ${rows('build_artifact')}`.execute(db)
  await sql`
    insert into build_attempt_test_case (attempt_id, step, path, position, suite, name, state, seconds, message)
    select kept.id, own.step, path, position, suite, own.name, own.state, seconds, message
    from ${rows('build_test_case')}`.execute(db)
  await sql`
    with old as (
      select id from (
        select id, row_number() over (partition by job order by attempt desc) as place
        from build_attempt where build_id = ${buildId} and job = any(${indices}::int[])
      ) as placed where place > ${keptAttempts}
    ), forgotten as (
      insert into blob_garbage (key)
      select blob from ${keptBlobs} as kept join old on old.id = kept.attempt_id on conflict do nothing
    )
    delete from build_attempt where id in (select id from old)`.execute(db)
}

/** The blobs of kept attempts: logs and artifacts. */
export const keptBlobs = sql`(
  select attempt_id, log_blob as blob from build_attempt_step where log_blob is not null
  union all select attempt_id, blob from build_attempt_artifact)`

const ofBuild = (buildId: number) => sql`attempt_id in (select id from build_attempt where build_id = ${buildId})`

/** Removes the logs of a build's earlier attempts. */
export async function deleteKeptLogs(db: Db, buildId: number): Promise<void> {
  await sql`
    insert into blob_garbage (key)
    select log_blob from build_attempt_step where ${ofBuild(buildId)} and log_blob is not null
    on conflict do nothing`.execute(db)
  await sql`delete from build_attempt_log_chunk where ${ofBuild(buildId)}`.execute(db)
  await sql`
    update build_attempt_step set log_blob = null, log_bytes = 0, log_lines = 0, log_open = false
    where ${ofBuild(buildId)}`.execute(db)
}

/** Removes the artifacts of a build's earlier attempts; with `room`, the oldest until that many bytes are left. */
export const forgetKeptFiles = (db: Db, buildId: number, room = 0) =>
  sql`
    with gone as (
      delete from build_attempt_artifact where id in (
        select id from (
          select file.id, sum(size) over (order by kept.ended_at desc, kept.id desc, file.id desc) as with_newer
          from build_attempt_artifact as file join build_attempt as kept on kept.id = file.attempt_id
          where kept.build_id = ${buildId}
        ) as placed where with_newer > ${room}
      ) returning blob
    )
    insert into blob_garbage (key) select blob from gone on conflict do nothing`.execute(db)
