import type { WebSocket } from 'ws'

/** Bytes that wait before their sender is told to wait. */
const mostBytes = 256 * 1024
/** What an item costs beside its bytes, so that a million empty ones are not free: 2048 of them fill a queue. */
const itemBytes = 128
/** What comes in quick succession is taken together: too short to be seen, and long enough that a flood is a few large pieces. */
const apartMs = 5

export interface Inbox<T> {
  push: (item: T) => void
  /** Nothing more is wanted; what waits is still read. */
  end: () => void
  /** All that waits, as often as something does and the last is a moment ago: many small items cost their reader no more than a large one. */
  batches: () => AsyncGenerator<T[]>
}

/**
 * What a websocket brought, until somebody takes it. While much of it waits the websocket is paused, so that a slow reader slows
 * the peer down and nothing piles up here.
 */
export function openInbox<T>(
  ws: Pick<WebSocket, 'pause' | 'resume' | 'isPaused'>,
  sizeOf: (item: T) => number,
): Inbox<T> {
  let waiting: T[] = []
  let size = 0
  let over = false
  let onItem = () => {}
  let onFull = () => {}
  const flow = () => {
    if (ws.isPaused) ws.resume()
  }
  return {
    push: (item) => {
      if (over) return
      waiting.push(item)
      size += itemBytes + sizeOf(item)
      if (size > mostBytes) {
        ws.pause()
        onFull()
      }
      onItem()
    },
    end: () => {
      over = true
      // A websocket that is not read never hears its peer say goodbye.
      flow()
      onItem()
      onFull()
    },
    batches: async function* () {
      for (;;) {
        if (waiting.length > 0) {
          const batch = waiting
          waiting = []
          size = 0
          flow()
          yield batch
          if (over || size > mostBytes) continue
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, apartMs)
            onFull = () => {
              clearTimeout(timer)
              resolve()
            }
          })
        } else if (over) return
        else
          await new Promise<void>((resolve) => {
            onItem = resolve
          })
      }
    },
  }
}

/** Sends, and resolves once the bytes left this process or the websocket is gone: who awaits it never piles them up. Rejects never. */
export const sent = (ws: WebSocket, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => ws.send(data, () => resolve()))
