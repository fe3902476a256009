import { type Kysely, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import type { Mark } from './log-blob/time-index.ts'

type Db = Kysely<Tables>

export interface StepLog {
  buildId: number
  step: number
  stage: string
  name: string
  /** Which of the build's jobs it belongs to. */
  job: { name: string; matrix: unknown }
  state: string
  /** Bytes stored so far. */
  bytes: number
  /** Line ends so far, and whether an unfinished line follows them. */
  lines: number
  open: boolean
  blob: string | null
  buildState: string
}

const stepLogs = (db: Db) =>
  db
    .selectFrom('build_step')
    .innerJoin('build', 'build.id', 'build_step.build_id')
    // builds of before there were jobs have none
    .leftJoin('build_job', (join) =>
      join.onRef('build_job.build_id', '=', 'build_step.build_id').onRef('build_job.index', '=', 'build_step.job'),
    )
    .select(
      sql<StepLog['job']>`jsonb_build_object('name', coalesce(build_job.name, ''),
        'matrix', coalesce(build_job.matrix, '{}'))`.as('job'),
    )
    .select([
      'build_step.build_id as buildId',
      'build_step.index as step',
      'build_step.stage',
      'build_step.name',
      'build_step.state',
      'build_step.log_bytes as bytes',
      'build_step.log_lines as lines',
      'build_step.log_open as open',
      'build_step.log_blob as blob',
      'build.state as buildState',
    ])

export const logsOfBuild = (db: Db, buildId: number): Promise<StepLog[]> =>
  stepLogs(db).where('build_step.build_id', '=', buildId).orderBy('build_step.index').execute()

/** The logs of a build's steps in their order: of all, of a stage's or of one. */
export const logsOfNumber = (
  db: Db,
  pipelineId: number,
  number: number,
  { stage, step }: { stage?: string; step?: number | undefined } = {},
): Promise<StepLog[]> =>
  stepLogs(db)
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .$if(stage !== undefined, (q) => q.where('build_step.stage', '=', stage ?? ''))
    .$if(step !== undefined, (q) => q.where('build_step.index', '=', step ?? 0))
    .orderBy('build_step.index')
    .execute()

export interface LogEnd {
  bytes: number
  lines: number
  /** An unfinished line follows. */
  open: boolean
  /** The time in effect here, see Mark; null where none was reported. */
  time: number | null
}

/**
 * Commits this transaction without waiting for the disk: only for what its writer still has, and sends again if it is
 * lost.
 */
export const commitLazily = (db: Db): Promise<unknown> => sql`set local synchronous_commit = off`.execute(db)

/** The end of the log of a job's step, locked against concurrent appends. */
export const lockLogEnd = (
  db: Db,
  { buildId, index }: { buildId: number; index: number },
  step: number,
): Promise<LogEnd | undefined> =>
  db
    .selectFrom('build_step')
    .select(['log_bytes as bytes', 'log_lines as lines', 'log_open as open', 'log_time as time'])
    .where('build_id', '=', buildId)
    .where('job', '=', index)
    .where('index', '=', step)
    .forUpdate()
    .executeTakeFirst()

export interface Piece {
  startByte: number
  bytes: number
  firstLine: number
  lines: number
  /** The first is the time in effect at the beginning of the piece; empty where none was reported. */
  times: Mark[]
  data: Buffer
}

export async function appendPieces(db: Db, buildId: number, step: number, pieces: Piece[], end: LogEnd): Promise<void> {
  await db
    .insertInto('build_log_chunk')
    .values(
      pieces.map((piece) => ({
        build_id: buildId,
        step,
        start_byte: piece.startByte,
        bytes: piece.bytes,
        first_line: piece.firstLine,
        lines: piece.lines,
        times: piece.times.length === 0 ? null : jsonb(piece.times.map(({ line, at }) => [line, at])),
        data: piece.data,
      })),
    )
    .execute()
  await db
    .updateTable('build_step')
    .set({ log_bytes: end.bytes, log_lines: end.lines, log_open: end.open, log_time: end.time })
    .where('build_id', '=', buildId)
    .where('index', '=', step)
    .execute()
}

const pieces = (db: Db, buildId: number, step: number) =>
  db
    .selectFrom('build_log_chunk')
    .select(['start_byte as startByte', 'bytes', 'first_line as firstLine', 'lines', 'times', 'data'])
    .where('build_id', '=', buildId)
    .where('step', '=', step)
    .orderBy('start_byte')

const read = ({ times, ...row }: Awaited<ReturnType<ReturnType<typeof pieces>['executeTakeFirstOrThrow']>>): Piece => ({
  ...row,
  times: ((times ?? []) as [line: number, at: number][]).map(([line, at]) => ({ line, at })),
})

/** The piece in which a line begins: after the previous line end, so the last piece that contains that. */
export async function pieceOfLine(db: Db, buildId: number, step: number, line: number): Promise<Piece | undefined> {
  const row = await pieces(db, buildId, step)
    .where(sql<boolean>`first_line + lines >= ${line}`)
    .limit(1)
    .executeTakeFirst()
  return row && read(row)
}

/** Pieces read at once: an agent sends what arrived within a second, even a single line. */
const piecesAtOnce = 16

/** The next pieces; `ending`: only those in which a line ends. */
export const nextPieces = async (
  db: Db,
  buildId: number,
  step: number,
  fromByte: number,
  { ending = false } = {},
): Promise<Piece[]> =>
  (
    await pieces(db, buildId, step)
      .where('start_byte', '>=', fromByte)
      .$if(ending, (q) => q.where('lines', '>', 0))
      .limit(piecesAtOnce)
      .execute()
  ).map(read)

/**
 * Replaces the pieces of a log with its blob. False where another run was first, or where it is no longer this log: the
 * build was retried since.
 */
export async function replacePieces(
  db: Db,
  buildId: number,
  { step, bytes }: Pick<StepLog, 'step' | 'bytes'>,
  blob: string,
  lines: number,
): Promise<boolean> {
  const done = await db
    .updateTable('build_step')
    .from('build')
    .set({ log_blob: blob, log_lines: lines, log_open: false })
    .whereRef('build.id', '=', 'build_step.build_id')
    .where('build.ended_at', 'is not', null)
    .where('build_id', '=', buildId)
    .where('index', '=', step)
    .where('log_blob', 'is', null)
    .where('log_bytes', '=', bytes)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) return false
  await db.deleteFrom('build_log_chunk').where('build_id', '=', buildId).where('step', '=', step).execute()
  return true
}
