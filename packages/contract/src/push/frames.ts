import { z } from 'zod'

const topic = z.string().min(1).max(200)

/**
 * What a client sends. `subscribe` is answered by `subscribed`: every event from then on comes, and for `quietMs` before
 * there was none. A page reads and subscribes at one moment, and either may be first: what was read before the quiet began is read again.
 * `resume` subscribes behind the last `seq` that it saw of this topic: what was missed comes after `subscribed`, nothing comes twice. A client sends at least one frame every `pushLimits.idleSeconds`; `ping` is answered by `pong`.
 */
export const PushRequest = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('subscribe'), topic }),
  z.strictObject({ op: z.literal('unsubscribe'), topic }),
  z.strictObject({ op: z.literal('resume'), topic, seq: z.string().max(60) }),
  z.strictObject({ op: z.literal('ping') }),
])
export type PushRequest = z.infer<typeof PushRequest>

/**
 * An event. `seq` is its position in one order for all topics and servers: opaque, comparable as text. Empty for what
 * only one server sees: it is delivered once and cannot be resumed, so a returning client reads again.
 */
export interface PushMessage {
  topic: string
  seq: string
  content: unknown
}

/** `key` is the phrase of `message`: push-duplicate, push-topic-unknown, push-resume-lost (subscribed all the same: read again) … */
export type PushNotice =
  | { op: 'pong' }
  /** From here on every event of the topic comes, and there was none in the milliseconds before, as far as is known. */
  | { op: 'subscribed'; topic: string; quietMs: number }
  | { op: 'error'; topic?: string; key: string; message: string }

export const pushLimits = {
  /** Maximum bytes of a frame from the client. */
  frame: 4 * 1024,
  topics: 100,
  /** Frames from the client per second in the long run, and in a burst: a returning client resumes all its topics. */
  framesPerSecond: 20,
  framesAtOnce: 200,
  idleSeconds: 90,
} as const
