import { useEffect, useEffectEvent, useState } from 'react'
import { hashKey } from '@tanstack/react-query'
import { session as calls } from '@gantry/contract/auth/session'
import type { Endpoint } from '@gantry/contract/endpoint'
import type { PushMessage } from '@gantry/contract/push/frames'
import { pushPath } from '@gantry/contract/push/path'
import { type Content, isHint, type Topic, type TopicParams } from '@gantry/contract/topic'
import { nameFor } from '@gantry/contract/topic-names'
import { call, callingTeam, type CallInput } from './call.ts'
import { createPush, type OnLost } from './push.ts'
import { askedAt, type DataOf, freshMs, queryClient, read, readAgain } from './queries.ts'
import { signed } from './session.ts'

/** A websocket's address: same host and scheme, with a one-use ticket, because a browser cannot send it a header. */
export async function socketAddress(path: string): Promise<string> {
  const { ticket } = await call(calls.ticket, { body: { method: 'GET', path } })
  const url = new URL(path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('authorization', ticket)
  return url.href
}

export const push = createPush({ open: async () => new WebSocket(await socketAddress(pushPath)) })

/** All reads are repeated after half to all of this time. */
const readAllMs = 2000
let readingAll: ReturnType<typeof setTimeout> | undefined
let missedUntil = 0

/**
 * Repeats all reads on display that were requested before: once, however many subscriptions missed events, and not at
 * the same moment as every other console of the same server.
 */
function readAll(): void {
  missedUntil = performance.now()
  readingAll ??= setTimeout(
    () => {
      readingAll = undefined
      void queryClient.invalidateQueries({ predicate: (query) => askedAt(query) < missedUntil })
    },
    (readAllMs / 2) * (1 + Math.random()),
  )
}

/** Called before a session ends: later reads would not belong to this session. */
export function closePush(): void {
  push.close()
  clearTimeout(readingAll)
  readingAll = undefined
}

interface Hearing<T extends Topic> {
  topic: T
  name: string
}

/** Subscribes to topics by their names while the component is mounted. */
function useNames<T extends Topic>(
  topics: readonly Hearing<T>[],
  onContent: (content: Content<T> | undefined, topic: T) => void,
  onLost: OnLost,
): void {
  const hear = useEffectEvent((message: PushMessage) => {
    const topic = topics.find(({ name }) => name === message.topic)?.topic
    if (topic) onContent(contentOf(topic, message), topic)
  })
  const lose = useEffectEvent((until?: number) => {
    if (until === undefined) readAll()
    onLost(until)
  })
  // No name contains a space.
  const names = [...new Set(topics.map(({ name }) => name))].join(' ')
  useEffect(() => {
    if (names === '') return
    const leaves = names.split(' ').map((name) =>
      push.subscribe(
        name,
        (message) => hear(message),
        (until) => lose(until),
      ),
    )
    return () => leaves.forEach((leave) => leave())
  }, [names])
}

/**
 * Subscribes to topics while the component is mounted; without parameters to none. A message's content is undefined if
 * this console cannot parse it, because a newer server published it: then all reads that it may concern are repeated.
 * If the channel broke and messages may have been missed, all reads on display are repeated; `onLost` is for other
 * data, and is also called if events may have been published since the component was mounted.
 */
export function usePush<T extends Topic>(
  topics: readonly T[],
  params: TopicParams<T> | undefined,
  onContent: (content: Content<T> | undefined) => void,
  onLost?: () => void,
): void {
  const [mounted] = useState(() => performance.now())
  useNames(
    params === undefined ? [] : topics.map((topic) => ({ topic, name: topic.name(params) })),
    onContent,
    (until = Infinity) => {
      if (until > mounted) onLost?.()
    },
  )
}

function contentOf<T extends Topic>(topic: T, { topic: name, content }: PushMessage): Content<T> | undefined {
  const parsed = topic.content.safeParse(content)
  if (parsed.error) reportError(new Error(`what ${name} says cannot be read`, { cause: parsed.error }))
  return parsed.data as Content<T> | undefined
}

/** The objects of a read's topics, if the call does not name them; an array if there are several. */
export type Of<E extends Endpoint> = Partial<TopicParams<E['topics'][number]>>

export interface Following<E extends Endpoint> {
  of?: Of<E> | readonly Of<E>[] | ((data: DataOf<E> | undefined) => readonly Of<E>[])
  /** Whether a message with content concerns the displayed data; absent: every message does. */
  concerns?: (content: Content<E['topics'][number]>, data: DataOf<E> | undefined) => boolean
  /** Applies a message to the displayed data. `whole`: that suffices; otherwise the read is repeated too. */
  apply?: (content: Content<E['topics'][number]>, data: DataOf<E>) => { data: DataOf<E>; whole: boolean } | undefined
}

/** The topics of a read, by their names. */
function topicsOf<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  of: Of<E> | readonly Of<E>[] = {},
): Hearing<E['topics'][number]>[] {
  const teamId = callingTeam()
  const userId = signed.get()?.user.id
  const found = new Map<string, E['topics'][number]>()
  for (const one of Array.isArray(of) ? [{}, ...of] : [of])
    for (const topic of endpoint.topics) {
      const name = nameFor(topic, endpoint, {
        named: { ...(input.params as object | undefined), ...one },
        teamId,
        userId,
      })
      if (name !== undefined) found.set(name, topic)
    }
  return [...found].map(([name, topic]) => ({ name, topic }))
}

/**
 * Keeps a read up to date: repeats it when one of its topics makes it outdated, and when events were published between
 * its request and the acknowledged subscription.
 */
export function useFollow<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  data: DataOf<E> | undefined,
  { of, concerns, apply }: Following<E>,
): void {
  const { queryKey } = read(endpoint, input)
  const hash = hashKey(queryKey)
  useNames(
    endpoint.topics.length === 0 ? [] : topicsOf(endpoint, input, typeof of === 'function' ? of(data) : of),
    (content, topic) => {
      if (content !== undefined && !isHint(topic)) {
        if (concerns?.(content, data) === false) return
        const now = queryClient.getQueryData(queryKey)
        const applied = now === undefined ? undefined : apply?.(content, now)
        if (applied) queryClient.setQueryData(queryKey, applied.data)
        // A pending answer may predate the change.
        if (applied?.whole && queryClient.isFetching({ queryKey }) === 0) return
      }
      readAgain(hash, performance.now())
    },
    (until) => {
      if (until !== undefined) readAgain(hash, until)
    },
  )
}

/** Starts a read that a page is about to make, with the same input, and follows it until the page does or would refetch. */
export function readAhead<E extends Endpoint>(endpoint: E, input: CallInput<E>, of: Of<E> = {}): void {
  const query = read(endpoint, input)
  const outdate = (until?: number) => readAgain(hashKey(query.queryKey), until ?? performance.now())
  void queryClient.prefetchQuery(query)
  const leaves = topicsOf(endpoint, input, of).map(({ name }) => push.subscribe(name, () => outdate(), outdate))
  setTimeout(() => leaves.forEach((leave) => leave()), freshMs)
}
