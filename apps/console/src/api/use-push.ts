import { useEffect, useEffectEvent } from 'react'
import type { z } from 'zod'
import { session as calls } from '@gantry/contract/auth/session'
import type { Endpoint } from '@gantry/contract/endpoint'
import { pushPath } from '@gantry/contract/push/frames'
import { call, type CallInput } from './call.ts'
import { freshMs, queryClient, read, useRead, type ReadOptions } from './hooks.ts'
import { createPush, type Listener } from './push.ts'
import { useReadAgain } from './read-again.ts'

/** A websocket's address: same host, same scheme, with a one-use ticket, for a browser cannot give it a header. */
export async function socketAddress(path: string): Promise<string> {
  const { ticket } = await call(calls.ticket, { body: { method: 'GET', path } })
  const url = new URL(path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('authorization', ticket)
  return url.href
}

export const push = createPush({ open: async () => new WebSocket(await socketAddress(pushPath)) })

/** Between half and all of this passes before everything is read again. */
const readAllMs = 2000
let readingAll: ReturnType<typeof setTimeout> | undefined

/**
 * Reads everything that is shown again: once, however many followers missed something, and not at the same moment as every
 * other console that lost the same server.
 */
function readAll(): void {
  readingAll ??= setTimeout(
    () => {
      readingAll = undefined
      void queryClient.invalidateQueries()
    },
    (readAllMs / 2) * (1 + Math.random()),
  )
}

/**
 * Follows a topic while the component is there; no topic, nothing. Where messages may have been missed, because the channel
 * came after it or was away for long, everything that is shown is read again; `onLost` is for what is no query.
 */
export function usePush(topic: string | undefined, onMessage: Listener, onLost?: () => void): void {
  const hear = useEffectEvent(onMessage)
  const lose = useEffectEvent(() => {
    readAll()
    onLost?.()
  })
  useEffect(
    () =>
      topic === undefined
        ? undefined
        : push.subscribe(
            topic,
            (message) => hear(message),
            () => lose(),
          ),
    [topic],
  )
}

/**
 * Begins a read that a page is about to ask for, with the same input, and follows its topic until the page does so itself or
 * would ask anew: what changes meanwhile makes the page read again as it opens.
 */
export function readAhead<E extends Endpoint>(endpoint: E, input: CallInput<E>, topic: string): void {
  const query = read(endpoint, input)
  let changed = false
  const outdate = () => {
    changed = true
    void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
  }
  const leave = push.subscribe(topic, outdate, outdate)
  void queryClient.prefetchQuery(query).finally(() => {
    // The answer may be from before the change, and the page may show it by now.
    if (changed) void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    setTimeout(leave, freshMs)
  })
}

export interface LiveOptions<E extends Endpoint> extends ReadOptions {
  /** Whether a message is about what is shown; absent: each is. */
  concerns?: (content: unknown, shown: z.output<E['data']> | undefined) => boolean
  /** However fast the topic speaks, it is not read more often. Default 1,000. */
  gatherMs?: number
}

/** Reads, and reads again when the topic speaks. */
export function useLive<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  topic: string | undefined,
  { concerns, gatherMs = 1000, ...options }: LiveOptions<E> = {},
) {
  const query = useRead(endpoint, input, options)
  const readAgain = useReadAgain([endpoint.method, endpoint.path, input], gatherMs)
  usePush(topic, ({ content }) => {
    if (!concerns || concerns(content, query.data)) readAgain()
  })
  return query
}
