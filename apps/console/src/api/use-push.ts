import { useEffect, useEffectEvent } from 'react'
import type { z } from 'zod'
import { session as calls } from '@gantry/contract/auth/session'
import type { Endpoint } from '@gantry/contract/endpoint'
import { pushPath, type PushMessage } from '@gantry/contract/push/frames'
import type { Content, Topic, TopicParams } from '@gantry/contract/topic'
import { call, type CallInput } from './call.ts'
import { freshMs, queryClient, read, useRead, type ReadOptions } from './hooks.ts'
import { createPush } from './push.ts'
import { useReadAgain } from './read-again.ts'

/** A websocket's address: same host, same scheme, with a one-use ticket, because a browser cannot send it a header. */
export async function socketAddress(path: string): Promise<string> {
  const { ticket } = await call(calls.ticket, { body: { method: 'GET', path } })
  const url = new URL(path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('authorization', ticket)
  return url.href
}

export const push = createPush({ open: async () => new WebSocket(await socketAddress(pushPath)) })

/** Everything is read again after half to all of this time. */
const readAllMs = 2000
let readingAll: ReturnType<typeof setTimeout> | undefined
/** The hashes of what was read, or was being read, when something may have been missed. What is first read later is whole. */
const outdated = new Set<string>()

/**
 * Refetches everything that is shown: once, however many subscriptions missed something, and not at the same moment as
 * every other console that lost the same server.
 */
function readAll(): void {
  for (const { queryHash } of queryClient.getQueryCache().getAll()) outdated.add(queryHash)
  readingAll ??= setTimeout(
    () => {
      const these = new Set(outdated)
      forgetReadingAll()
      void queryClient.invalidateQueries({ predicate: ({ queryHash }) => these.has(queryHash) })
    },
    (readAllMs / 2) * (1 + Math.random()),
  )
}

function forgetReadingAll(): void {
  clearTimeout(readingAll)
  readingAll = undefined
  outdated.clear()
}

/** Called before a session ends: later reads would not be this session's. */
export function closePush(): void {
  push.close()
  forgetReadingAll()
}

/**
 * Subscribes to topics while the component is mounted; without parameters to none. A message's content is undefined if
 * this console cannot parse it, because a newer server published it: then everything that it may concern is read again.
 * If messages may have been missed, because the channel opened after the subscription or was away for long, everything
 * that is shown is read again; `onLost` is for what is not a query.
 */
export function usePush<T extends Topic>(
  topics: readonly T[],
  params: TopicParams<T> | undefined,
  onContent: (content: Content<T> | undefined) => void,
  onLost?: () => void,
): void {
  const hear = useEffectEvent((at: number, message: PushMessage) => onContent(contentOf(topics[at], message)))
  const lose = useEffectEvent(() => {
    readAll()
    onLost?.()
  })
  // No name contains a space.
  const names = params === undefined ? '' : topics.map((topic) => topic.name(params)).join(' ')
  useEffect(() => {
    if (names === '') return
    const leaves = names.split(' ').map((name, at) =>
      push.subscribe(
        name,
        (message) => hear(at, message),
        () => lose(),
      ),
    )
    return () => leaves.forEach((leave) => leave())
  }, [names])
}

function contentOf<T extends Topic>(
  topic: T | undefined,
  { topic: name, content }: PushMessage,
): Content<T> | undefined {
  const parsed = topic?.content.safeParse(content)
  if (parsed?.error) reportError(new Error(`what ${name} says cannot be read`, { cause: parsed.error }))
  return parsed?.data as Content<T> | undefined
}

/** A read whose answer has topics. */
export type LiveEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType, readonly [Topic, ...Topic[]]>

/** The parameters of a read's topics, besides its input: whose builds, which stack. */
export type ParamsOf<E extends LiveEndpoint> = TopicParams<E['topics'][number]>

/**
 * Starts a read that a page is about to make, with the same input, and subscribes to its topics until the page does so
 * itself or would refetch: a change in between makes the page read again as it opens.
 */
export function readAhead<E extends LiveEndpoint>(endpoint: E, input: CallInput<E>, params: ParamsOf<E>): void {
  const query = read(endpoint, input)
  let changed = false
  const outdate = () => {
    changed = true
    void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
  }
  const leaves = endpoint.topics.map((topic) => push.subscribe(topic.name(params), outdate, outdate))
  void queryClient.prefetchQuery(query).finally(() => {
    // The answer may be from before the change, and already shown.
    if (changed) void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    setTimeout(() => leaves.forEach((leave) => leave()), freshMs)
  })
}

type Shown<E extends LiveEndpoint> = z.output<E['data']> | undefined

interface Following<E extends LiveEndpoint> {
  /** Whether a message concerns what is shown; absent: all do. */
  concerns?: ((content: Content<E['topics'][number]>, shown: Shown<E>) => boolean) | undefined
  /** Refetches at most once in this time, however much is published. Default: 1,000. */
  gatherMs?: number | undefined
}

/** Refetches a read when one of its topics has an event. */
export function useReadAgainOnPush<E extends LiveEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  params: ParamsOf<E> | undefined,
  shown: Shown<E>,
  { concerns, gatherMs = 1000 }: Following<E> = {},
): void {
  const readAgain = useReadAgain([endpoint.method, endpoint.path, input], gatherMs)
  usePush<E['topics'][number]>(endpoint.topics, params, (content) => {
    if (content === undefined || !concerns || concerns(content, shown)) readAgain()
  })
}

export interface LiveOptions<E extends LiveEndpoint> extends ReadOptions, Following<E> {}

/** Reads, and refetches when one of the read's topics has an event. */
export function useLive<E extends LiveEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  params: ParamsOf<E> | undefined,
  { concerns, gatherMs, ...options }: LiveOptions<E> = {},
) {
  const query = useRead(endpoint, input, options)
  useReadAgainOnPush(endpoint, input, params, query.data, { concerns, gatherMs })
  return query
}
