import { KubeError, networkError } from '../errors.ts'
import { linesOf } from './lines.ts'
import type { Identity } from '../transport/connection.ts'
import { waits } from '../waits.ts'
import type { Transport } from '../transport/transport.ts'

export interface NodeLogOptions {
  /** A service of the node, by its name in the journal or in /var/log. */
  service: string
  /** RFC 3339. */
  since?: string | undefined
  until?: string | undefined
  /** The last lines, at most this many. */
  tail: number
  signal?: AbortSignal | undefined
}

/** Limits of a line, and of the whole log. */
const longestLine = 64 * 1024
const most = 16 * 1024 * 1024

/** A kubelet without log queries serves the folder of its logs instead, as a page of links. */
const isFolder = (line: string): boolean => /^\s*<(?:!doctype|pre|html)\b/i.test(line)

/**
 * Lines of a node's service, oldest first, by the kubelet's node log query; undefined if the kubelet does not support
 * it. Reads at most 16 MiB; request fewer lines to skip the older ones.
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
      // a kubelet declares no content type for its logs, and refuses requests that ask for one
      accept: '*/*',
      query: { query: service, sinceTime: since, untilTime: until, tailLines: tail },
      identity,
      signal,
      budget: waits.hostLog,
    })
    .catch((error: unknown) => {
      // logs are disabled on the kubelet, or the path is unknown; a missing node is reported by name
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
