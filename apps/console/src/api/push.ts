import type { PushMessage, PushNotice, PushRequest } from '@gantry/contract/push/frames'

/**
 * The push channel: one websocket per tab, open while somebody is signed in. A beat every 3 s; three unanswered ones
 * close it. It reconnects after 1 s, then twice as long each time up to 30 s, with jitter, so that a thousand consoles
 * do not return at once. Topics resume after the last seen sequence number, and no message is delivered twice. If
 * something may have been missed nevertheless, `lost` is called: earlier reads must be repeated.
 */
export const beatMs = 3000
export const missedBeats = 3
const firstWaitMs = 1000
const longestWaitMs = 30_000
/** The close code for a user whose permission was revoked. RFC 6455, section 7.4. */
const closedByPolicy = 1008

export type Listener = (message: PushMessage) => void

/**
 * Called if the channel broke and events may have been missed; with a time, if undelivered events may have been
 * published before that time, but none since. Times are those of `performance.now()`.
 */
export type OnLost = (until?: number) => void

interface Follower {
  hear: Listener
  lost: OnLost
}

export interface PushPorts {
  /** Creates an unopened socket; rejects if no ticket can be had. */
  open: () => Promise<WebSocket>
  /** Between 0 and 1. */
  random?: () => number
}

interface Topic {
  followers: Set<Follower>
  /** The last time at which an event was, or may have been, published; undefined before the first acknowledgement. */
  changed: number | undefined
  seq: string | undefined
}

export interface Push {
  /** Topics may be subscribed to before this. */
  open: () => void
  subscribe: (topic: string, hear: Listener, lost?: OnLost) => () => void
  close: () => void
}

/** The wait before the nth reconnect: half fixed, half random. */
export function waitBefore(attempt: number, random: number): number {
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt)
  return full / 2 + (full / 2) * random
}

export function createPush({ open, random = Math.random }: PushPorts): Push {
  const topics = new Map<string, Topic>()
  let socket: WebSocket | undefined
  let opening = false
  let attempt = 0
  let openedAt = 0
  let unanswered = 0
  let beat: ReturnType<typeof setInterval> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let wanted = false

  const send = (frame: PushRequest): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }
  const tellLost = (topic: Topic, until?: number): void => {
    for (const follower of topic.followers) follower.lost(until)
  }
  const follow = (name: string, topic: Topic): void =>
    send(topic.seq === undefined ? { op: 'subscribe', topic: name } : { op: 'resume', topic: name, seq: topic.seq })

  function lost(was: WebSocket | undefined, code = 0): void {
    if (was !== socket) return
    clearInterval(beat)
    socket = undefined
    was?.close()
    if (!wanted) return
    clearTimeout(retry)
    // The permission was revoked: reconnecting at once tells whether the session has ended. But not in a loop.
    const refused = code === closedByPolicy && Date.now() - openedAt > beatMs
    retry = setTimeout(() => void connect(), refused ? 0 : waitBefore(attempt++, random()))
  }

  const isWanted = () => wanted
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
    if (!isWanted()) return made.close()
    socket = made
    made.addEventListener('open', () => {
      attempt = 0
      unanswered = 0
      openedAt = Date.now()
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
    made.addEventListener('close', ({ code }) => lost(made, code))
    made.addEventListener('error', () => lost(made))
  }

  function receive(text: string): void {
    let frame: PushMessage | PushNotice
    try {
      frame = JSON.parse(text) as PushMessage | PushNotice
    } catch {
      return
    }
    const topic = topics.get(('topic' in frame && frame.topic) || '')
    if (!topic) return
    if ('op' in frame) {
      if (frame.op === 'error' && frame.key === 'push-resume-lost') tellLost(topic)
      // Otherwise it is resumed after the last event.
      if (frame.op === 'subscribed' && topic.seq === undefined) {
        const isFirst = topic.changed === undefined
        topic.changed = performance.now() - frame.quietMs
        tellLost(topic, isFirst ? topic.changed : undefined)
      }
      return
    }
    // An event without a sequence number is momentary, and delivered once.
    if (frame.seq !== '') {
      if (topic.seq !== undefined && frame.seq <= topic.seq) return
      topic.seq = frame.seq
    }
    topic.changed = performance.now()
    for (const follower of topic.followers) follower.hear(frame)
  }

  return {
    open() {
      wanted = true
      void connect()
    },
    subscribe(name, hear, lost = () => undefined) {
      const topic: Topic = topics.get(name) ?? { followers: new Set(), changed: undefined, seq: undefined }
      const follower: Follower = { hear, lost }
      topic.followers.add(follower)
      if (!topics.has(name)) {
        topics.set(name, topic)
        follow(name, topic)
      } else if (topic.changed !== undefined) lost(topic.changed)
      return () => {
        topic.followers.delete(follower)
        if (topic.followers.size > 0 || topics.get(name) !== topic) return
        topics.delete(name)
        send({ op: 'unsubscribe', topic: name })
      }
    },
    close() {
      wanted = false
      topics.clear()
      clearTimeout(retry)
      clearInterval(beat)
      const was = socket
      socket = undefined
      was?.close()
    },
  }
}
