import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { forgetKeptFiles, deleteKeptLogs } from '../attempts/attempts.store.ts'

/** What is removed from a build: everything but its row, or only its logs or artifacts. */
export const parts = ['all', 'logs', 'artifacts'] as const
export type Part = (typeof parts)[number]

/** How many builds one statement selects. */
const portion = 200

const daysOf = (name: 'days' | 'logDays' | 'artifactDays') =>
  sql<number>`coalesce((pipeline.settings -> 'retention' ->> ${name})::int, 0)`

const older = (days: ReturnType<typeof daysOf>) =>
  sql<boolean>`(${days} > 0 and build.ended_at < now() - make_interval(days => ${days}))`

/** When a part of a build is due, if the build is neither emptied nor pinned. */
const dues: Record<Part, { where: ReturnType<typeof sql<boolean>>; applies: ReturnType<typeof sql<boolean>> }> = {
  all: {
    applies: sql<boolean>`(pipeline.keep_builds > 0 or ${daysOf('days')} > 0)`,
    where: sql<boolean>`(${older(daysOf('days'))} or (pipeline.keep_builds > 0 and (select count(*) from build as newer
      where newer.pipeline_id = build.pipeline_id and newer.number > build.number and newer.ended_at is not null
      and newer.emptied_at is null and not newer.pinned) >= pipeline.keep_builds))`,
  },
  logs: {
    applies: sql<boolean>`${daysOf('logDays')} > 0`,
    where: sql<boolean>`build.logs_removed_at is null and ${older(daysOf('logDays'))}`,
  },
  artifacts: {
    applies: sql<boolean>`${daysOf('artifactDays')} > 0`,
    where: sql<boolean>`build.artifacts_removed_at is null and ${older(daysOf('artifactDays'))}`,
  },
}

/** Ended builds of which this part is no longer kept, oldest first. */
export const dueBuilds = async (db: Db, part: Part, among?: number): Promise<number[]> =>
  (
    await db
      .selectFrom('build')
      .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
      .select('build.id')
      .where('build.ended_at', 'is not', null)
      .where('build.emptied_at', 'is', null)
      .where('build.pinned', '=', false)
      .where(dues[part].applies)
      .where(dues[part].where)
      .$if(among !== undefined, (q) => q.where('build.id', '=', among ?? 0))
      .orderBy('build.id')
      .limit(portion)
      .execute()
  ).map(({ id }) => id)

async function forgetLogs(db: Db, id: number): Promise<void> {
  await sql`insert into blob_garbage (key)
    select log_blob from build_step where build_id = ${id} and log_blob is not null on conflict do nothing`.execute(db)
  await deleteKeptLogs(db, id)
}

async function forgetFiles(db: Db, id: number): Promise<void> {
  await sql`insert into blob_garbage (key)
    select blob from build_artifact where build_id = ${id}
    union select blob from build_handed where build_id = ${id} on conflict do nothing`.execute(db)
  await forgetKeptFiles(db, id)
}

const removals: Record<Part, (db: Db, id: number) => Promise<unknown>> = {
  async all(db, id) {
    await forgetLogs(db, id)
    await forgetFiles(db, id)
    await db.deleteFrom('build_step').where('build_id', '=', id).execute()
    await db.deleteFrom('build_job').where('build_id', '=', id).execute()
    await db
      .updateTable('build')
      .set({ emptied_at: sql`now()` })
      .where('id', '=', id)
      .execute()
  },
  async logs(db, id) {
    await forgetLogs(db, id)
    await db.deleteFrom('build_log_chunk').where('build_id', '=', id).execute()
    await db
      .updateTable('build_step')
      .set({ log_blob: null, log_bytes: 0, log_lines: 0, log_open: false, log_style: '' })
      .where('build_id', '=', id)
      .execute()
    await db.updateTable('build_annotation').set({ log_line: null }).where('build_id', '=', id).execute()
    await db
      .updateTable('build')
      .set({ logs_removed_at: sql`now()` })
      .where('id', '=', id)
      .execute()
  },
  async artifacts(db, id) {
    await forgetFiles(db, id)
    await db.deleteFrom('build_artifact').where('build_id', '=', id).execute()
    await db.deleteFrom('build_handed').where('build_id', '=', id).execute()
    await db
      .updateTable('build')
      .set({ artifacts_removed_at: sql`now()` })
      .where('id', '=', id)
      .execute()
  },
}

/** Removes a part of a build whose row is locked. */
export const removePart = (db: Db, part: Part, id: number): Promise<unknown> => removals[part](db, id)

export const setPinned = (db: Db, id: number, pinned: boolean) =>
  db.updateTable('build').set({ pinned }).where('id', '=', id).execute()

export const isEmptied = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('build').select('emptied_at').where('id', '=', id).executeTakeFirst())?.emptied_at !== null
