import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.gen.ts'

type Db = Kysely<Tables>

/** The builds of the same branch or tag that are older and have not begun, oldest first. */
export const olderBuilds = async (
  db: Db,
  pipelineId: number,
  { number, branch, tag }: { number: number; branch: string; tag: string },
): Promise<number[]> =>
  (
    await db
      .selectFrom('build')
      .select('id')
      .where('pipeline_id', '=', pipelineId)
      .where('number', '<', number)
      .where('branch', '=', branch)
      .where('tag', '=', tag)
      .where('state', 'in', ['queued', 'waiting'])
      .where('started_at', 'is', null)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

/** Of a build whose row is locked. */
export const hasBegun = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('build').select('started_at').where('id', '=', id).executeTakeFirst())?.started_at !== null

/** `by`: null lets builds begin again. */
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

/** The number and pipeline of a build that runs in a lane; undefined where none does. */
export const runningInLane = (db: Db, lane: string) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build.number', 'pipeline.name'])
    .where('lane', '=', lane)
    .where('started_at', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
