import type { WebSocket } from 'ws'

/** Queued bytes above which the sender has to wait. */
const maxBytes = 256 * 1024
/** The cost of an item besides its bytes, so that empty ones are not free: 2048 of them fill a queue. */
const itemBytes = 128
/**
 * Items in quick succession are batched: too short to be noticed, and long enough to turn a flood into a few large
 * pieces.
 */
const apartMs = 5

export interface Inbox<T> {
  push: (item: T) => void
  /** Accepts no more; what is queued is still read. */
  end: () => void
  /**
   * Yields everything queued, once the last batch is `apartMs` old: many small items cost their reader no more than a
   * large one.
   */
  batches: () => AsyncGenerator<T[]>
}

/**
 * Queues messages of a websocket until they are read. While many are queued the websocket is paused, so that a slow
 * reader slows the peer down and memory stays bounded.
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
      if (size > maxBytes) {
        ws.pause()
        onFull()
      }
      onItem()
    },
    end: () => {
      over = true
      // A paused websocket never notices that its peer closes.
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
          if (over || size > maxBytes) continue
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

/**
 * Sends, and resolves once the bytes have left this process or the websocket is gone: a caller that awaits it never
 * buffers more. Never rejects.
 */
export const sendMessage = (ws: WebSocket, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => ws.send(data, () => resolve()))
