import type { ServerResponse } from 'node:http'
import { type Answer, type FakeApi, fakeApi, refuse, reply } from './kube-api.ts'

interface Stored {
  metadata: { name: string; namespace?: string; uid?: string; resourceVersion?: string; [more: string]: unknown }
  [more: string]: unknown
}

/**
 * An API server with paged lists and watches, for tests of cluster watches: `put` and `drop` change its objects and
 * notify its watches. Kinds by their plural. Stopped when disposed.
 */
export async function watchedApi(kinds: Record<string, Stored[]>) {
  let version = 1000
  const watches = new Map<string, Set<ServerResponse>>()
  const objects = new Map(
    Object.entries(kinds).map(([kind, list]) => [kind, new Map(list.map((one) => [keyOf(one), stamped(one)]))]),
  )

  function keyOf({ metadata: { namespace = '', name } }: Stored): string {
    return `${namespace}/${name}`
  }
  function stamped(object: Stored): Stored {
    const uid = object.metadata.uid ?? `uid-${keyOf(object)}`
    return { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(++version) } }
  }
  const tell = (kind: string, type: string, object: Stored) => {
    for (const watch of watches.get(kind) ?? []) watch.write(`${JSON.stringify({ type, object })}\n`)
  }

  const normal: Answer = ({ path, query }, response) => {
    const kind = path.split('/').at(-1) ?? ''
    const there = objects.get(kind)
    if (path === '/version') return reply(response, { major: '1', minor: '34', gitVersion: 'v1.34.4' })
    if (!there) return refuse(response, 404, 'NotFound')
    if (query.get('watch') === 'true') {
      response.writeHead(200).flushHeaders()
      const all = watches.get(kind) ?? new Set()
      watches.set(kind, all.add(response))
      return response.once('close', () => all.delete(response))
    }
    const list = [...there.values()]
    const from = Number(query.get('continue') ?? 0)
    const to = from + Number(query.get('limit') ?? list.length)
    const next = to < list.length ? { continue: String(to) } : {}
    return reply(response, { metadata: { resourceVersion: String(version), ...next }, items: list.slice(from, to) })
  }
  const api: FakeApi = await fakeApi(normal)

  return {
    ...api,
    /** the default answers, to restore by `answer` */
    normal,
    /** Number of open watches of a kind. */
    watching: (kind: string): number => watches.get(kind)?.size ?? 0,
    put: (kind: string, object: Stored): void => {
      const there = objects.get(kind) ?? new Map<string, Stored>()
      objects.set(kind, there)
      const known = there.has(keyOf(object))
      const now = stamped(object)
      there.set(keyOf(now), now)
      tell(kind, known ? 'MODIFIED' : 'ADDED', now)
    },
    drop: (kind: string, name: string, namespace?: string): void => {
      const key = keyOf({ metadata: { name, ...(namespace !== undefined && { namespace }) } })
      const there = objects.get(kind)
      const object = there?.get(key)
      if (!there || !object) return
      there.delete(key)
      tell(kind, 'DELETED', stamped(object))
    },
  }
}
