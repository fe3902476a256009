import { deployTypes } from '@gantry/contract/pipelines/definition'
import type { BuildState } from '@gantry/contract/pipelines/states'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { keptBlobs } from '../attempts/attempts.store.ts'
import { hasTurn } from '../queue/lanes.store.ts'
import type { NewBuild } from './insert.store.ts'
import { buildStatesBefore } from './states.ts'

export interface BuildRow {
  id: number
  pipelineId: number
  teamId: number
  number: number
  state: BuildState
  attempt: number
  /** See `hasTurn` in lanes.store.ts. */
  hasTurn: boolean
  cancelled: boolean
  pinned: boolean
  /** The user who triggered it or saved its trigger. */
  userId: number | null
  /** Other users who caused it: see requestersOf. */
  requesters: number[]
}

/** The states of builds that have not ended. */
const unended: BuildState[] = ['queued', 'building', 'waiting']

const rowColumns = [
  'id',
  'pipeline_id as pipelineId',
  'team_id as teamId',
  'number',
  'state',
  'attempt',
  hasTurn('build').as('hasTurn'),
  'cancelled',
  'pinned',
  'user_id as userId',
  'requesters',
] as const

/** Whom a build acts for: who retried it last, else who triggered it or saved its trigger. Null if deleted. */
export const actsFor = sql<
  number | null
>`case when build.retried_by is null then build.user_id else build.retried_by_id end`

/** The name of that user at that time. */
export const actsForName = sql<string>`coalesce(build.retried_by, build.user_cause)`

export const findBuild = (db: Db, pipelineId: number, number: number): Promise<BuildRow | undefined> =>
  db
    .selectFrom('build')
    .select(rowColumns)
    .where('pipeline_id', '=', pipelineId)
    .where('number', '=', number)
    .executeTakeFirst()

export const findBuildById = (db: Db, id: number): Promise<BuildRow | undefined> =>
  db.selectFrom('build').select(rowColumns).where('id', '=', id).executeTakeFirst()

/** Locks a build until the transaction ends. Lock its jobs before (see lockJobs). */
export const lockBuildById = (db: Db, id: number): Promise<BuildRow | undefined> =>
  db.selectFrom('build').select(rowColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The stored reason of a build or a step: a phrase and its values. */
export interface StoredReason {
  key: string
  vars: Record<string, string | number>
}

/** The outcome of a build's deploy steps, for reports; null if none has ended. */
const deployment = sql<'success' | 'failed' | null>`(
  select case when bool_or(state = 'failed') then 'failed' when count(*) > 0 then 'success' end
  from build_step where build_id = build.id and type = any(${[...deployTypes]}::text[]) and state in ('success', 'failed'))`

/** Ends a build whose jobs have all ended. Without a reason the stored one stays, for example who stopped the build. */
export async function endBuild(db: Db, id: number, state: BuildState, reason?: StoredReason | null): Promise<void> {
  const ended = await db
    .updateTable('build')
    .set({
      state,
      ended_at: sql`now()`,
      deployment,
      ...(reason === undefined ? {} : { reason: reason && jsonb(reason) }),
    })
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
 * A build that has just ended, for its notification. `byProgram`: an API token, a schedule or a webhook triggered it;
 * `ownStop`: the user whom it acts for stopped it.
 */
export const endedBuild = (db: Db, id: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build.number', 'build.team_id as teamId', actsFor.as('userId')])
    .select(['pipeline.id as pipelineId', 'pipeline.name as pipeline', 'pipeline.group_id as groupId'])
    .select([
      sql<boolean>`build.token_alias is not null or build.cause not in ('manual', 'params', 'sample')`.as('byProgram'),
      sql<boolean>`coalesce(build.reason -> 'vars' ->> 'name' = ${actsForName}, false)`.as('ownStop'),
    ])
    .where('build.id', '=', id)
    .executeTakeFirstOrThrow()

export const setReason = (db: Db, id: number, reason: StoredReason) =>
  db
    .updateTable('build')
    .set({ reason: jsonb(reason) })
    .where('id', '=', id)
    .execute()

/** Merges values that were entered later into those of the trigger; secret ones are sealed. */
export const setParameters = (db: Db, id: number, parameters: Record<string, string>, secrets: string[]) =>
  db
    .updateTable('build')
    .set({
      parameters: sql`parameters || ${jsonb(parameters)}`,
      secret_parameters: sql`array(select distinct unnest(secret_parameters || ${secrets}::text[]))`,
    })
    .where('id', '=', id)
    .execute()

/** Reopens an ended build, possibly for another user; the user who triggered it stays recorded. */
export async function reopenBuild(
  db: Db,
  id: number,
  state: 'queued' | 'waiting',
  by: Pick<NewBuild, 'userCause' | 'userId' | 'token' | 'byAdmin'>,
): Promise<void> {
  await db
    .updateTable('build')
    .set({
      state,
      earlier_seconds: sql`earlier_seconds + coalesce(extract(epoch from ended_at - started_at), 0)`,
      first_started_at: sql`coalesce(first_started_at, started_at)`,
      // so that an exclusive pipeline's build waits for its turn again
      started_at: null,
      ended_at: null,
      cancelled: false,
      reason: null,
      retried_by: by.userCause,
      retried_by_id: by.userId,
      ...(by.userId !== null && {
        requesters: sql`array_append(array_remove(requesters, ${by.userId}), ${by.userId})`,
      }),
      token_alias: by.token?.alias ?? null,
      token_permissions: by.token?.permissions ?? null,
      by_admin: by.byAdmin,
    })
    .where('id', '=', id)
    .execute()
  await db.updateTable('build_job').set({ by_admin: by.byAdmin }).where('build_id', '=', id).execute()
}

export const requestCancel = (db: Db, id: number, reason: StoredReason) =>
  db
    .updateTable('build')
    .set({ cancelled: true, reason: jsonb(reason) })
    .where('id', '=', id)
    .execute()

/** The numbers of a pipeline's unended builds. */
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
    union
    select blob from ${keptBlobs} as kept join build_attempt on build_attempt.id = kept.attempt_id
      join build on build.id = build_attempt.build_id where ${of}
    union
    select blob from pipeline_cache where pipeline_id = ${ids.pipelineId} and ${ids.builds === undefined}::boolean
    on conflict do nothing`.execute(db)
}

/** Deletes builds with their logs, artifacts and reports; without `builds` all of the pipeline, and its caches. */
export async function discardBuilds(db: Db, pipelineId: number, builds?: number[]): Promise<void> {
  await noteBlobs(db, { pipelineId, ...(builds ? { builds } : {}) })
  await db
    .deleteFrom('build')
    .where('pipeline_id', '=', pipelineId)
    .$if(builds !== undefined, (q) => q.where('id', 'in', builds ?? []))
    .execute()
  if (!builds) await db.deleteFrom('pipeline_cache').where('pipeline_id', '=', pipelineId).execute()
}

/**
 * Locks builds of a pipeline, those with these numbers or all. Locks their jobs before them, in the same order as
 * changes of a single build do: see lockJobs.
 */
export async function lockBuilds(db: Db, pipelineId: number, numbers?: number[]): Promise<BuildRow[]> {
  const wanted = db
    .selectFrom('build')
    .where('pipeline_id', '=', pipelineId)
    .$if(numbers !== undefined, (q) => q.where('number', 'in', numbers ?? []))
  await db
    .selectFrom('build_job')
    .select('id')
    .where('build_id', 'in', wanted.select('id'))
    .orderBy('build_id')
    .orderBy('id')
    .forUpdate()
    .execute()
  return wanted.select(rowColumns).orderBy('id').forUpdate().execute()
}

/** The unended builds that act for these users. */
export const unendedBuildsOf = (db: Db, userIds: number[]): Promise<BuildRow[]> =>
  db
    .selectFrom('build')
    .select(rowColumns)
    .where(actsFor, 'in', userIds)
    .where('state', 'in', unended)
    .where('cancelled', '=', false)
    .orderBy('id')
    .execute()
