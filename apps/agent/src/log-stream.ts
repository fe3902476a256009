import { closeSync, fstatSync, ftruncateSync, openSync, read } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { type ByteTime, timesApartMs, writeTimes } from '@gantry/agent-protocol/log-times'
import { leaseSeconds, stepLogBytes } from '@gantry/agent-protocol/protocol'
import { Refusal, type Client } from './client.ts'
import { masker } from './mask.ts'
import type { Workspace } from './workspace/workspace.ts'
import { spoolOf } from './workspace/workspace.ts'

/**
 * Sends a step's spool to the server: reads what was added, masks it, and sends it at its byte offset. One request is
 * sent while the next one is prepared. The spool itself is the buffer, so a slow server costs no memory.
 */
export interface LogStream {
  /** Call it when the step has ended: resolves with the size of its whole log once the server has all of it. */
  end: () => Promise<number>
  /** The bytes that the server has; the log's length if the server accepts no more. */
  acknowledged: () => number
  /** Also masks these secrets from now on. */
  hide: (secrets: readonly string[]) => void
  /** Stops without sending the rest. */
  stop: () => void
}

export interface LogOptions {
  room: Workspace
  step: number
  masked: readonly string[]
  client: Client
  /** Whether requests are compressed, because the server is on another machine. */
  compressed: boolean
  signal: AbortSignal
  onAnswer: (answer: { cancel: boolean }) => void
  /** Maximum bytes of the log; the last line then says that it was cut. */
  limit?: number
  /** Called if sending has failed finally while the step runs; `end` then rejects with the same cause. */
  failed: (cause: unknown) => void
}

/** Bytes of the raw log per request, well below the server's limit, so that requests are short. */
const most = 1024 * 1024
const worthCompressing = 1024
const newline = 0x0a

/** How often the spool is read: often at the beginning and after output, rarely while there is none. */
const looks = { eagerMs: 5, eagerForMs: 400, idleMs: 40 }
/**
 * Milliseconds between two requests while the step runs, so that not every line causes a request. Longer while no line
 * ends: a progress bar is redrawn hundreds of times a second, and people only see the latest state.
 */
const apartMs = { lines: 60, openLine: 500 }

/** The last line of a log that was cut; logs are in English only. */
const cutLine = (limit: number): Buffer =>
  Buffer.from(
    `\n[gantry] The log is cut here: a step's log has at most ${Math.floor(limit / 1_048_576)} MB. Write into a file and keep that as an artifact.\n`,
  )

/** How often the spool is truncated to the limit: a step that writes without end would fill the disk. */
const trimMs = 1000

const readAt = promisify(read)
const compress = promisify(zstdCompress)

export function logStream({
  room,
  step,
  masked,
  client,
  compressed,
  signal,
  onAnswer,
  failed,
  limit = stepLogBytes,
}: LogOptions): LogStream {
  const file = openSync(spoolOf(room, step), 'a+', 0o600)
  const secrets = [...masked]
  let mask = masker(secrets)
  /** The bytes that the mask had held back when it was replaced. */
  let settled: Buffer = Buffer.alloc(0)
  const own = new AbortController()
  const until = AbortSignal.any([signal, own.signal])
  let ended = false
  let wake = (): void => {}

  /** Position in the spool of the next read. */
  let at = 0
  /** Bytes of the masked log that were passed on to be sent, and bytes that the server has. */
  let handed = 0
  let acknowledged = 0
  let broken: { cause: unknown } | undefined

  const lastLine = cutLine(limit)
  /** The length of the spool, and of the masked log, without the last line. */
  const readable = limit - lastLine.length
  let made = 0
  let cut = false

  /** Truncates the spool. One byte beyond the limit shows that there was more, also to a restarted agent. */
  function trim(): void {
    try {
      if (fstatSync(file).size > readable + 1) ftruncateSync(file, readable + 1)
    } catch (cause) {
      broken ??= { cause }
      wake()
    }
  }
  const trimming = setInterval(trim, trimMs).unref()

  /** As many of the masked bytes as fit; if not all do, followed by the last line. */
  function fitting(bytes: Buffer): Buffer {
    if (made + bytes.length > readable) return ending(bytes.subarray(0, readable - made))
    made += bytes.length
    return bytes
  }
  function taken(bytes: Buffer): Buffer {
    const all = settled.length === 0 ? bytes : Buffer.concat([settled, bytes])
    settled = Buffer.alloc(0)
    return all
  }
  function ending(bytes: Buffer = Buffer.alloc(0)): Buffer {
    cut = true
    return Buffer.concat([bytes, lastLine])
  }

  interface Next {
    bytes: Buffer
    /** When the step last wrote to it, in epoch milliseconds. */
    wroteAt: number
    last: boolean
  }

  async function next(): Promise<Next> {
    // checked before the size, so that the size includes everything that an ended step wrote
    const over = ended
    const { size, mtimeMs } = fstatSync(file)
    const wroteAt = writtenAt(mtimeMs)
    // a step may truncate its own output; later output is still read
    if (size < at) at = size
    if (cut) return { bytes: Buffer.alloc(0), wroteAt, last: over }
    // the held back bytes are dropped, because they may be the beginning of a secret
    if (at === readable && size > at) return { bytes: ending(), wroteAt, last: over }
    if (size === at) return { bytes: over ? fitting(taken(mask.end())) : Buffer.alloc(0), wroteAt, last: over }
    const buffer = Buffer.allocUnsafe(Math.min(most, size - at, readable - at))
    const { bytesRead } = await readAt(file, buffer, 0, buffer.length, at)
    at += bytesRead
    return { bytes: fitting(taken(mask.push(buffer.subarray(0, bytesRead)))), wroteAt, last: false }
  }

  async function send(bytes: Buffer, offset: number, times: readonly ByteTime[]): Promise<void> {
    // after a restart of the agent, the server already has the beginning
    if (offset + bytes.length <= acknowledged) return
    const rest = offset < acknowledged ? bytes.subarray(acknowledged - offset) : bytes
    const from = Math.max(offset, acknowledged)
    const packed = !compressed || rest.length < worthCompressing ? undefined : await compress(rest)
    const answer = await client.call(
      'log',
      {
        params: { jobId: room.jobId, step },
        query: { attempt: room.attempt, offset: from, times: timesFrom(times, from - offset) },
      },
      { upload: packed === undefined ? { content: rest } : { content: packed, encoding: 'zstd' }, signal: until },
    )
    acknowledged = Math.max(acknowledged, answer.next, from + rest.length)
    onAnswer(answer)
  }

  async function pump(): Promise<number> {
    let moved = performance.now()
    let sent = 0
    let underway: Promise<void> = Promise.resolve()
    for (;;) {
      until.throwIfAborted()
      if (broken !== undefined) throw broken.cause
      const { bytes, wroteAt, last } = await next()
      if (bytes.length > 0) {
        await underway
        // there is little output: the step is slower than the agent, so its next output may be sent together with this
        const apart = sent + (bytes.includes(newline) ? apartMs.lines : apartMs.openLine) - performance.now()
        const parts = [bytes]
        const times = [{ byte: 0, at: wroteAt }]
        if (bytes.length < most / 2 && apart > 0 && !last && !ended) {
          await pause(apart)
          const more = await next()
          parts.push(more.bytes)
          if (more.wroteAt >= wroteAt + timesApartMs) times.push({ byte: bytes.length, at: more.wroteAt })
          if (more.last) ended = true
        }
        const joined = parts.length === 1 ? bytes : Buffer.concat(parts)
        const offset = handed
        handed += joined.length
        sent = moved = performance.now()
        underway = send(joined, offset, times)
        underway.catch((cause: unknown) => {
          broken ??= { cause }
          wake()
        })
      } else if (last) {
        await underway
        return handed
      } else await pause(performance.now() - moved < looks.eagerForMs ? looks.eagerMs : looks.idleMs)
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ended) return
    const waiting = new AbortController()
    wake = () => waiting.abort()
    await sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})
  }

  /** A server that was restored to an older state lacks a part of the log, so the log is sent again. */
  async function carry(): Promise<number> {
    for (let restarted = 0; ; restarted++) {
      try {
        return await pump()
      } catch (cause) {
        if (!isGap(cause) || restarted === 3) throw cause
        mask = masker(secrets)
        settled = Buffer.alloc(0)
        at = made = handed = acknowledged = 0
        cut = false
        broken = undefined
      }
    }
  }

  const whole = carry().finally(() => {
    clearInterval(trimming)
    closeSync(file)
  })
  whole.catch((cause: unknown) => {
    if (!until.aborted) failed(cause)
  })

  return {
    end() {
      ended = true
      wake()
      return whole
    },
    acknowledged: () => acknowledged,
    hide(more) {
      secrets.push(...more)
      settled = Buffer.concat([settled, mask.end()])
      mask = masker(secrets)
    },
    stop() {
      own.abort()
      wake()
    },
  }
}

/** A step can set a file's time to anything: one that is older than an agent can have been away is ignored. */
function writtenAt(mtimeMs: number): number {
  const now = Date.now()
  return mtimeMs <= now && mtimeMs > now - 2 * leaseSeconds * 1000 ? Math.trunc(mtimeMs) : now
}

/** The times of the rest when the first bytes are skipped. */
const timesFrom = (times: readonly ByteTime[], skipped: number): string =>
  writeTimes(times.map(({ byte, at }) => ({ byte: Math.max(0, byte - skipped), at })))

const isGap = (cause: unknown): boolean =>
  cause instanceof Refusal && cause.status === 409 && cause.key !== 'agents-attempt-over'
