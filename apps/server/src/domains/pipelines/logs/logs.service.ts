import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { cutLine } from '@gantry/contract/logs/terminal-line'
import { isEnded } from '@gantry/contract/pipelines/states'
import { stepLogBytes } from '@gantry/agent-protocol/protocol'
import { blobSource } from '../../../adapters/blobs/blobs.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { requestedAttempt } from '../attempts/attempts.service.ts'
import { jobTitle } from '../jobs/title.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { type TimeMark, marks, timeOf } from './log-blob/time-index.ts'
import { lineBytes, textsOf, wholeLines } from './log-blob/lines.ts'
import { offsetOfLine, openLog } from './log-blob/read.ts'
import { type Hit, lineSearch } from './line-search.ts'
import {
  logsOfBuild,
  logsOfNumber,
  nextLineEnd,
  nextPieces,
  type Piece,
  pieceOfLine,
  type StepLog,
} from './logs.store.ts'

const decompress = promisify(zstdDecompress)
const newline = 0x0a

/**
 * A line is displayed up to `line` characters; once the lines of an answer exceed `answer`, further lines are cut to
 * `ends`. The download has whole lines.
 */
const characterLimits = { line: 16_000, answer: 2_000_000, ends: 200 }

/** Shortens the lines of one answer: a long line keeps both ends, with the number of missing characters in between. */
function lineCutter(): (text: string) => string {
  let left = characterLimits.answer
  return (text) => {
    const length = Math.min(characterLimits.line, Math.max(left, characterLimits.ends))
    // copied, because a substring would keep the whole string in memory
    const shortened = text.length > length ? Buffer.from(cutLine(text, length)).toString() : text
    left -= shortened.length
    return shortened
  }
}

interface Lines {
  texts: string[]
  times: readonly TimeMark[]
}
const noLines: Lines = { texts: [], times: [] }

/** The pieces of a growing log; while `full`, skips those far before the end of the line. */
async function* piecesFrom(
  { db }: Pick<Ctx, 'db'>,
  log: StepLog,
  startByte: number,
  full: () => boolean = () => false,
): AsyncGenerator<Piece> {
  for (let at = startByte; ;) {
    if (full()) at = Math.max(at, ((await nextLineEnd(db, log, at)) ?? log.bytes) - lineBytes)
    const some = await nextPieces(db, log, at)
    for (const piece of some) {
      yield piece
      at = piece.startByte + piece.bytes
    }
    if (some.length === 0) return
  }
}

type Show = ReturnType<typeof lineCutter>

async function readGrowing(ctx: Ctx, log: StepLog, from: number, to: number, show: Show): Promise<Lines> {
  const lines = wholeLines()
  const times = marks()
  const texts: string[] = []
  const first = await pieceOfLine(ctx.db, log, from)
  let skip = from - (first?.firstLine ?? 0)
  let end = first?.startByte ?? log.bytes
  for await (const piece of piecesFrom(ctx, log, end, () => lines.full)) {
    lines.pass(piece.startByte - end)
    end = piece.startByte + piece.bytes
    piece.times.forEach(times.add)
    const raw = await decompress(piece.data)
    const ended = textsOf(lines.push(raw.subarray(offsetOfLine(raw, skip))))
    for (const text of ended.slice(0, to - from - texts.length)) texts.push(show(text))
    skip = 0
    if (texts.length === to - from) break
  }
  // a last line without line end is displayed as far as it is known
  if (texts.length < to - from) texts.push(...textsOf(lines.end()).map(show))
  return { texts, times: times.list }
}

async function readPacked(ctx: Ctx, key: string, from: number, to: number, show: Show): Promise<Lines> {
  const packed = await blobOf(ctx.ports, key)
  const lines = wholeLines()
  const texts: string[] = []
  for await (const block of packed.stream(from, to))
    for (const text of textsOf(lines.push(block))) texts.push(show(text))
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

/** The job and attempt whose logs are read; without an attempt, the latest attempts of all jobs. */
interface LogOf {
  job: number
  attempt?: number | undefined
}

/** The logs that a caller requests. */
async function requestedLogs(
  ctx: Ctx,
  key: PipelineKey,
  number: number,
  { stage, step, ...requested }: LogOf & { stage?: string; step?: number | undefined },
): Promise<StepLog[]> {
  const { id } = await getPipeline(ctx, key)
  const of = await requestedAttempt(ctx, id, number, requested)
  const logs = await logsOfNumber(ctx.db, id, number, { ...(stage === undefined ? {} : { stage }), step, of })
  if (logs.length === 0) throw new Fault('missing', 'resource-missing')
  return logs
}

const isComplete = ({ buildState, state }: StepLog): boolean => isEnded(buildState) || isEnded(state)

const linesOf = ({ lines, open }: StepLog): number => lines + (open ? 1 : 0)

/**
 * Logs that are read as one, each with the number of its first line, in the order of the steps. None is included after
 * a log that may still grow, so that a line never changes its number.
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
export async function readLog(ctx: Ctx, key: PipelineKey, number: number, range: LogRange & LogOf) {
  const logs = placed(await requestedLogs(ctx, key, number, range))
  const last = mustExist(logs.at(-1))
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

/** The blob of a log whose pieces are gone: packing replaces them in one transaction after the build ends. */
const packedMeanwhile = async ({ db }: Pick<Ctx, 'db'>, log: StepLog): Promise<string | undefined> =>
  (await logsOfBuild(db, log.buildId)).find(({ step, kept }) => step === log.step && kept === log.kept)?.blob ??
  undefined

async function readLines(ctx: Ctx, log: StepLog, from: number, to: number, show: Show): Promise<Lines> {
  const growing = log.blob === null ? await readGrowing(ctx, log, from, to, show) : noLines
  if (growing.texts.length === to - from) return growing
  const key = log.blob ?? (await packedMeanwhile(ctx, log))
  return key === undefined ? growing : readPacked(ctx, key, from, to, show)
}

/** The hits of a search in one log, chunk by chunk. */
async function* hitsIn(ctx: Ctx, log: StepLog, text: string, onTime?: (mark: TimeMark) => void): AsyncGenerator<Hit[]> {
  const find = lineSearch(text)
  for await (const lines of logText(ctx, log, onTime)) {
    ctx.signal.throwIfAborted()
    yield find(lines)
  }
}

/** Further hits are not counted; the answer says that there are more. */
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
      for (const { n, text } of some.slice(left, left + room)) hits.push({ n, text: show(text) })
      found += some.length
      if (found > hitCap) break
    }
    for (const hit of hits) lines.push({ n: first + hit.n, at: timeOf(times.list, hit.n), text: hit.text })
    if (found > hitCap) break
  }
  return { lines, total: Math.min(found, hitCap), truncated: found > hitCap }
}

/** A search stops after the step in which it has read so much, and returns where to continue. */
const searchedBytes = stepLogBytes

export interface LogSearch extends LogOf {
  search: string
  /** Where to begin: earlier hits were returned before. */
  step: number
  line: number
  limit: number
}

/** Searches the logs of all steps of a build, in order. */
export async function searchLogs(ctx: Ctx, key: PipelineKey, number: number, { search, limit, ...from }: LogSearch) {
  const { job, attempt } = from
  const logs = await requestedLogs(ctx, key, number, { job, attempt })
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
      for (const { n, text } of some) {
        if (n < begin) continue
        if (hits.length === limit) return { hits, next: { step, line: n } }
        hits.push({ step, n, text: show(text) })
      }
  }
  return { hits, next: null }
}

/** The whole log as displayed, in chunks of whole lines; `onTime` gets the time of lines before they are yielded. */
export async function* logText(
  ctx: Pick<Ctx, 'db' | 'ports'>,
  log: StepLog,
  onTime: (mark: TimeMark) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const growing = wholeLines()
  let [at, known] = [0, 0]
  if (log.blob === null)
    for await (const piece of piecesFrom(ctx, log, at)) {
      piece.times.forEach(onTime)
      const lines = growing.push(await decompress(piece.data))
      known += piece.lines
      at = piece.startByte + piece.bytes
      if (lines.length > 0) yield lines
    }
  const key = log.blob ?? (at < log.bytes ? await packedMeanwhile(ctx, log) : undefined)
  if (key === undefined) {
    const rest = growing.end()
    if (rest.length > 0) yield rest
    return
  }
  const packed = await blobOf(ctx.ports, key)
  ;(await packed.times()).forEach(onTime)
  const lines = wholeLines()
  for await (const block of packed.stream(known)) yield lines.push(block)
}

/** The log of one step, as a text stream. */
export async function stepLog(
  ctx: Ctx,
  key: PipelineKey,
  number: number,
  query: LogOf & { step: number },
): Promise<StepLog> {
  const [log] = await requestedLogs(ctx, key, number, query)
  if (!log) throw new Fault('missing', 'resource-missing')
  return log
}

/** The logs of all steps of a build, or of a job's attempt, as one text; a line above each names its origin. */
export async function wholeLog(ctx: Ctx, key: PipelineKey, number: number, query: LogOf): Promise<Readable> {
  const logs = await requestedLogs(ctx, key, number, query)
  return Readable.from(textOf(ctx, logs))
}

async function* textOf(ctx: Ctx, logs: StepLog[]): AsyncGenerator<Buffer> {
  for (const [at, log] of logs.entries()) {
    const { stage, job, name } = log
    const title = [stage, jobTitle(job), name].filter((part) => part !== '').join(' / ')
    yield Buffer.from(`${at === 0 ? '' : '\n'}=== ${title} (${log.state})\n`)
    let last = newline
    for await (const chunk of logText(ctx, log)) {
      last = chunk.at(-1) ?? last
      yield chunk
    }
    if (last !== newline) yield Buffer.from('\n')
  }
}
