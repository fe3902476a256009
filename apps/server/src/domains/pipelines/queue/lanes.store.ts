import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/**
 * Whether a build has begun and not ended. It begins when an agent takes the first of its jobs, and keeps its turn
 * until it ends, also while a job waits for an agent again or a person has to decide about a stage. A retry needs a new
 * turn. A build is `building` only while it has its turn.
 */
export const hasTurn = (build: string) =>
  sql<boolean>`(${sql.ref(`${build}.started_at`)} is not null and ${sql.ref(`${build}.ended_at`)} is null)`

const paused = sql`array(select id from pipeline where paused_at is not null)`

/** Whether another build that has not begun precedes this one: it is older, its jobs wait, and nothing pauses it. */
const isBefore = sql<boolean>`(other.started_at is null and other.state <> 'waiting' and other.id < own.id
  and other.pipeline_id <> all(${paused}))`

/**
 * Whether a job's build has begun or may begin. No build of a paused pipeline begins. A build that is exclusive in its
 * pipeline or lane begins only while no other has its turn, the oldest first. Two indexes refuse concurrent decisions
 * of two agents.
 */
export const mayBegin = (job: string) =>
  sql<boolean>`not exists (select from build as own
    where own.id = ${sql.ref(`${job}.build_id`)} and own.started_at is null and (own.pipeline_id = any(${paused})
      or (own.exclusive and exists (select from build as other
        where other.pipeline_id = own.pipeline_id and other.id <> own.id and other.ended_at is null
        and (${hasTurn('other')} or (other.exclusive and ${isBefore}))))
      or (own.lane is not null and exists (select from build as other
        where other.lane = own.lane and other.id <> own.id and other.ended_at is null
        and (${hasTurn('other')} or ${isBefore})))))`

/**
 * The older builds of the same branch or tag, or of the same merge request of a fork, that have not begun, oldest
 * first.
 */
export const olderBuilds = async (
  db: Db,
  pipelineId: number,
  { number, branch, tag, request }: { number: number; branch: string; tag: string; request: number | null },
): Promise<number[]> =>
  (
    await db
      .selectFrom('build')
      .select('id')
      .where('pipeline_id', '=', pipelineId)
      .where('number', '<', number)
      .where('branch', '=', branch)
      .where('tag', '=', tag)
      .where(
        sql<boolean>`case when (merge_request ->> 'fork')::boolean then (merge_request ->> 'number')::int end
        is not distinct from ${request}::int`,
      )
      .where('state', 'in', ['queued', 'waiting'])
      .where('started_at', 'is', null)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

/** Call it with the build's row locked. */
export const hasBegun = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('build').select('started_at').where('id', '=', id).executeTakeFirst())?.started_at !== null

/** `by`: null resumes the pipeline. */
export const setPause = (db: Db, pipelineId: number, by: { name: string; reason: string } | null) =>
  db
    .updateTable('pipeline')
    .set({
      paused_at: by === null ? null : sql`coalesce(paused_at, now())`,
      paused_by: by?.name ?? '',
      paused_reason: by?.reason ?? '',
    })
    .where('id', '=', pipelineId)
    .returning(['paused_at as at', 'paused_by as by', 'paused_reason as reason'])
    .executeTakeFirstOrThrow()

export const findPause = (db: Db, pipelineId: number) =>
  db
    .selectFrom('pipeline')
    .select(['paused_at as at', 'paused_by as by', 'paused_reason as reason'])
    .where('id', '=', pipelineId)
    .executeTakeFirstOrThrow()

/** The number and pipeline of the build that runs in a lane; undefined if none does. */
export const runningInLane = (db: Db, lane: string) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build.number', 'pipeline.name'])
    .where('lane', '=', lane)
    .where(hasTurn('build'))
    .executeTakeFirst()
