import type { Work } from '@gantry/contract/agents/work'
import type { JobState } from '@gantry/contract/pipelines/states'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { keepAttempts } from '../attempts/attempts.store.ts'
import type { StoredReason } from '../builds/builds.store.ts'
import { type EndedStep, workspaceGone } from './passed.ts'
import { jobTitle } from './title.ts'

export interface JobRow {
  id: number
  /** Its position in the build. */
  index: number
  /** Empty for the job of plain stages. */
  name: string
  state: JobState
  attempt: number
  losses: number
  agentName: string
  reason: StoredReason | null
}

const columns = ['id', 'index', 'name', 'state', 'attempt', 'losses', 'agent_name as agentName', 'reason'] as const

/**
 * Locks the jobs of a build in this order. To prevent deadlocks, lock the jobs first, and then the build, before
 * changing several jobs or a build and its jobs.
 */
export const lockJobs = async (db: Db, buildId: number): Promise<JobRow[]> =>
  (
    await db
      .selectFrom('build_job')
      .select(columns)
      .where('build_id', '=', buildId)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  ).map((row) => ({ ...row, reason: row.reason as StoredReason | null }))

/** The jobs of a build in order, and whether each has handed files on. */
export const jobsOfBuild = (db: Db, buildId: number) =>
  db
    .selectFrom('build_job')
    .leftJoin('build_handed', (join) =>
      join.onRef('build_handed.build_id', '=', 'build_job.build_id').onRef('build_handed.job', '=', 'build_job.index'),
    )
    .select(['build_job.index', 'build_job.state', 'build_job.timeout_seconds as timeoutSeconds'])
    .select(sql<boolean>`build_handed.job is not null`.as('hands'))
    .where('build_job.build_id', '=', buildId)
    .orderBy('build_job.index')
    .execute()

/** Ends the attempt of a job: a running step gets the state `step`, a pending one becomes `not_built`. */
export async function endJob(
  db: Db,
  { buildId, index }: { buildId: number; index: number },
  end: { state: 'success' | 'failed' | 'aborted'; step: 'failed' | 'aborted'; reason: StoredReason | null },
): Promise<void> {
  const ended = await db
    .updateTable('build_job')
    .set({ state: end.state, ended_at: sql`now()`, lease_until: null, reason: end.reason && jsonb(end.reason) })
    .where('build_id', '=', buildId)
    .where('index', '=', index)
    .where('state', '=', 'building')
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) throw new Error(`job ${index} of build ${buildId} does not run`)
  await db
    .updateTable('build_step')
    .set({
      state: sql`case state when 'building' then ${end.step} else 'not_built' end`,
      ended_at: sql`case state when 'building' then now() end`,
    })
    .where('build_id', '=', buildId)
    .where('job', '=', index)
    .where('state', 'in', ['pending', 'building'])
    .execute()
}

export const queueJobs = (db: Db, buildId: number, indices: number[]) =>
  db
    .updateTable('build_job')
    .set({ state: 'queued', ready_at: sql`now()` })
    .where('build_id', '=', buildId)
    .where('index', 'in', indices)
    .where('state', '=', 'pending')
    .execute()

/** Marks jobs that will not run, and their steps, as `not_built`. */
export async function skipJobs(db: Db, buildId: number, indices: number[]): Promise<void> {
  await db
    .updateTable('build_job')
    .set({ state: 'not_built', ended_at: sql`now()` })
    .where('build_id', '=', buildId)
    .where('index', 'in', indices)
    .where('state', 'in', ['pending', 'queued'])
    .execute()
  await db
    .updateTable('build_step')
    .set({ state: 'not_built' })
    .where('build_id', '=', buildId)
    .where('job', 'in', indices)
    .where('state', '=', 'pending')
    .execute()
}

export interface Requeue {
  state: 'queued' | 'pending'
  losses?: number
  retriesLeft?: number
  /** Steps that keep their state and data. */
  passed?: number[]
}

/** What a step's attempt writes besides its own row. */
const dataOfSteps = [
  'build_log_chunk',
  'build_artifact',
  'build_image',
  'build_report',
  'build_coverage',
  'build_scan',
  'build_output',
  'build_annotation',
]

/**
 * Resets ended jobs as if they had never run, except for the `passed` steps; the data of their last attempts is moved
 * aside. The jobs keep their places in the queue.
 */
export async function repeatJobs(
  db: Db,
  buildId: number,
  indices: number[],
  { passed = [], ...again }: Requeue,
): Promise<void> {
  await keepAttempts(db, buildId, indices, passed)
  await db
    .updateTable('build_job')
    .set({
      state: again.state,
      ready_at: again.state === 'queued' ? sql`now()` : null,
      agent_id: null,
      agent_name: '',
      lease_until: null,
      started_at: null,
      ended_at: null,
      reason: null,
      ...(again.losses === undefined ? {} : { losses: again.losses }),
      ...(again.retriesLeft === undefined ? {} : { retries_left: again.retriesLeft }),
    })
    .where('build_id', '=', buildId)
    .where('index', 'in', indices)
    .execute()
  await sql`
    insert into blob_garbage (key)
    select blob from build_handed where build_id = ${buildId} and job = any(${indices}::int[])
    on conflict do nothing`.execute(db)
  const ofSteps = sql`build_id = ${buildId} and step in (select index from build_step
    where build_id = ${buildId} and job = any(${indices}::int[]) and index <> all(${passed}::int[]))`
  const deletions = dataOfSteps.map(
    (table) => sql`${sql.ref(`of_${table}`)} as (delete from ${sql.table(table)} where ${ofSteps})`,
  )
  await sql`with ${sql.join(deletions)} select`.execute(db)
  await db.deleteFrom('build_handed').where('build_id', '=', buildId).where('job', 'in', indices).execute()
  await db
    .updateTable('build_step')
    .set({
      state: 'pending',
      exit_code: null,
      reason: null,
      started_at: null,
      ended_at: null,
      log_bytes: 0,
      log_lines: 0,
      log_open: false,
      log_time: null,
      log_style: '',
      log_blob: null,
      passed_in: null,
    })
    .where('build_id', '=', buildId)
    .where('job', 'in', indices)
    .where(sql<boolean>`index <> all(${passed}::int[])`)
    .execute()
  await sql`
    update build_step set passed_in = coalesce(passed_in, job.attempt)
    from build_job as job
    where job.build_id = build_step.build_id and job.index = build_step.job
      and build_step.build_id = ${buildId} and build_step.job = any(${indices}::int[])
      and build_step.index = any(${passed}::int[])`.execute(db)
}

/** The steps of those jobs of a build that can resume at a later stage. */
export const stepsToResume = (db: Db, buildId: number): Promise<(EndedStep & { job: number })[]> =>
  db
    .selectFrom('build_step as step')
    .innerJoin('build_job', (join) =>
      join.onRef('build_job.build_id', '=', 'step.build_id').onRef('build_job.index', '=', 'step.job'),
    )
    .select(['step.index', 'step.job', 'step.stage_index as stageIndex', 'step.state', 'passed_in as passedIn'])
    .where('step.build_id', '=', buildId)
    .where('build_job.resume', 'is not', null)
    .orderBy('step.index')
    .execute()

/** Which steps of a job passed in an earlier attempt, and whether the last attempt found their workspace gone. */
export async function resumeOf(
  db: Db,
  buildId: number,
  job: number,
): Promise<Omit<NonNullable<Work['resume']>, 'workspace'>> {
  const { rows } = await sql<{ passed: number[]; gone: boolean }>`
    select array(select index from build_step where build_id = ${buildId} and job = ${job}
        and passed_in is not null and state in ('success', 'not_built') order by index) as passed,
      coalesce((select reason ->> 'key' = ${workspaceGone} from build_attempt
        where build_id = ${buildId} and job = ${job} order by attempt desc limit 1), false) as gone`.execute(db)
  return rows[0] ?? { passed: [], gone: false }
}

/** The exit code of the step that failed a job; null if it had none. */
export const failedCode = async (db: Db, buildId: number, job: number): Promise<number | null> =>
  (
    await db
      .selectFrom('build_step')
      .select('exit_code')
      .where('build_id', '=', buildId)
      .where('job', '=', job)
      .where('state', '=', 'failed')
      .orderBy('index')
      .limit(1)
      .executeTakeFirst()
  )?.exit_code ?? null

/**
 * The outputs of a build so far: by `job.step.KEY`, with the title of the job, and by `step.KEY`, where the last of
 * several steps with that name counts.
 */
export async function outputsOf(db: Db, buildId: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('build_output')
    .innerJoin('build_step', (join) =>
      join
        .onRef('build_step.build_id', '=', 'build_output.build_id')
        .onRef('build_step.index', '=', 'build_output.step'),
    )
    .innerJoin('build_job', (join) =>
      join.onRef('build_job.build_id', '=', 'build_step.build_id').onRef('build_job.index', '=', 'build_step.job'),
    )
    .select(['build_job.name as job', 'matrix', 'build_step.name as step', 'build_output.name', 'value'])
    .where('build_output.build_id', '=', buildId)
    .orderBy('build_step.index')
    .execute()
  const ofJobs = rows
    .filter(({ job }) => job !== '')
    .map(({ job, matrix, step, name, value }): [string, string] => [
      `${jobTitle({ name: job, matrix })}.${step}.${name}`,
      value,
    ])
  // a step's name may contain dots, so a long key may equal a short one, which takes precedence as before
  return new Map([...ofJobs, ...rows.map(({ step, name, value }): [string, string] => [`${step}.${name}`, value])])
}

export const putOutputs = (db: Db, buildId: number, step: number, values: [string, string][]) =>
  db
    .insertInto('build_output')
    .values(values.map(([name, value]) => ({ build_id: buildId, step, name, value })))
    .onConflict((c) =>
      c.columns(['build_id', 'step', 'name']).doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
    )
    .execute()
