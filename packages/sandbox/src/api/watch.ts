import type { ServerResponse } from 'node:http'
import type { Cluster } from '../cluster.ts'
import { apiVersionOf, type Kind } from '../objects/kinds.ts'
import { badRequest, expired } from '../objects/status.ts'
import type { Obj } from '../objects/types.ts'
import type { Change } from '../store/store.ts'
import { selection } from './list.ts'
import { integer, isTrue } from './request.ts'

const bookmarkEvery = 60_000

/** The most bytes that a client may leave unread before it is cut off; it resumes at the last version it saw. */
const backlog = 8 * 1024 * 1024

/** The event for a watcher of selected objects: an object that no longer matches counts as deleted. */
function toEvent(change: Change, fits: (object: Obj) => boolean): { type: Change['type']; object: Obj } | undefined {
  const is = change.type !== 'DELETED' && fits(change.object)
  const was = change.previous !== undefined && fits(change.previous)
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: change.object }
  if (!was) return undefined
  // The last state of the object that the watcher saw, with the version of the change that removed it.
  const object = change.type === 'DELETED' ? change.object : (change.previous ?? change.object)
  const metadata = { ...object.metadata, resourceVersion: String(change.version) }
  return { type: 'DELETED', object: { ...object, metadata } }
}

/**
 * Streams changes until the time is up, the client leaves, or `stopped` fires. Throws before the first byte if the
 * parameters are invalid; a history that does not reach back is reported inside the stream, like in the real server.
 */
export function watchObjects(
  cluster: Cluster,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
  response: ServerResponse,
  stopped: AbortSignal,
): void {
  const { store } = cluster
  const fits = selection(kind, query)
  const bookmarks = isTrue(query.get('allowWatchBookmarks'))
  const initial = isTrue(query.get('sendInitialEvents'))
  const seconds = integer(query, 'timeoutSeconds') || 1800 + Math.floor(Math.random() * 1800)
  const since = query.get('resourceVersion') ?? ''
  if (since !== '' && !/^\d+$/.test(since)) throw badRequest(`invalid resource version: ${since}`)
  if (initial && query.get('resourceVersionMatch') !== 'NotOlderThan')
    throw badRequest(
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    )

  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  const send = (type: string, object: unknown): void => {
    response.write(`${JSON.stringify({ type, object })}\n`)
    if (response.writableLength > backlog) response.destroy()
  }
  const bookmark = (annotations?: Record<string, string>): void =>
    send('BOOKMARK', {
      kind: kind.kind,
      apiVersion: apiVersionOf(kind),
      metadata: {
        resourceVersion: String(store.version()),
        creationTimestamp: null,
        ...(annotations ? { annotations } : {}),
      },
    })
  const mine = (change: Change): boolean =>
    change.resource === kind.resource && (namespace === undefined || change.object.metadata.namespace === namespace)
  const pass = (change: Change): void => {
    if (!mine(change)) return
    const event = toEvent(change, fits)
    if (event) send(event.type, event.object)
  }

  const fresh = since === '' || since === '0' || initial
  if (fresh) {
    for (const object of store.list(kind.resource, namespace)) if (fits(object)) send('ADDED', object)
    if (initial && bookmarks) bookmark({ 'k8s.io/initial-events-end': 'true' })
  } else {
    const missed = store.since(Number(since))
    if (!missed) {
      send('ERROR', expired(`too old resource version: ${since} (${store.version()})`).status)
      response.end()
      return
    }
    for (const change of missed) pass(change)
  }
  // Headers must be sent even if nothing happens for a long time.
  response.flushHeaders()

  const unsubscribe = store.subscribe(pass)
  const ticking = bookmarks ? setInterval(bookmark, bookmarkEvery) : undefined
  const end = (): void => {
    if (bookmarks) bookmark()
    response.end()
  }
  const timer = setTimeout(end, Math.min(seconds, 86_400) * 1000)
  const abort = (): void => {
    response.end()
  }
  stopped.addEventListener('abort', abort)
  response.once('close', () => {
    unsubscribe()
    clearInterval(ticking)
    clearTimeout(timer)
    stopped.removeEventListener('abort', abort)
  })
}
