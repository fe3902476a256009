import { pathOf } from '../client.ts'
import type { Selection } from '../client.ts'
import { answerError, KubeError, networkError } from '../errors.ts'
import type { Status } from '../errors.ts'
import { linesOf } from '../operations/lines.ts'
import type { KubeObject } from '../objects.ts'
import type { Resource } from '../resources.ts'
import type { Transport } from '../transport/transport.ts'

export type WatchEvent<T> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T; version: string }
  /** There were no other changes up to this version. */
  | { type: 'BOOKMARK'; version: string }

export interface WatchOptions extends Selection {
  /** The version after which the watch continues. */
  version: string
  /** The server ends the watch after this many seconds. */
  seconds: number
  /** Ms of silence after which a server that sends bookmarks counts as dead. It sends one per minute. */
  quiet: number
  signal: AbortSignal
  /** Called once the watch is open. */
  opened?: () => void
}

/** Objects are at most 1.5 MB in etcd, and larger as JSON. */
const longestEvent = 16 * 1024 * 1024
/** Ms that a server may keep a watch open beyond the agreed time before it is ended here. */
const grace = 10_000

function parseEvent<T extends KubeObject>(line: string, transport: Transport): WatchEvent<T> {
  const { server } = transport
  let event: { type: string; object: T & Status }
  try {
    event = JSON.parse(line) as typeof event
  } catch {
    throw new KubeError('reset', server, 'the watch broke off in the middle of an event')
  }
  const { type, object } = event
  if (type === 'ERROR') throw answerError(transport, object.code ?? 500, JSON.stringify(object))
  const version = object.metadata?.resourceVersion ?? ''
  if (type === 'BOOKMARK') return { type, version }
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') return { type, object, version }
  throw new KubeError('protocol', server, `the watch sent an event of the type ${String(type).slice(0, 40)}`)
}

/**
 * The changes of a kind after a version, in the batches in which they arrive. Ends when the server ends the watch
 * normally; throws KubeError (`gone` if the version is too old, as a status or within the stream) or the signal's
 * reason. A silently dead peer is noticed by its missing bookmarks, or at the latest when the watch should have ended.
 */
export async function* watch<T extends KubeObject>(
  transport: Transport,
  resource: Resource<T>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>[]> {
  const { server } = transport
  const body = await transport.stream('watches', {
    method: 'GET',
    path: pathOf(resource, options.namespace, server),
    query: {
      watch: true,
      resourceVersion: options.version,
      allowWatchBookmarks: true,
      timeoutSeconds: options.seconds,
      labelSelector: options.labels,
      fieldSelector: options.fields,
    },
    signal: options.signal,
  })
  options.opened?.()
  const dead = () => body.destroy(new KubeError('timeout', server, 'the watch fell silent'))
  const end = setTimeout(dead, options.seconds * 1000 + grace)
  let silence: NodeJS.Timeout | undefined
  try {
    for await (const lines of linesOf(body, longestEvent)) {
      const batch: WatchEvent<T>[] = []
      for (const { bytes, cut } of lines) {
        if (cut) throw new KubeError('too-large', server, 'an event is larger than is read')
        if (bytes.length === 0) continue
        const event = parseEvent<T>(bytes.toString('utf8'), transport)
        if (event.type === 'BOOKMARK') silence ??= setTimeout(dead, options.quiet)
        batch.push(event)
      }
      silence?.refresh()
      if (batch.length > 0) yield batch
    }
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    throw networkError(error, server)
  } finally {
    clearTimeout(end)
    clearTimeout(silence)
    body.destroy()
  }
}
