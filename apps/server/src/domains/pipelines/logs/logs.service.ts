import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { isEnded } from '@gantry/contract/pipelines/states'
import { buildTopic } from '@gantry/contract/pipelines/topics'
import type { ByteTime } from '@gantry/agent-protocol/log-times'
import { stepLogBytes } from '@gantry/agent-protocol/protocol'
import { blobSource } from '../../../adapters/blobs/blobs.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { askedAttempt } from '../attempts/attempts.service.ts'
import { jobTitle } from '../jobs/title.ts'
import { heldJob } from '../queue/held.service.ts'
import type { Held } from '../queue/leases.store.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { type Mark, marks, timeOf } from './log-blob/time-index.ts'
import { type LogLine, lineSplitter } from './log-blob/lines.ts'
import { offsetOfLine, openLog } from './log-blob/read.ts'
import { maxLineBytes } from './log-blob/write.ts'
import { type Hit, lineSearch } from './line-search.ts'
import { countLines, marksOf } from './log-times.ts'
import {
  appendPieces,
  commitLazily,
  lockLogEnd,
  logsOfBuild,
  logsOfNumber,
  nextPieces,
  type Piece,
  pieceOfLine,
  type StepLog,
} from './logs.store.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const pieceBytes = 256 * 1024
const newline = 0x0a

/**
 * Appends what an agent sends at a byte offset, with the times of its bytes, counted from its own first byte. Known
 * bytes are skipped; an offset beyond the end is refused, and the answer says where the log ends. Bytes that a database
 * crash lost are such a gap, and the agent sends them again: it keeps all until the end of the step is stored.
 */
export async function appendLog(
  ctx: Ctx,
  held: Held,
  step: number,
  offset: number,
  body: Readable,
  times: readonly ByteTime[] = [],
): Promise<{ cancel: boolean; next: number }> {
  const given = await buffer(body)
  if (offset + given.length > stepLogBytes) throw new Fault('tooLarge', 'agents-log-too-long')
  const slices: Buffer[] = []
  for (let at = 0; at < given.length; at += pieceBytes) slices.push(given.subarray(at, at + pieceBytes))
  // in the thread pool, and before any row is locked
  const packed = await Promise.all(slices.map((slice) => compress(slice, fastest)))
  return inTx(ctx, async (ctx) => {
    await commitLazily(ctx.db)
    const job = await heldJob(ctx, held)
    const end = await lockLogEnd(ctx.db, job, step)
    if (!end) throw new Fault('conflict', 'agents-step-foreign', { step, job: job.jobId })
    if (offset > end.bytes) throw new Fault('conflict', 'agents-log-gap', { expected: end.bytes, got: offset })
    const pieces: Piece[] = []
    const told = times.map(({ byte, at }) => ({ byte: offset + byte, at }))
    let { bytes, lines, open, time } = end
    for (const [at, slice] of slices.entries()) {
      const startByte = offset + at * pieceBytes
      const known = Math.max(0, end.bytes - startByte)
      if (known >= slice.length) continue
      const fresh = slice.subarray(known)
      const data = known === 0 ? packed[at] : await compress(fresh, fastest)
      if (!data) throw new Error('a slice without its packed form')
      const more = countLines(fresh)
      const marked = marksOf(fresh, { byte: bytes, lines, open, time }, told)
      pieces.push({ startByte: bytes, bytes: fresh.length, firstLine: lines, lines: more, times: marked.marks, data })
      bytes += fresh.length
      lines += more
      open = fresh.at(-1) !== newline
      time = marked.time
    }
    if (pieces.length > 0) {
      await appendPieces(ctx.db, job.buildId, step, pieces, { bytes, lines, open, time })
      await publish(ctx, buildTopic, job, { step, lines })
    }
    return { cancel: job.cancelled, next: bytes }
  })
}

/**
 * A line is shown up to `line` characters, and all lines of an answer up to `answer`, after which only their beginnings
 * are; the download has them whole.
 */
const shownCharacters = { line: 16_000, answer: 2_000_000, beginning: 200 }
/** How much of a line is read: more than is shown of it. */
const keptBytes = 2 * maxLineBytes

/** Shortens the lines of one answer: a shortened line says how much of it is missing. */
function lineCutter(): (line: LogLine) => string {
  let left = shownCharacters.answer
  return ({ text, more }) => {
    const length = Math.min(shownCharacters.line, Math.max(left, shownCharacters.beginning))
    // a copy: a substring would keep the whole string alive
    const shown = Buffer.from(text.slice(0, length)).toString()
    left -= shown.length
    const missing = more + Buffer.byteLength(text.slice(length))
    return missing === 0 ? shown : `${shown} … [+${missing} B]`
  }
}

interface Lines {
  texts: string[]
  times: readonly Mark[]
}
const noLines: Lines = { texts: [], times: [] }

/** The pieces of a growing log; with `full` only those in which a line ends. */
async function* piecesFrom(
  { db }: Pick<Ctx, 'db'>,
  log: StepLog,
  startByte: number,
  full: () => boolean = () => false,
): AsyncGenerator<Piece> {
  for (let at = startByte; ;) {
    const some = await nextPieces(db, log, at, { ending: full() })
    for (const piece of some) {
      yield piece
      at = piece.startByte + piece.bytes
    }
    if (some.length === 0) return
  }
}

type Show = ReturnType<typeof lineCutter>

async function readGrowing(ctx: Ctx, log: StepLog, from: number, to: number, show: Show): Promise<Lines> {
  const lines = lineSplitter(keptBytes)
  const times = marks()
  const texts: string[] = []
  const first = await pieceOfLine(ctx.db, log, from)
  let skip = from - (first?.firstLine ?? 0)
  let end = first?.startByte ?? log.bytes
  for await (const piece of piecesFrom(ctx, log, end, () => lines.full)) {
    lines.pass(piece.startByte - end)
    end = piece.startByte + piece.bytes
    piece.times.forEach(times.add)
    if (lines.full && piece.lines === 0) {
      lines.pass(piece.bytes)
      continue
    }
    const raw = await decompress(piece.data)
    const ended = lines.push(raw.subarray(offsetOfLine(raw, skip)))
    for (const line of ended.slice(0, to - from - texts.length)) texts.push(show(line))
    skip = 0
    if (texts.length === to - from) break
  }
  lines.pass(Math.max(0, log.bytes - end))
  // a last line without its end is shown as far as it is known
  if (texts.length < to - from) texts.push(...lines.end().map(show))
  return { texts, times: times.list }
}

async function readPacked(ctx: Ctx, key: string, from: number, to: number, show: Show): Promise<Lines> {
  const packed = await blobOf(ctx.ports, key)
  const lines = lineSplitter(keptBytes)
  const texts: string[] = []
  for await (const block of packed.stream(from, to)) for (const line of lines.push(block)) texts.push(show(line))
  return { texts, times: await packed.times() }
}

export interface LogRange {
  stage: string
  /** Without it, all steps of the stage. */
  step?: number | undefined
  /** -1 means the last `limit` lines. */
  offset: number
  limit: number
  search?: string | undefined
}

/** Of which job and which of its attempts; without an attempt, the latest of all jobs. */
interface Asked {
  job: number
  attempt?: number | undefined
}

/** The logs that a caller asks for. */
async function askedLogs(
  ctx: Ctx,
  key: PipelineKey,
  number: number,
  { stage, step, ...asked }: Asked & { stage?: string; step?: number | undefined },
): Promise<StepLog[]> {
  const { id } = await getPipeline(ctx, key)
  const of = await askedAttempt(ctx, id, number, asked)
  const logs = await logsOfNumber(ctx.db, id, number, { ...(stage === undefined ? {} : { stage }), step, of })
  if (logs.length === 0) throw new Fault('missing', 'resource-missing')
  return logs
}

const isComplete = ({ buildState, state }: StepLog): boolean => isEnded(buildState) || isEnded(state)

const linesOf = ({ lines, open }: StepLog): number => lines + (open ? 1 : 0)

/**
 * The logs that are read as one, each with the number of its first line. They follow one another in the order of the
 * steps: behind one that may still grow none is shown yet, so that a line never changes its number.
 */
function placed(logs: StepLog[]): { log: StepLog; first: number }[] {
  const growing = logs.findIndex((log) => !isComplete(log))
  let first = 0
  return logs.slice(0, growing === -1 ? logs.length : growing + 1).map((log) => {
    const one = { log, first }
    first += linesOf(log)
    return one
  })
}

/** Reads lines of a stage's log, or of one of its steps, numbered from 0. */
export async function readLog(ctx: Ctx, key: PipelineKey, number: number, range: LogRange & Asked) {
  const logs = placed(await askedLogs(ctx, key, number, range))
  const last = logs.at(-1)
  if (!last) throw new Fault('missing', 'resource-missing')
  const common = {
    step: last.log.step,
    steps: logs.map(({ log, first }) => ({ step: log.step, first })),
    complete: isComplete(last.log),
  }
  if (range.search !== undefined) return { ...(await searchStage(ctx, logs, range.search, range)), ...common }
  const total = last.first + linesOf(last.log)
  const from = range.offset === -1 ? Math.max(0, total - range.limit) : range.offset
  const to = Math.min(total, from + range.limit)
  const show = lineCutter()
  const lines: { n: number; at: number | null; text: string }[] = []
  for (const { log, first } of logs) {
    const begin = Math.max(0, from - first)
    const end = Math.min(linesOf(log), to - first)
    if (begin >= end) continue
    const { texts, times } = await readLines(ctx, log, begin, end, show)
    texts.forEach((text, at) => lines.push({ n: first + begin + at, at: timeOf(times, begin + at), text }))
  }
  return { ...common, lines, total, truncated: false }
}

async function blobOf({ blobs }: Ctx['ports'], key: string) {
  return openLog(blobSource(blobs, key, await blobs.size(key)))
}

/** Looks up the blob of a log whose pieces have gone: they become one blob, in one transaction, when the build ends. */
const packedMeanwhile = async ({ db }: Pick<Ctx, 'db'>, log: StepLog): Promise<string | undefined> =>
  (await logsOfBuild(db, log.buildId)).find(({ step, kept }) => step === log.step && kept === log.kept)?.blob ??
  undefined

async function readLines(ctx: Ctx, log: StepLog, from: number, to: number, show: Show): Promise<Lines> {
  const growing = log.blob === null ? await readGrowing(ctx, log, from, to, show) : noLines
  if (growing.texts.length === to - from) return growing
  const key = log.blob ?? (await packedMeanwhile(ctx, log))
  return key === undefined ? growing : readPacked(ctx, key, from, to, show)
}

/** The hits of a search in one log, a chunk's at a time. */
async function* hitsIn(ctx: Ctx, log: StepLog, text: string, onTime?: (mark: Mark) => void): AsyncGenerator<Hit[]> {
  const lines = lineSearch(text, keptBytes)
  for await (const chunk of rawLog(ctx, log, onTime)) {
    ctx.signal.throwIfAborted()
    yield lines.push(chunk)
  }
  yield lines.end()
}

/** Hits beyond this are not counted: the answer says that there are more. */
const hitCap = 5000

async function searchStage(ctx: Ctx, logs: ReturnType<typeof placed>, text: string, range: LogRange) {
  const from = Math.max(0, range.offset)
  const show = lineCutter()
  const lines: { n: number; at: number | null; text: string }[] = []
  let found = 0
  for (const { log, first } of logs) {
    const times = marks()
    const hits: { n: number; text: string }[] = []
    for await (const some of hitsIn(ctx, log, text, times.add)) {
      const left = Math.max(0, from - found)
      const room = range.limit - lines.length - hits.length
      for (const { n, line } of some.slice(left, left + room)) hits.push({ n, text: show(line) })
      found += some.length
      if (found > hitCap) break
    }
    for (const hit of hits) lines.push({ n: first + hit.n, at: timeOf(times.list, hit.n), text: hit.text })
    if (found > hitCap) break
  }
  return { lines, total: Math.min(found, hitCap), truncated: found > hitCap }
}

/** A search ends with the step in which it has read so much, and says where it goes on. */
const searchedBytes = stepLogBytes

export interface LogSearch extends Asked {
  search: string
  /** Where it begins: what is before was answered already. */
  step: number
  line: number
  limit: number
}

/** Searches the logs of all steps of a build, in order. */
export async function searchLogs(ctx: Ctx, key: PipelineKey, number: number, { search, limit, ...from }: LogSearch) {
  const { job, attempt } = from
  const logs = await askedLogs(ctx, key, number, { job, attempt })
  const show = lineCutter()
  const hits: { step: number; n: number; text: string }[] = []
  let read = 0
  for (const log of logs) {
    const { step } = log
    if (step < from.step) continue
    if (read > searchedBytes) return { hits, next: { step, line: 0 } }
    read += log.bytes
    const begin = step === from.step ? from.line : 0
    for await (const some of hitsIn(ctx, log, search))
      for (const { n, line } of some) {
        if (n < begin) continue
        if (hits.length === limit) return { hits, next: { step, line: n } }
        hits.push({ step, n, text: show(line) })
      }
  }
  return { hits, next: null }
}

/** The whole log as it is stored, piece by piece; `onTime` gets the time of lines before they are yielded. */
export async function* rawLog(
  ctx: Pick<Ctx, 'db' | 'ports'>,
  log: StepLog,
  onTime: (mark: Mark) => void = () => undefined,
): AsyncGenerator<Buffer> {
  let at = 0
  if (log.blob === null)
    for await (const piece of piecesFrom(ctx, log, at)) {
      piece.times.forEach(onTime)
      yield await decompress(piece.data)
      at = piece.startByte + piece.bytes
    }
  const key = log.blob ?? (at < log.bytes ? await packedMeanwhile(ctx, log) : undefined)
  if (key === undefined) return
  const packed = await blobOf(ctx.ports, key)
  ;(await packed.times()).forEach(onTime)
  for await (const block of packed.stream()) {
    if (at < block.length) yield block.subarray(at)
    at = Math.max(0, at - block.length)
  }
}

/** The log of one step, to be read as it is stored. */
export async function stepLog(
  ctx: Ctx,
  key: PipelineKey,
  number: number,
  asked: Asked & { step: number },
): Promise<StepLog> {
  const [log] = await askedLogs(ctx, key, number, asked)
  if (!log) throw new Fault('missing', 'resource-missing')
  return log
}

/** The logs of all steps of a build, or of a job's attempt, as one text, each beneath a line that names its stage, its job and the step. */
export async function wholeLog(ctx: Ctx, key: PipelineKey, number: number, asked: Asked): Promise<Readable> {
  const logs = await askedLogs(ctx, key, number, asked)
  return Readable.from(textOf(ctx, logs))
}

async function* textOf(ctx: Ctx, logs: StepLog[]): AsyncGenerator<Buffer> {
  for (const [at, log] of logs.entries()) {
    const { stage, job, name } = log
    const title = [stage, jobTitle(job), name].filter((part) => part !== '').join(' / ')
    yield Buffer.from(`${at === 0 ? '' : '\n'}=== ${title} (${log.state})\n`)
    let last = newline
    for await (const chunk of rawLog(ctx, log)) {
      last = chunk.at(-1) ?? last
      yield chunk
    }
    if (last !== newline) yield Buffer.from('\n')
  }
}
