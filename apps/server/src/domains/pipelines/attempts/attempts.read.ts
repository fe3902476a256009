import type { BuildAttempt } from '@gantry/contract/pipelines/builds/attempts'
import type { Build } from '@gantry/contract/pipelines/builds'
import type { StepState } from '@gantry/contract/pipelines/states'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import type { Lang } from '../../../kernel/context.ts'
import { sayReason } from '../../../kernel/phrase.ts'
import { workspaceGone } from '../jobs/passed.ts'

/** An attempt of a build's job; `kept` is its id among attempts that were moved aside, null for the latest attempt. */
export interface JobAttempt {
  buildId: number
  job: number
  attempt: number
  kept: number | null
}

/**
 * Where the data of each step of an attempt is that was moved aside. The data of a step that passed serves later
 * attempts too, and is moved aside with the last of them; until then it is the build's, and `attempt_id` is null.
 */
export const placesOf = ({ buildId, job, attempt }: JobAttempt) => sql<{ step: number; attempt_id: number | null }>`(
  select step.index as step, (
    select own.attempt_id from build_attempt_step as own join build_attempt on build_attempt.id = own.attempt_id
    where build_attempt.build_id = step.build_id and build_attempt.job = step.job
      and build_attempt.attempt >= ${attempt} and own.index = step.index
    order by build_attempt.attempt limit 1) as attempt_id
  from build_step as step where step.build_id = ${buildId} and step.job = ${job})`

/** Whether a row that was moved aside belongs to the attempt. */
export const isAside = (of: JobAttempt, step: string) =>
  sql<boolean>`(${sql.ref(step)}, attempt_id) in (select step, attempt_id from ${placesOf(of)} as place)`

/** Whether a row of the build belongs to the attempt too: its step passed, so it was not moved aside. */
export const hasStayed = (of: JobAttempt, { buildId, step }: { buildId: string; step: string }) =>
  sql<boolean>`${sql.ref(buildId)} = ${of.buildId} and ${sql.ref(step)} in (
    select step from ${placesOf(of)} as place where attempt_id is null)`

export async function findAttempt(
  db: Db,
  pipelineId: number,
  number: number,
  { job, attempt }: { job: number; attempt: number },
): Promise<JobAttempt | undefined> {
  const row = await db
    .selectFrom('build_job')
    .innerJoin('build', 'build.id', 'build_job.build_id')
    .leftJoin('build_attempt', (join) =>
      join
        .onRef('build_attempt.build_id', '=', 'build_job.build_id')
        .onRef('build_attempt.job', '=', 'build_job.index')
        .on('build_attempt.attempt', '=', attempt),
    )
    .select(['build.id as buildId', 'build_job.attempt', 'build_attempt.id as kept'])
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .where('build_job.index', '=', job)
    .executeTakeFirst()
  if (!row || (row.kept === null && row.attempt !== attempt)) return undefined
  return { buildId: row.buildId, job, attempt, kept: row.kept }
}

/** The attempts of a build's jobs that can be read, ordered by job, the latest of each last. */
export async function attemptsOf(db: Db, lang: Lang, buildId: number): Promise<BuildAttempt[]> {
  const { rows } = await sql<Omit<BuildAttempt, 'message'> & { reason: unknown }>`
    select job, attempt, state, agent_name as "agentName", reason, started_at as "startedAt", ended_at as "endedAt",
      coalesce(reason ->> 'key' = ${workspaceGone}, false) as "startsOver"
    from build_attempt where build_id = ${buildId}
    union all
    -- one that waits to run again has its last attempt among those above
    select index, attempt, state, agent_name, reason, started_at, ended_at, false
    from build_job where build_id = ${buildId} and state in ('building', 'success', 'failed', 'aborted')
    order by job, attempt`.execute(db)
  return rows.map(({ reason, ...attempt }) => ({ ...attempt, message: sayReason(lang, reason) }))
}

/** The steps of an attempt that were moved aside; none for the latest attempt. */
export const keptSteps = (db: Db, of: JobAttempt) =>
  db
    .selectFrom('build_attempt_step')
    .select(['index', sql<StepState>`state`.as('state'), 'exit_code', 'reason', 'started_at', 'ended_at'])
    .select(['log_lines', 'log_open', 'passed_in'])
    .where(of.kept === null ? sql<boolean>`false` : isAside(of, 'index'))
    .execute()

/** The images pushed by an attempt that was moved aside. */
export async function keptImages(db: Db, of: JobAttempt): Promise<Build['images']> {
  const { rows } = await sql<Build['images'][number]>`
    select pushed.id, build.number as "buildNumber", step.name as step, pushed.image, pushed.tag, pushed.digest, pushed.size,
      pushed.created_at as "createdAt"
    from (
      select aside.* from build_attempt_step as own cross join jsonb_populate_record(null::build_image, own.image) as aside
      where own.image is not null and ${isAside(of, 'own.index')}
      union all
      select image.* from build_image as image where ${hasStayed(of, { buildId: 'image.build_id', step: 'image.step' })}
    ) as pushed
    join build on build.id = pushed.build_id
    join build_step as step on step.build_id = build.id and step.index = pushed.step
    order by pushed.step`.execute(db)
  return rows
}

/** The test totals and the number of artifacts of one attempt. */
export async function tallyOf(db: Db, of: JobAttempt): Promise<Pick<Build, 'tests' | 'artifactNum'>> {
  const { buildId, job, kept } = of
  const { rows } =
    kept === null
      ? await sql<Pick<Build, 'tests' | 'artifactNum'>>`
          with own as (select index from build_step where build_id = ${buildId} and job = ${job})
          select (select case when count(*) > 0 then
              jsonb_build_object('total', sum(total), 'failed', sum(failed), 'skipped', sum(skipped)) end
            from build_report where build_id = ${buildId} and step in (select index from own)) as tests,
          (select count(*) from build_artifact
            where build_id = ${buildId} and step in (select index from own)) as "artifactNum"`.execute(db)
      : await sql<Pick<Build, 'tests' | 'artifactNum'>>`
          select tests, (select count(*) from build_attempt_artifact where ${isAside(of, 'step')})
            + (select count(*) from build_artifact where ${hasStayed(of, { buildId: 'build_id', step: 'step' })}) as "artifactNum"
          from build_attempt where id = ${kept}`.execute(db)
  const [tally] = rows
  if (!tally) throw new Error(`attempt ${kept} of build ${buildId} has gone`)
  return tally
}
