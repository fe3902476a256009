import { z } from 'zod'

const topic = z.string().min(1).max(200)

/**
 * Frames from a client. `subscribe` is answered by `subscribed`: every later event is delivered, and for `quietMs`
 * before there was none. A page reads and subscribes at once, in either order: what was read before the quiet time is
 * read again. `resume` subscribes from the last seen `seq` of this topic on: missed events follow, none comes twice. A
 * client sends at least one frame every `pushLimits.idleSeconds`; `ping` is answered by `pong`.
 */
export const PushRequest = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('subscribe'), topic }),
  z.strictObject({ op: z.literal('unsubscribe'), topic }),
  z.strictObject({ op: z.literal('resume'), topic, seq: z.string().max(60) }),
  z.strictObject({ op: z.literal('ping') }),
])
export type PushRequest = z.infer<typeof PushRequest>

/**
 * An event. `seq` is its position in one order of all topics and servers: opaque, comparable as text. Empty for events
 * of a single server: they are delivered once and cannot be resumed, so a client that reconnects reads again.
 */
export interface PushMessage {
  topic: string
  seq: string
  content: unknown
}

/** `key` is the phrase of `message`: push-duplicate, push-topic-unknown, push-resume-lost (subscribed; read again) … */
export type PushNotice =
  | { op: 'pong' }
  /** Every later event of the topic is delivered. As far as known there was none in the milliseconds before. */
  | { op: 'subscribed'; topic: string; quietMs: number }
  | { op: 'error'; topic?: string; key: string; message: string }

export const pushLimits = {
  /** Maximum bytes of a frame from the client. */
  frame: 4 * 1024,
  topics: 100,
  /** Frames from the client per second on average, and in a burst: a returning client resumes all its topics. */
  framesPerSecond: 20,
  framesAtOnce: 200,
  idleSeconds: 90,
} as const
