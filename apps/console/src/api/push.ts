/**
 * The push channel: one websocket a tab, opened when something is first followed. A beat every 3 s; three that stay
 * unanswered end the connection. It comes back after 1 s, then twice as long each time up to 30 s, with jitter, so that
 * a thousand consoles do not return at once. Topics are taken up again behind the last sequence number that was seen, and a
 * message that was seen is not delivered twice.
 */
export const beatMs = 3000
export const missedBeats = 3
const firstWaitMs = 1000
const longestWaitMs = 30_000

export interface Message {
  topic: string
  seq: number
  content: unknown
}

interface Frame {
  op?: 'pong' | 'error'
  topic?: string
  seq?: number
  content?: unknown
  message?: string
}

export type Listener = (message: Message) => void

export interface PushPorts {
  /** A new, unopened socket; rejects where no ticket is to be had. */
  open: () => Promise<WebSocket>
  /** Between 0 and 1. */
  random?: () => number
}

interface Topic {
  listeners: Set<Listener>
  seq: number | undefined
}

export interface Push {
  subscribe: (topic: string, listener: Listener) => () => void
  close: () => void
}

/** How long to wait before the nth try to come back: half fixed, half chance. */
export function waitBefore(attempt: number, random: number): number {
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt)
  return full / 2 + (full / 2) * random
}

export function createPush({ open, random = Math.random }: PushPorts): Push {
  const topics = new Map<string, Topic>()
  let socket: WebSocket | undefined
  let opening = false
  let attempt = 0
  let unanswered = 0
  let beat: ReturnType<typeof setInterval> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const send = (frame: object): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }
  const follow = (name: string, topic: Topic): void =>
    send(topic.seq === undefined ? { op: 'subscribe', topic: name } : { op: 'resume', topic: name, seq: topic.seq })

  function lost(was: WebSocket | undefined): void {
    if (was !== socket) return
    clearInterval(beat)
    socket = undefined
    was?.close()
    if (topics.size === 0) return
    clearTimeout(retry)
    retry = setTimeout(() => void connect(), waitBefore(attempt++, random()))
  }

  async function connect(): Promise<void> {
    if (socket || opening) return
    opening = true
    let made: WebSocket
    try {
      made = await open()
    } catch {
      opening = false
      return lost(undefined)
    }
    opening = false
    if (topics.size === 0) return made.close()
    socket = made
    made.addEventListener('open', () => {
      attempt = 0
      unanswered = 0
      for (const [name, topic] of topics) follow(name, topic)
      beat = setInterval(() => {
        if (unanswered >= missedBeats) return lost(made)
        unanswered += 1
        send({ op: 'ping' })
      }, beatMs)
    })
    made.addEventListener('message', (event: MessageEvent<unknown>) => {
      unanswered = 0
      if (typeof event.data === 'string') receive(event.data)
    })
    made.addEventListener('close', () => lost(made))
    made.addEventListener('error', () => lost(made))
  }

  function receive(text: string): void {
    let frame: Frame
    try {
      frame = JSON.parse(text) as Frame
    } catch {
      return
    }
    if (frame.op !== undefined || frame.topic === undefined || frame.seq === undefined) return
    const topic = topics.get(frame.topic)
    if (!topic || (topic.seq !== undefined && frame.seq <= topic.seq)) return
    topic.seq = frame.seq
    for (const listener of topic.listeners) listener({ topic: frame.topic, seq: frame.seq, content: frame.content })
  }

  return {
    subscribe(name, listener) {
      const topic = topics.get(name) ?? { listeners: new Set(), seq: undefined }
      topic.listeners.add(listener)
      if (!topics.has(name)) {
        topics.set(name, topic)
        follow(name, topic)
      }
      void connect()
      return () => {
        topic.listeners.delete(listener)
        if (topic.listeners.size > 0 || topics.get(name) !== topic) return
        topics.delete(name)
        send({ op: 'unsubscribe', topic: name })
      }
    },
    close() {
      topics.clear()
      clearTimeout(retry)
      clearInterval(beat)
      const was = socket
      socket = undefined
      was?.close()
    },
  }
}
