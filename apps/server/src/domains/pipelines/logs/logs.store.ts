import type { BuildState, StepState } from '@gantry/contract/pipelines/states'
import { type AliasedExpression, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db, Tables } from '../../../db/tables.gen.ts'
import { hasStayed, isAside, type JobAttempt } from '../attempts/attempts.read.ts'
import type { TimeMark } from './log-blob/time-index.ts'

/** Identifies a log: of a step's latest attempt, or of an attempt that was moved aside. */
export interface LogKey {
  buildId: number
  step: number
  /** The id of the attempt that was moved aside; null for the latest. */
  kept: number | null
}

export interface StepLog extends LogKey {
  stage: string
  name: string
  /** The build's job that it belongs to. */
  job: { name: string; matrix: unknown }
  state: StepState
  /** Bytes stored so far. */
  bytes: number
  /** The number of line ends so far, and whether an unfinished line follows. */
  lines: number
  open: boolean
  blob: string | null
  buildState: BuildState
}

const columns = ['log_bytes', 'log_lines', 'log_open', 'log_blob'] as const
type Own = Pick<Selectable<Tables['build_step']>, 'build_id' | 'index' | 'state' | (typeof columns)[number]> &
  Pick<LogKey, 'kept'>

const latest = (db: Db): SelectQueryBuilder<Tables, 'build_step', Own> =>
  db
    .selectFrom('build_step')
    .select(['build_id', 'index', 'state', ...columns])
    .select(sql<number | null>`null::int`.as('kept'))
const aside = (db: Db): SelectQueryBuilder<Tables, 'build_attempt' | 'build_attempt_step', Own> =>
  db
    .selectFrom('build_attempt_step')
    .innerJoin('build_attempt', 'build_attempt.id', 'build_attempt_step.attempt_id')
    .select(['build_id', 'index'])
    .select(sql<StepState>`build_attempt_step.state`.as('state'))
    .select(columns)
    .select(sql<number | null>`attempt_id`.as('kept'))

const stepLogs = (db: Db, own: AliasedExpression<Own, 'own'>) =>
  db
    .selectFrom(own)
    .innerJoin('build_step', (join) =>
      join.onRef('build_step.build_id', '=', 'own.build_id').onRef('build_step.index', '=', 'own.index'),
    )
    .innerJoin('build', 'build.id', 'own.build_id')
    // builds from before jobs were introduced have none
    .leftJoin('build_job', (join) =>
      join.onRef('build_job.build_id', '=', 'build_step.build_id').onRef('build_job.index', '=', 'build_step.job'),
    )
    .select(
      sql<StepLog['job']>`jsonb_build_object('name', coalesce(build_job.name, ''),
        'matrix', coalesce(build_job.matrix, '{}'))`.as('job'),
    )
    .select([
      'own.build_id as buildId',
      'own.index as step',
      'own.kept',
      'build_step.stage',
      'build_step.name',
      'own.state',
      'own.log_bytes as bytes',
      'own.log_lines as lines',
      'own.log_open as open',
      'own.log_blob as blob',
      'build.state as buildState',
    ])
    .orderBy('own.kept')
    .orderBy('own.index')

/** The logs of a build's steps: those of earlier attempts, ordered by step, then those of the latest attempts. */
export const logsOfBuild = async (db: Db, buildId: number): Promise<StepLog[]> =>
  (
    await Promise.all(
      [aside(db).as('own'), latest(db).as('own')].map((own) =>
        stepLogs(db, own).where('own.build_id', '=', buildId).execute(),
      ),
    )
  ).flat()

const keptLogs = (db: Db, of: JobAttempt) =>
  aside(db)
    .where(isAside(of, 'build_attempt_step.index'))
    .unionAll(latest(db).where(hasStayed(of, { buildId: 'build_step.build_id', step: 'build_step.index' })))

/** The logs of a build's steps in order: of all jobs or one attempt of a job, of a stage or one step. */
export const logsOfNumber = (
  db: Db,
  pipelineId: number,
  number: number,
  { stage, step, of }: { stage?: string; step?: number | undefined; of?: JobAttempt | undefined } = {},
): Promise<StepLog[]> =>
  stepLogs(db, of && of.kept !== null ? keptLogs(db, of).as('own') : latest(db).as('own'))
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .$if(of !== undefined, (q) => q.where('build_step.job', '=', of?.job ?? 0))
    .$if(stage !== undefined, (q) => q.where('build_step.stage', '=', stage ?? ''))
    .$if(step !== undefined, (q) => q.where('own.index', '=', step ?? 0))
    .execute()

export interface LogEnd {
  bytes: number
  lines: number
  /** Whether an unfinished line follows. */
  open: boolean
  /** The time in effect here, see TimeMark; null if none was reported. */
  time: number | null
  /** The colours in effect here, see `styleAfter`. */
  style: string
}

/**
 * Commits this transaction without waiting for the disk: only for data that its sender keeps, and sends again if it is
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
    .select(['log_bytes as bytes', 'log_lines as lines', 'log_open as open', 'log_time as time', 'log_style as style'])
    .where('build_id', '=', buildId)
    .where('job', '=', index)
    .where('index', '=', step)
    .forUpdate()
    .executeTakeFirst()

export interface Piece {
  startByte: number
  /** How many bytes of the agent's log it covers. */
  bytes: number
  firstLine: number
  lines: number
  /** The first is the time in effect at the beginning of the piece; empty if none was reported. */
  times: TimeMark[]
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
    .set({
      log_bytes: end.bytes,
      log_lines: end.lines,
      log_open: end.open,
      log_time: end.time,
      log_style: end.style,
    })
    .where('build_id', '=', buildId)
    .where('index', '=', step)
    .execute()
}

const piecesOf = (db: Db, { buildId, kept }: LogKey) =>
  kept === null
    ? db
        .selectFrom('build_log_chunk')
        .select(['step', 'start_byte', 'bytes', 'first_line', 'lines', 'times', 'data'])
        .where('build_id', '=', buildId)
    : db
        .selectFrom('build_attempt_log_chunk')
        .select(['step', 'start_byte', 'bytes', 'first_line', 'lines', 'times', 'data'])
        .where('attempt_id', '=', kept)

const pieces = (db: Db, log: LogKey) =>
  db
    .selectFrom(piecesOf(db, log).as('piece'))
    .select(['start_byte as startByte', 'bytes', 'first_line as firstLine', 'lines', 'times', 'data'])
    .where('step', '=', log.step)
    .orderBy('start_byte')

const toPiece = ({
  times,
  ...row
}: Awaited<ReturnType<ReturnType<typeof pieces>['executeTakeFirstOrThrow']>>): Piece => ({
  ...row,
  times: ((times ?? []) as [line: number, at: number][]).map(([line, at]) => ({ line, at })),
})

/** The piece in which a line begins: the first one that contains the previous line end. */
export async function pieceOfLine(db: Db, log: LogKey, line: number): Promise<Piece | undefined> {
  const row = await pieces(db, log)
    .where(sql<boolean>`first_line + lines >= ${line}`)
    .limit(1)
    .executeTakeFirst()
  return row && toPiece(row)
}

/** Pieces read at once; an agent sends what arrived within a second, even if that is a single line. */
const piecesAtOnce = 16

export const nextPieces = async (db: Db, log: LogKey, fromByte: number): Promise<Piece[]> =>
  (await pieces(db, log).where('start_byte', '>=', fromByte).limit(piecesAtOnce).execute()).map(toPiece)

/** The start of the next piece that contains a line end. */
export const nextLineEnd = async (db: Db, log: LogKey, fromByte: number): Promise<number | undefined> =>
  (
    await pieces(db, log)
      .clearSelect()
      .select('start_byte as startByte')
      .where('start_byte', '>=', fromByte)
      .where('lines', '>', 0)
      .limit(1)
      .executeTakeFirst()
  )?.startByte

/** An open line with more pieces is not rewritten. */
const openPieces = 8

/** The pieces after the last line end, in order; empty if there are too many. */
export async function openLinePieces(db: Db, log: LogKey): Promise<Piece[]> {
  const last = await pieces(db, log)
    .clearOrderBy()
    .orderBy('start_byte', 'desc')
    .limit(openPieces + 1)
    .execute()
  const ending = last.findIndex(({ lines }) => lines > 0)
  const open = ending === -1 ? last : last.slice(0, ending)
  return open.length > openPieces ? [] : open.toReversed().map(toPiece)
}

export const forgetPieces = (db: Db, { buildId, step }: LogKey, fromByte: number): Promise<unknown> =>
  db
    .deleteFrom('build_log_chunk')
    .where('build_id', '=', buildId)
    .where('step', '=', step)
    .where('start_byte', '>=', fromByte)
    .execute()

/**
 * Replaces the pieces of a log with its blob. False if another run was faster, or if a retry has moved the log aside
 * and the step has a new one, which may grow.
 */
export async function replacePieces(
  db: Db,
  { buildId, step, kept, bytes }: LogKey & Pick<StepLog, 'bytes'>,
  blob: string,
  lines: number,
): Promise<boolean> {
  const [steps, chunks, of, complete] =
    kept === null
      ? [
          sql.table('build_step'),
          sql.table('build_log_chunk'),
          sql`build_id = ${buildId}`,
          sql`exists (select from build where id = ${buildId} and ended_at is not null)`,
        ]
      : [sql.table('build_attempt_step'), sql.table('build_attempt_log_chunk'), sql`attempt_id = ${kept}`, sql`true`]
  const done = await sql`
    update ${steps} set log_blob = ${blob}, log_lines = ${lines}, log_open = false
    where ${of} and index = ${step} and log_blob is null and log_bytes = ${bytes} and ${complete}`.execute(db)
  if (done.numAffectedRows === 0n) return false
  await sql`delete from ${chunks} where ${of} and step = ${step}`.execute(db)
  return true
}
