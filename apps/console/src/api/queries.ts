import { type Query, QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Endpoint, isWrite } from '@gantry/contract/endpoint'
import { isHint, type Topic } from '@gantry/contract/topic'
import { addressOf, call, CallError, callingTeam, type CallInput } from './call.ts'
import { dirtyForms } from './draft.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { topics?: readonly Topic[] }
  }
}

export type DataOf<E extends Endpoint> = z.output<E['data']>

/** Longer delays are reported as an error, because the page would look broken meanwhile. */
const maxWaitMs = 5000

/**
 * A refusal is final; without an answer, or after a server error, the read is retried twice, and so it is if the server
 * is overloaded and requests a short delay.
 */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 &&
  error instanceof CallError &&
  (error.retryAfterMs ?? 0) <= maxWaitMs &&
  (error.status === 0 || error.status >= 502 || (error.status === 429 && error.retryAfterMs !== undefined))

/** The delay that the server requests, and a little more, so that not every console returns at the same moment. */
const retryDelay = (failures: number, error: Error): number => {
  const serverDelay = error instanceof CallError ? error.retryAfterMs : undefined
  return serverDelay === undefined ? 1000 * 2 ** failures : serverDelay + Math.random() * 500
}

/** How long an answer counts as fresh. */
export const freshMs = 3000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: worthRetrying,
      retryDelay,
      staleTime: freshMs,
      // A page whose read was started ahead shows its refusal, without another attempt.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > freshMs,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * The query of an endpoint, which is the key, so nobody writes or repeats one. The key ends in the team, because teams
 * get different answers to the same request.
 */
export const read = <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}) =>
  queryOptions({
    queryKey: [endpoint.method, endpoint.path, input, callingTeam()] as const,
    queryFn: ({ signal }): Promise<DataOf<E>> => call(endpoint, input, signal),
    meta: { topics: endpoint.topics },
  })

/** Queries about objects that this tab has deleted: nothing is left to read, and their page is about to close. */
const removedQueries = new WeakSet<Query>()

/** The address of the object that a write deletes; undefined if the deletion has states that can still be read. */
const deletedBy = ({ audit, topics, path }: Endpoint, { params }: CallInput<Endpoint>): string | undefined =>
  audit?.endsWith('.delete') && /:\w+$/.test(path) && topics.every(isHint) ? addressOf({ path }, { params }) : undefined

/** Repeats these reads, and all reads that share a topic with these writes. */
export const refreshReads = (endpoints: readonly Endpoint[], input: CallInput<Endpoint> = {}): Promise<unknown> => {
  const changed = new Set(endpoints.filter(isWrite).flatMap(({ topics }) => topics))
  const deleted = endpoints.flatMap((endpoint) => deletedBy(endpoint, input) ?? [])
  return queryClient.invalidateQueries({
    predicate: (query) => {
      const [method, path, of] = query.queryKey as ReturnType<typeof read>['queryKey']
      // queries that combine several calls have their own key
      if (query.meta?.topics && deleted.some((one) => `${addressOf({ path }, of)}/`.startsWith(`${one}/`))) {
        removedQueries.add(query)
        return false
      }
      return (
        // a GET with an action is a write and does not match reads of its path
        endpoints.some((e) => e.method === method && e.path === path && e.action === undefined) ||
        (query.meta?.topics?.some((topic) => changed.has(topic)) ?? false)
      )
    },
  })
}

/** However many events arrive, a read is repeated at most once in this time. */
const gatherMs = 1000
/** The tab that wrote repeats its reads by itself; the event of its write arrives first, and waits this long. */
const settleMs = 100

interface Following {
  /** When its last answer was requested. */
  requestedAt: number
  /** The time of the last event that an answer must reflect. */
  until: number
  waiting?: ReturnType<typeof setTimeout> | undefined
}

const followings = new WeakMap<Query, Following>()

function followingOf(query: Query): Following {
  const found = followings.get(query) ?? { requestedAt: 0, until: 0 }
  followings.set(query, found)
  return found
}

/** When the last answer of a query was requested. */
export const askedAt = (query: Query): number => followingOf(query).requestedAt

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'fetch') return
  followingOf(event.query).requestedAt = performance.now()
  // its page was opened again
  removedQueries.delete(event.query)
})

/** Queries that wait until no form has unsaved input. */
const heldQueries = new Set<Query>()

/**
 * Repeats a query that was requested before this time, once for all callers. While a form has unsaved input, its data
 * is not replaced: submitting it reports conflicting changes, and no input is lost.
 */
export function readAgain(queryHash: string, until: number): void {
  const query = queryClient.getQueryCache().get(queryHash)
  if (!query || removedQueries.has(query)) return
  const following = followingOf(query)
  following.until = Math.max(following.until, until)
  if (following.waiting !== undefined || following.requestedAt >= following.until) return
  const next = () => {
    following.waiting = undefined
    if (following.requestedAt >= following.until) return
    if (dirtyForms.get() > 0) heldQueries.add(query)
    // Waits for a slow answer: it may be requested more often than it arrives.
    else if (query.state.fetchStatus === 'fetching') following.waiting = setTimeout(next, settleMs)
    else void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
  following.waiting = setTimeout(next, Math.max(settleMs, following.requestedAt + gatherMs - performance.now()))
}

dirtyForms.subscribe(() => {
  if (dirtyForms.get() > 0) return
  const waited = [...heldQueries]
  heldQueries.clear()
  for (const query of waited) readAgain(query.queryHash, followingOf(query).until)
})
