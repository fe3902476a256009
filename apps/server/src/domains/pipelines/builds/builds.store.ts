import type { Definition, Step } from '@gantry/contract/pipelines/definition'
import { PipelineDocument } from '@gantry/contract/pipelines/pipelines'
import { type BuildState, isEnded, type JobState } from '@gantry/contract/pipelines/states'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../../db/json.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import type { Actor } from '../../../kernel/context.ts'
import { activeStatuses } from '../../../identity/sessions.ts'
import { planOf, type PlannedJob } from '../jobs/plan.ts'
import { buildStatesBefore } from './states.ts'

type Db = Kysely<Tables>

export interface MergeRequest {
  number: number
  /** The branch that is to be merged, and the one into which. */
  source: string
  target: string
  /** The source is in another repository, whose people need not be trusted. */
  fork: boolean
}

export interface NewBuild {
  pipelineId: number
  /** The revision of its pipeline. */
  revision: number
  teamId: number
  cause: string
  userCause: string
  /** Null where no user triggered it. */
  userId: number | null
  /** The API token that the user used. */
  token: { alias: string; permissions: string[] } | null
  byAdmin: boolean
  branch: string
  tag: string
  /** Empty: the first checkout decides. */
  commit: string
  mergeRequest: MergeRequest | null
  image: string
  /** Null where nobody knows what changed. */
  changedPaths: string[] | null
  /** By their names; those of secrets are sealed. */
  parameters: Record<string, string>
  secretParameters: string[]
  definition: Definition
  state: BuildState
  jobs: { plan: PlannedJob; state: JobState }[]
  timeoutSeconds: number
  agentLabels: string[]
  exclusive: boolean
  idempotencyKey: string | null
}

export interface Queued {
  id: number
  number: number
}

export const findByKey = (db: Db, pipelineId: number, key: string): Promise<Queued | undefined> =>
  db
    .selectFrom('build')
    .select(['id', 'number'])
    .where('pipeline_id', '=', pipelineId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** Increments the pipeline's build number and inserts a build with its jobs and steps, in one statement and so one round trip. */
export async function insertBuild(db: Db, build: NewBuild): Promise<Queued> {
  const jobs = build.jobs.map(({ plan, state }) => ({
    name: plan.name,
    matrix: plan.matrix,
    state,
    labels: [...new Set([...build.agentLabels, ...plan.labels])],
    os_type: plan.osType,
    executor: plan.executor,
    timeout_seconds: plan.timeoutMinutes === undefined ? build.timeoutSeconds : plan.timeoutMinutes * 60,
    retries_left: plan.retries.count,
  }))
  const steps = build.jobs.flatMap(({ plan, state }, job) =>
    plan.steps.map(({ stage, stageIndex, step }) => ({
      job,
      stage,
      stage_index: stageIndex,
      name: step.name,
      type: step.type,
      state: state === 'not_built' ? state : 'pending',
    })),
  )
  const { rows } = await sql<Queued>`
    with numbered as (
      update pipeline set next_number = next_number + 1 where id = ${build.pipelineId} returning next_number - 1 as number
    ), queued as (
      insert into build (pipeline_id, team_id, number, state, ended_at, cause, user_cause, user_id, token_alias,
        token_permissions, by_admin, revision, branch, tag, commit, merge_request, image, changed_paths, parameters,
        secret_parameters, definition, timeout_seconds, agent_labels, exclusive, idempotency_key)
      select ${build.pipelineId}::int, ${build.teamId}::int, number, ${build.state}::text,
        case when ${isEnded(build.state)}::boolean then now() end, ${build.cause}::text, ${build.userCause}::text,
        ${build.userId}::int, ${build.token?.alias ?? null}::text, ${build.token?.permissions ?? null}::text[],
        ${build.byAdmin}::boolean,
        (select revision from pipeline_revision where pipeline_id = ${build.pipelineId} and revision = ${build.revision}),
        ${build.branch}::text, ${build.tag}::text, ${build.commit}::text,
        ${build.mergeRequest && jsonb(build.mergeRequest)}, ${build.image}::text, ${build.changedPaths}::text[],
        ${jsonb(build.parameters)}, ${build.secretParameters}::text[], ${jsonb(build.definition)}, ${build.timeoutSeconds}::int,
        ${build.agentLabels}::text[], ${build.exclusive}::boolean, ${build.idempotencyKey}::text
      from numbered
      returning id, number, queued_at, pipeline_id, team_id, by_admin
    ), jobs as (
      insert into build_job (build_id, index, name, matrix, pipeline_id, team_id, by_admin, queued_at, state, ended_at,
        labels, os_type, executor, timeout_seconds, retries_left)
      select queued.id, (job.ordinality - 1)::int, job.value ->> 'name', job.value -> 'matrix', pipeline_id, team_id,
        by_admin, queued_at, job.value ->> 'state', case when job.value ->> 'state' = 'not_built' then queued_at end,
        array(select jsonb_array_elements_text(job.value -> 'labels')), job.value ->> 'os_type',
        job.value ->> 'executor', (job.value ->> 'timeout_seconds')::int, (job.value ->> 'retries_left')::int
      from queued, jsonb_array_elements(${jsonb(jobs)}) with ordinality as job
    ), stepped as (
      insert into build_step (build_id, index, job, stage, stage_index, name, type, state)
      select queued.id, step.ordinality - 1, (step.value ->> 'job')::int, step.value ->> 'stage',
        (step.value ->> 'stage_index')::int, step.value ->> 'name', step.value ->> 'type', step.value ->> 'state'
      from queued, jsonb_array_elements(${jsonb(steps)}) with ordinality as step
    )
    select id, number from queued`.execute(db)
  const queued = rows[0]
  if (!queued) throw new Error(`pipeline ${build.pipelineId} is gone`)
  return queued
}

export const countQueued = async (db: Db, teamId: number): Promise<number> =>
  (
    await db
      .selectFrom('build')
      .where('team_id', '=', teamId)
      .where('state', '=', 'queued')
      .select((n) => n.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

export interface BuildRow {
  id: number
  pipelineId: number
  teamId: number
  number: number
  state: BuildState
  attempt: number
  cancelled: boolean
}

/** The states of builds that still go on. */
const unended: BuildState[] = ['queued', 'building', 'waiting']

const rowColumns = [
  'id',
  'pipeline_id as pipelineId',
  'team_id as teamId',
  'number',
  'state',
  'attempt',
  'cancelled',
] as const

/** A build of a pipeline by its number. */
export const findBuild = (db: Db, pipelineId: number, number: number): Promise<BuildRow | undefined> =>
  db
    .selectFrom('build')
    .select(rowColumns)
    .where('pipeline_id', '=', pipelineId)
    .where('number', '=', number)
    .executeTakeFirst()

export const findBuildById = (db: Db, id: number): Promise<BuildRow | undefined> =>
  db.selectFrom('build').select(rowColumns).where('id', '=', id).executeTakeFirst()

/** Locks a build until the transaction ends; its jobs, see lockJobs, are locked before. */
export const lockBuildById = (db: Db, id: number): Promise<BuildRow | undefined> =>
  db.selectFrom('build').select(rowColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The stored reason of a build or a step: a phrase and its values. */
export interface StoredReason {
  key: string
  vars: Record<string, string | number>
}

/** Ends a build whose jobs have all ended. Without a reason the stored one stays, which names who stopped it. */
export async function endBuild(db: Db, id: number, state: BuildState, reason?: StoredReason | null): Promise<void> {
  const ended = await db
    .updateTable('build')
    .set({ state, ended_at: sql`now()`, ...(reason === undefined ? {} : { reason: reason && jsonb(reason) }) })
    .where('id', '=', id)
    .where('state', 'in', buildStatesBefore(state))
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) throw new Error(`build ${id} cannot end as ${state}`)
}

export async function setBuildState(db: Db, id: number, state: BuildState): Promise<void> {
  const set = await db
    .updateTable('build')
    .set({ state })
    .where('id', '=', id)
    .where('state', 'in', buildStatesBefore(state))
    .executeTakeFirst()
  if (set.numUpdatedRows === 0n) throw new Error(`build ${id} cannot become ${state}`)
}

/**
 * A build that has just ended, for its notification. `byProgram`: an API token, a schedule or a hook triggered it;
 * `ownStop`: whoever triggered it stopped it.
 */
export const endedBuild = (db: Db, id: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build.number', 'build.team_id as teamId', 'build.user_id as userId'])
    .select(['pipeline.id as pipelineId', 'pipeline.name as pipeline', 'pipeline.group_id as groupId'])
    .select([
      sql<boolean>`build.token_alias is not null or build.cause not in ('manual', 'params', 'sample')`.as('byProgram'),
      sql<boolean>`coalesce(build.reason -> 'vars' ->> 'name' = build.user_cause, false)`.as('ownStop'),
    ])
    .where('build.id', '=', id)
    .executeTakeFirstOrThrow()

export const setReason = (db: Db, id: number, reason: StoredReason) =>
  db
    .updateTable('build')
    .set({ reason: jsonb(reason) })
    .where('id', '=', id)
    .execute()

/** Values that were entered later take the place of those of the trigger; secret ones are sealed. */
export const setParameters = (db: Db, id: number, parameters: Record<string, string>, secrets: string[]) =>
  db
    .updateTable('build')
    .set({
      parameters: sql`parameters || ${jsonb(parameters)}`,
      secret_parameters: sql`array(select distinct unnest(secret_parameters || ${secrets}::text[]))`,
    })
    .where('id', '=', id)
    .execute()

/** An ended build goes on, for somebody else perhaps. */
export async function reopenBuild(
  db: Db,
  id: number,
  by: Pick<NewBuild, 'userCause' | 'userId' | 'token' | 'byAdmin'>,
): Promise<void> {
  await db
    .updateTable('build')
    .set({
      state: 'queued',
      // so that a pipeline that runs one build at a time waits for its turn again
      started_at: null,
      ended_at: null,
      cancelled: false,
      reason: null,
      user_cause: by.userCause,
      user_id: by.userId,
      token_alias: by.token?.alias ?? null,
      token_permissions: by.token?.permissions ?? null,
      by_admin: by.byAdmin,
    })
    .where('id', '=', id)
    .execute()
  await db.updateTable('build_job').set({ by_admin: by.byAdmin }).where('build_id', '=', id).execute()
}

const Parameters = z.record(z.string(), z.string())

/**
 * The parts of the pipeline's document that a build takes from its revision. Secrets and the repository are the
 * pipeline's present ones.
 */
const Built = z.object(
  PipelineDocument.omit({ appId: true, projectName: true, repository: true, variables: true }).shape,
)

/**
 * The builds, each with its pipeline's document of the time it was triggered. Where no revision is known, the row has
 * the stages.
 */
const built = (db: Db) =>
  db
    .selectFrom('build')
    .leftJoin('pipeline_revision', (join) =>
      join
        .onRef('pipeline_revision.pipeline_id', '=', 'build.pipeline_id')
        .onRef('pipeline_revision.revision', '=', 'build.revision'),
    )
    .select(
      sql`coalesce(pipeline_revision.document, jsonb_build_object('definition', build.definition))`.as('document'),
    )

/** What an agent is given with a build, as of the time it was triggered. */
export async function buildToRun(db: Db, id: number) {
  const { document, parameters, ...row } = await built(db)
    .select([
      'build.parameters',
      'build.secret_parameters as secretParameters',
      'build.branch',
      'build.tag',
      'build.commit',
      'build.cause',
      'build.image',
    ])
    .select(['build.changed_paths as changedPaths', 'build.timeout_seconds as timeoutSeconds'])
    .where('build.id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, document: Built.parse(document), parameters: Parameters.parse(parameters) }
}

export const requestCancel = (db: Db, id: number, reason: StoredReason) =>
  db
    .updateTable('build')
    .set({ cancelled: true, reason: jsonb(reason) })
    .where('id', '=', id)
    .execute()

/** The numbers of the builds that have not ended. */
export const runningBuilds = async (db: Db, pipelineId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('build')
      .select('number')
      .where('pipeline_id', '=', pipelineId)
      .where('state', 'in', unended)
      .orderBy('number')
      .execute()
  ).map((row) => row.number)

/** Records the blobs of builds that are about to be deleted, so that a job can remove them from the store. */
async function noteBlobs(db: Db, ids: { pipelineId: number; builds?: number[] }): Promise<void> {
  const of = sql`build.pipeline_id = ${ids.pipelineId} ${ids.builds ? sql`and build.id = any(${ids.builds}::int[])` : sql``}`
  await sql`
    insert into blob_garbage (key)
    select log_blob from build_step join build on build.id = build_step.build_id where log_blob is not null and ${of}
    union
    select blob from build_artifact join build on build.id = build_artifact.build_id where ${of}
    union
    select blob from build_handed join build on build.id = build_handed.build_id where ${of}
    on conflict do nothing`.execute(db)
}

/** Deletes builds with their logs, artifacts and reports; without `builds` all of the pipeline. */
export async function discardBuilds(db: Db, pipelineId: number, builds?: number[]): Promise<void> {
  await noteBlobs(db, { pipelineId, ...(builds ? { builds } : {}) })
  await db
    .deleteFrom('build')
    .where('pipeline_id', '=', pipelineId)
    .$if(builds !== undefined, (q) => q.where('id', 'in', builds ?? []))
    .execute()
}

/** Locks builds of a pipeline by their numbers. */
export const lockBuilds = (db: Db, pipelineId: number, numbers: number[]): Promise<BuildRow[]> =>
  db
    .selectFrom('build')
    .select(rowColumns)
    .where('pipeline_id', '=', pipelineId)
    .where('number', 'in', numbers)
    .orderBy('number')
    .forUpdate()
    .execute()

/** The builds of these users that go on. */
export const unendedBuildsOf = (db: Db, userIds: number[]): Promise<BuildRow[]> =>
  db
    .selectFrom('build')
    .select(rowColumns)
    .where('user_id', 'in', userIds)
    .where('state', 'in', unended)
    .where('cancelled', '=', false)
    .orderBy('id')
    .execute()

/** Ended builds beyond the newest `keep`. */
export const surplusBuilds = async (db: Db, pipelineId: number, keep: number): Promise<number[]> =>
  (
    await db
      .selectFrom('build')
      .select('id')
      .where('pipeline_id', '=', pipelineId)
      .where('state', 'in', ['success', 'failed', 'aborted'])
      .orderBy('number', 'desc')
      .offset(keep)
      .limit(1000)
      .execute()
  ).map((row) => row.id)

/** A step of a build as it was defined when the build was triggered. */
export async function stepOfBuild(db: Db, buildId: number, index: number): Promise<Step | undefined> {
  const row = await built(db).where('build.id', '=', buildId).executeTakeFirst()
  return row && planOf(Built.parse(row.document).definition).flatMap(({ steps }) => steps)[index]?.step
}

/** The images that the build has pushed so far, newest last. */
export const imagesOfBuild = (db: Db, buildId: number) =>
  db
    .selectFrom('build_image')
    .innerJoin('build_step', (join) =>
      join.onRef('build_step.build_id', '=', 'build_image.build_id').onRef('build_step.index', '=', 'build_image.step'),
    )
    .select(['build_step.name as step', 'image', 'tag', 'digest', 'registry_id as registryId'])
    .where('build_image.build_id', '=', buildId)
    .orderBy('build_image.step')
    .execute()

/** The user who triggered a build or saved its trigger, with their present account; null where they are no more. */
export async function triggererOf(db: Db, buildId: number): Promise<{ name: string; actor: Actor | null }> {
  const row = await db
    .selectFrom('build')
    .leftJoin('account', (join) =>
      join.onRef('account.id', '=', 'build.user_id').on('account.status', 'in', activeStatuses),
    )
    .select(['cause', 'user_cause as name', 'build.team_id as teamId', 'account.id', 'account.admin'])
    .select(['token_alias as alias', 'token_permissions as permissions'])
    .where('build.id', '=', buildId)
    .executeTakeFirstOrThrow()
  const { id, name, teamId, alias, permissions } = row
  // the product triggers its own sample
  if (id === null) return { name, actor: row.cause === 'sample' ? { kind: 'system', id: 0, name, admin: false } : null }
  if (alias === null) return { name, actor: { kind: 'user', id, name, admin: row.admin === true } }
  const limit = { kind: 'token', teamId, alias, permissions: new Set(permissions) } as const
  return { name, actor: { kind: 'user', id, name, admin: false, limit } }
}
