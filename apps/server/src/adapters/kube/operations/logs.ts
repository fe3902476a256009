import { KubeError, networkError } from '../errors.ts'
import { linesOf } from './lines.ts'
import type { Identity } from '../transport/connection.ts'
import { waits } from '../waits.ts'
import type { Transport } from '../transport/transport.ts'

export interface LogOptions {
  container: string
  /** Continues with new lines until the container ends. */
  follow?: boolean
  /** Reads the container's previous instance. */
  previous?: boolean
  /** The last lines, at most this many. */
  tail?: number
  /** RFC 3339; the cluster counts whole seconds, so lines of that second are repeated. */
  since?: string
  timestamps?: boolean
  /** Maximum bytes that the cluster sends. */
  bytes?: number
  signal?: AbortSignal | undefined
  /** Called when the cluster has begun to answer; a quiet container may write nothing for hours. */
  onOpen?: () => void
}

export interface LogLine {
  text: string
  /** RFC 3339 with nanoseconds, as the container runtime wrote it; only with `timestamps`. */
  at?: string
  /** The line was longer than 1 MiB; the rest of it is dropped. */
  cut?: true
}

export const longestLine = 1024 * 1024

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S* /

export function logLine(bytes: Buffer, cut: boolean, timestamps: boolean): LogLine {
  const raw = bytes.toString('utf8')
  const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw
  const found = timestamps ? stamp.exec(text)?.[0] : undefined
  return {
    text: found === undefined ? text : text.slice(found.length),
    ...(found !== undefined && { at: found.trimEnd() }),
    ...(cut && { cut }),
  }
}

/**
 * The lines of a container's log, oldest first. A slow reader slows the cluster down, so nothing is buffered here. Ends
 * with the log; `signal` ends it early, with its reason. Leaving the loop closes the stream.
 */
export async function* readLog(
  transport: Transport,
  path: () => string,
  identity: Identity | undefined,
  options: LogOptions,
): AsyncGenerator<LogLine> {
  const { signal, timestamps = false } = options
  const body = await transport.stream('sessions', {
    method: 'GET',
    path: path(),
    query: {
      container: options.container,
      follow: options.follow,
      previous: options.previous,
      tailLines: options.tail,
      sinceTime: options.since,
      timestamps,
      limitBytes: options.bytes,
    },
    identity,
    signal,
    budget: waits.containerLog,
  })
  options.onOpen?.()
  try {
    for await (const batch of linesOf(body, longestLine))
      for (const { bytes, cut } of batch) yield logLine(bytes, cut, timestamps)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw error instanceof KubeError ? error : networkError(error, transport.server)
  } finally {
    body.destroy()
  }
}
