import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { rewrites, wholeStyle } from '@gantry/contract/logs/terminal-line'
import { buildLogTopic } from '@gantry/contract/pipelines/topics'
import type { ByteTime } from '@gantry/agent-protocol/log-times'
import { stepLogBytes } from '@gantry/agent-protocol/protocol'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { heldJob } from '../queue/held.service.ts'
import type { LeaseKey } from '../queue/leases.store.ts'
import { countLines, marksOf } from './log-times.ts'
import {
  appendPieces,
  commitLazily,
  forgetPieces,
  lockLogEnd,
  type LogKey,
  openLinePieces,
  type Piece,
} from './logs.store.ts'
import { piecesOf } from './pieces.ts'
import { storedText } from './stored-text.ts'

const decompress = promisify(zstdDecompress)
const compress = promisify(zstdCompress)
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const pieceBytes = 256 * 1024
const newline = 0x0a

/** Compresses in the thread pool. */
function packedSlices(text: Buffer): Promise<{ lines: number; data: Buffer }[]> {
  const slices: Buffer[] = []
  for (let at = 0; at < text.length; at += pieceBytes) slices.push(text.subarray(at, at + pieceBytes))
  return Promise.all(slices.map(async (slice) => ({ lines: countLines(slice), data: await compress(slice, fastest) })))
}

/** Parts of an open line that are not larger are stored together with it. */
const smallBytes = 4096
/** A longer open line is not rewritten when it continues. */
const openBytes = 64 * 1024

/** The stored part of the open line, if it has to be rewritten together with `fresh`. */
async function storedOpenLine({ db }: Pick<Ctx, 'db'>, log: LogKey, fresh: Buffer) {
  const first = fresh.indexOf(newline)
  if (fresh.length > smallBytes && !rewrites(fresh.toString('latin1', 0, first === -1 ? fresh.length : first))) return
  const pieces = await openLinePieces(db, log)
  const [begin] = pieces
  if (begin === undefined) return
  const text = Buffer.concat(await Promise.all(pieces.map(({ data }) => decompress(data))))
  return text.length > openBytes
    ? undefined
    : {
        text,
        startByte: begin.startByte,
        bytes: pieces.reduce((sum, piece) => sum + piece.bytes, 0),
        times: pieces.flatMap(({ times }) => times),
      }
}

/**
 * Appends bytes that an agent sends at an offset, with their times, which count from its own first byte. Known bytes
 * are skipped; an offset beyond the end is refused with the end of the log. Bytes that were lost in a crash of the
 * database are such a gap, and the agent sends them again: it keeps them all until the end of the step is stored.
 *
 * `bytes` of a piece is how many bytes of the agent's log it covers; its text may be shorter or longer: see storedText.
 */
export async function appendLog(
  ctx: Ctx,
  lease: LeaseKey,
  step: number,
  offset: number,
  body: Readable,
  times: readonly ByteTime[] = [],
): Promise<{ cancel: boolean; next: number }> {
  const given = await buffer(body)
  if (offset + given.length > stepLogBytes) throw new Fault('tooLarge', 'agents-log-too-long')
  // the open line has separate pieces, because it may have to be rewritten
  const whole = given.lastIndexOf(newline) + 1
  const parts = [given.subarray(0, whole), given.subarray(whole)]
  // compress before any row is locked
  const ready = await Promise.all(parts.map(packedSlices))
  return inTx(ctx, async (ctx) => {
    await commitLazily(ctx.db)
    const job = await heldJob(ctx, lease)
    const end = await lockLogEnd(ctx.db, job, step)
    if (!end) throw new Fault('conflict', 'agents-step-foreign', { step, job: job.jobId })
    if (offset > end.bytes) throw new Fault('conflict', 'agents-log-gap', { expected: end.bytes, got: offset })
    const log: LogKey = { buildId: job.buildId, step, kept: null }
    const pieces: Piece[] = []
    const byteTimes = times.map(({ byte, at }) => ({ byte: offset + byte, at }))
    let { bytes, lines, open, time, style } = end
    for (const [at, part] of parts.entries()) {
      const known = Math.max(0, end.bytes - offset - (at === 0 ? 0 : whole))
      if (known >= part.length) continue
      // keep the identity of a part that is all new, because it is compressed already
      const fresh = known === 0 ? part : part.subarray(known)
      const before = open ? await storedOpenLine(ctx, log, fresh) : undefined
      const stored = storedText(before ? Buffer.concat([before.text, fresh]) : fresh, {
        begins: before ? 'again' : open ? 'within' : 'anew',
        style: before ? wholeStyle(style) : style,
      })
      const marked = marksOf(fresh, { byte: bytes, lines, open, time }, byteTimes)
      if (before) await forgetPieces(ctx.db, log, before.startByte)
      pieces.push(
        ...piecesOf((stored.bytes === part ? ready[at] : undefined) ?? (await packedSlices(stored.bytes)), {
          startByte: before?.startByte ?? bytes,
          endByte: bytes + fresh.length,
          firstLine: lines,
          times: [...(before?.times ?? []), ...marked.marks],
        }),
      )
      bytes += fresh.length
      lines += countLines(fresh)
      open = fresh.at(-1) !== newline
      ;({ time } = marked)
      ;({ style } = stored)
    }
    if (pieces.length > 0) {
      await appendPieces(ctx.db, job.buildId, step, pieces, { bytes, lines, open, time, style })
      await publish(ctx, buildLogTopic, job, { step, lines })
    }
    return { cancel: job.cancelled, next: bytes }
  })
}
