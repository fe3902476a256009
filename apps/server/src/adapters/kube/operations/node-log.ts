import { KubeError, networkError } from '../errors.ts'
import { linesOf } from './lines.ts'
import type { Identity } from '../transport/connection.ts'
import { waits } from '../waits.ts'
import type { Transport } from '../transport/transport.ts'

export interface NodeLogOptions {
  /** A service of the node, as its journal or its files in /var/log call it. */
  service: string
  /** RFC 3339. */
  since?: string | undefined
  until?: string | undefined
  /** The last so many lines. */
  tail: number
  signal?: AbortSignal | undefined
}

/** The longest line, and the most of a log, that is read. */
const longestLine = 64 * 1024
const most = 16 * 1024 * 1024

/** A kubelet that does not know the query serves the folder of its logs instead: a page of links. */
const isFolder = (line: string): boolean => /^\s*<(?:!doctype|pre|html)\b/i.test(line)

/**
 * Lines of a node's service, oldest first, by the kubelet's node log query; undefined where the kubelet does not offer it.
 * Reads no more than 16 MiB; what is before that is left out by asking for fewer lines.
 */
export async function readNodeLog(
  transport: Transport,
  path: string,
  identity: Identity | undefined,
  { service, since, until, tail, signal }: NodeLogOptions,
): Promise<string[] | undefined> {
  const body = await transport
    .stream('sessions', {
      method: 'GET',
      path: `${path}/proxy/logs/`,
      // A kubelet names no type of its logs, and refuses who wants one.
      accept: '*/*',
      query: { query: service, sinceTime: since, untilTime: until, tailLines: tail },
      identity,
      signal,
      budget: waits.hostLog,
    })
    .catch((error: unknown) => {
      // Logs are switched off as a whole, or there is no such path; a node that is not there is named.
      const { status, details } = error instanceof KubeError ? error : {}
      if (status === 405 || (status === 404 && details?.kind !== 'nodes')) return undefined
      throw error
    })
  if (!body) return undefined
  const lines: string[] = []
  let size = 0
  try {
    for await (const batch of linesOf(body, longestLine))
      for (const { bytes } of batch) {
        const line = bytes.toString('utf8')
        if (lines.length === 0 && isFolder(line)) return undefined
        size += bytes.length
        if (size > most) throw new KubeError('too-large', transport.server, `the log is larger than ${most} bytes`)
        lines.push(line)
      }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw error instanceof KubeError ? error : networkError(error, transport.server)
  } finally {
    body.destroy()
  }
  return lines
}
