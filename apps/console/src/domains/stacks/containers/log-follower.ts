import { followPath } from '@gantry/contract/stacks/containers'
import { addressOf } from '../../../api/call.ts'
import { socketAddress } from '../../../api/use-push.ts'
import { inOrder, logCursor, type LogEntry } from './log-merge.ts'

/** One container whose log is followed. */
export interface Followed {
  /** Names it among those that are followed together. */
  key: string
  teamId: number
  envId: string
  podId: string
  name: string
}

export interface FollowState {
  state: 'connecting' | 'open' | 'waiting'
  /** While it waits: why the server ended it, in the user's language, where it said so. */
  reason?: string
}

export interface FollowLine extends LogEntry {
  key: string
}

export interface FollowPorts {
  /** New lines of all containers, in order. */
  lines: (lines: readonly FollowLine[]) => void
  states: (states: ReadonlyMap<string, FollowState>) => void
  /** A new, unopened socket. */
  open?: (target: Followed, quantity: number) => Promise<WebSocket>
}

/** How long lines wait for those of the other containers; the first ones longer, because all arrive at once. */
const holdMs = 150
const firstHoldMs = 500
const firstWaitMs = 1000
const longestWaitMs = 15_000

interface Frame {
  lines?: readonly LogEntry[]
  end?: string
}

async function openSocket({ teamId, envId, podId, name }: Followed, quantity: number): Promise<WebSocket> {
  const address = new URL(
    await socketAddress(addressOf({ path: followPath }, { params: { teamId, envId, podId, name } })),
  )
  address.searchParams.set('quantity', String(quantity))
  return new WebSocket(address)
}

/** One that is still connecting is closed once it is open: otherwise a browser reports an error. */
function closeQuietly(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close())
  else socket.close()
}

/**
 * Follows the logs of several containers as one. A connection that ends is reopened, later each time, for as long as
 * its container is wanted: the container may start again. No line is delivered twice.
 */
export function followLogs(quantity: number, { lines, states, open = openSocket }: FollowPorts) {
  const running = new Map<string, () => void>()
  const known = new Map<string, FollowState>()
  let held: FollowLine[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let first = true

  const tell = (key: string, state: FollowState | undefined): void => {
    if (state === undefined) known.delete(key)
    else known.set(key, state)
    states(new Map(known))
  }
  const flush = (): void => {
    timer = undefined
    first = false
    const ready = held
    held = []
    lines(inOrder(ready))
  }
  const hold = (added: readonly FollowLine[]): void => {
    held.push(...added)
    timer ??= setTimeout(flush, first ? firstHoldMs : holdMs)
  }

  function start(target: Followed): () => void {
    const { key } = target
    const cursor = logCursor()
    let over = false
    let attempt = 0
    let socket: WebSocket | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let reason = ''
    const again = (): void => {
      if (over || retry !== undefined) return
      tell(key, { state: 'waiting', reason })
      const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt++)
      retry = setTimeout(() => {
        retry = undefined
        void connect()
      }, wait)
    }
    async function connect(): Promise<void> {
      tell(key, { state: 'connecting' })
      reason = ''
      cursor.begin()
      let made: WebSocket
      try {
        made = await open(target, quantity)
      } catch {
        return again()
      }
      if (over) return closeQuietly(made)
      socket = made
      made.addEventListener('open', () => {
        if (over) return
        tell(key, { state: 'open' })
        hold([])
      })
      made.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const frame = JSON.parse(data) as Frame
        reason = frame.end ?? ''
        if (!frame.lines) return
        const fresh = cursor.take(frame.lines)
        if (fresh.length === 0) return
        attempt = 0
        hold(fresh.map((line) => ({ ...line, key })))
      })
      made.addEventListener('close', again)
    }
    void connect()
    return () => {
      over = true
      clearTimeout(retry)
      if (socket) closeQuietly(socket)
      tell(key, undefined)
    }
  }

  return {
    /** Follows these and no others. */
    set(targets: readonly Followed[]): void {
      const wanted = new Set(targets.map(({ key }) => key))
      for (const [key, stop] of running) {
        if (wanted.has(key)) continue
        running.delete(key)
        stop()
      }
      for (const target of targets) if (!running.has(target.key)) running.set(target.key, start(target))
      // Nothing to wait for: the view is empty, not loading.
      if (targets.length === 0) hold([])
    },
    close(): void {
      for (const stop of running.values()) stop()
      running.clear()
      clearTimeout(timer)
    },
  }
}
