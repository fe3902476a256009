import { followServicePath, type LogSource } from '@gantry/contract/stacks/containers/logs'
import { addressOf } from '../../../api/call.ts'
import { socketAddress } from '../../../api/use-push.ts'

/** The service whose logs are followed; optionally only a pod or a container: `pod` or `pod/container`. */
export interface Followed {
  teamId: number
  envId: string
  id: number
  pod: string
  quantity: number
}

export interface FollowLine {
  source: LogSource | undefined
  at: string
  text: string
}

export interface FollowState {
  state: 'connecting' | 'open' | 'waiting'
  /** While it waits: why the server ended the connection, in the user's language, if it gave a reason. */
  reason: string
  sources: readonly LogSource[]
  /** The number of logs beyond the maximum that is followed at once. */
  left: number
}

export interface FollowPorts {
  lines: (lines: readonly FollowLine[]) => void
  state: (state: FollowState) => void
  /** Following restarts: the lines so far are sent again. */
  anew: () => void
  /** A new, unopened socket. */
  open?: (followed: Followed) => Promise<WebSocket>
}

const firstWaitMs = 1000
const longestWaitMs = 15_000

interface Frame {
  sources?: readonly LogSource[]
  left?: number
  lines?: readonly (readonly [n: number, at: string, text: string])[]
  end?: string
}

async function openSocket({ teamId, envId, id, pod, quantity }: Followed): Promise<WebSocket> {
  const address = new URL(
    await socketAddress(addressOf({ path: followServicePath }, { params: { teamId, envId, id } })),
  )
  address.searchParams.set('quantity', String(quantity))
  if (pod !== '') address.searchParams.set('pod', pod)
  return new WebSocket(address)
}

/** A connecting socket is closed after it has opened: otherwise a browser reports an error. */
function closeQuietly(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close())
  else socket.close()
}

/** Follows the merged logs of a service. A closed connection is reopened, with growing delays. */
export function followLogs(followed: Followed, { lines, state, anew, open = openSocket }: FollowPorts): () => void {
  let over = false
  let attempt = 0
  let socket: WebSocket | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let now: FollowState = { state: 'connecting', reason: '', sources: [], left: 0 }
  const tell = (more: Partial<FollowState>): void => {
    now = { ...now, ...more }
    state(now)
  }
  const again = (): void => {
    if (over || retry !== undefined) return
    tell({ state: 'waiting' })
    retry = setTimeout(
      () => {
        retry = undefined
        void connect()
      },
      Math.min(longestWaitMs, firstWaitMs * 2 ** attempt++),
    )
  }
  async function connect(): Promise<void> {
    tell({ state: 'connecting', reason: '' })
    let made: WebSocket
    try {
      made = await open(followed)
    } catch {
      return again()
    }
    if (over) return closeQuietly(made)
    socket = made
    const known = new Map<number, LogSource>()
    made.addEventListener('open', () => {
      if (over) return
      anew()
      tell({ state: 'open' })
    })
    made.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const frame = JSON.parse(data) as Frame
      if (frame.sources) {
        for (const source of frame.sources) known.set(source.n, source)
        tell({ sources: frame.sources, left: frame.left ?? 0 })
      }
      if (frame.lines) {
        attempt = 0
        lines(frame.lines.map(([n, at, text]) => ({ source: known.get(n), at, text })))
      }
      if (frame.end !== undefined) tell({ reason: frame.end })
    })
    made.addEventListener('close', again)
  }
  void connect()
  return () => {
    over = true
    clearTimeout(retry)
    if (socket) closeQuietly(socket)
  }
}
