import { randomUUID } from 'node:crypto'
import { pushLimits, type PushMessage, type PushNotice, PushRequest } from '@gantry/contract/push/frames'
import { pushPath } from '@gantry/contract/push/path'
import type { Access } from '@gantry/contract/endpoint'
import { paramsIn, type TopicAccess, type TopicRule } from '@gantry/contract/topic'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { WebSocket } from 'ws'
import { systemActor } from '../../kernel/context.ts'
import type { Event } from '../../kernel/events/event.ts'
import { Fault, type Vars } from '../../kernel/fault.ts'
import type { Caller } from '../../identity/sessions.ts'
import { tryParseJson } from '../../kernel/json.ts'
import { admit } from '../admit.ts'
import { openTurns } from '../limits.ts'
import { say } from '../../kernel/phrase.ts'
import { ctxOf, type Server } from '../server.ts'
import { closeCodes, type Sockets } from '../sockets/sockets.ts'
import { type Joined, openSources, type ServedTopic } from './sources.ts'

/** Beyond this a client reads too slowly: its socket is closed, and it reconnects and resumes. */
const maxBuffered = 1024 * 1024
/** Events that wait while a topic's missed events are read; beyond this the client has to reconnect and resume. */
const maxWaiting = 1_000
/** Number of topics whose last publication this replica remembers. */
const maxRemembered = 10_000
/**
 * Frames of one user, over all sockets, that query the database at once: the other connections are left for other
 * users.
 */
const framesEach = 8

type Match = ServedTopic & { params: Record<string, string> }

/** The topic with this name and its parameters; undefined where there is none. */
function match(topics: readonly ServedTopic[], name: string): Match | undefined {
  for (const served of topics) {
    const params = paramsIn(served.topic.path, name)
    if (params) return { ...served, params }
  }
  return undefined
}

/** The rules that apply to these parameters; all must hold. */
function rulesFor(access: TopicAccess, params: Record<string, string>): readonly TopicRule[] {
  if (typeof access === 'string') return [access]
  if (!('scope' in access)) return [access].flat()
  return params[access.scope] === 'all' ? [access.all] : access.team
}

/** The rule with the other permission that suffices; undefined if there is none. */
function otherOf(rule: TopicRule): Access | undefined {
  if (typeof rule === 'string' || !('or' in rule) || rule.or === undefined) return undefined
  return 'team' in rule ? { team: rule.team, permission: rule.or } : { system: rule.or }
}

/** Throws if the caller may not subscribe; a topic that does not exist is refused with the same text. */
async function admitTo(server: Server, caller: Caller, matched: Match | undefined, name: string): Promise<void> {
  const unknown = new Fault('missing', 'push-topic-unknown', { topic: name })
  if (!matched) throw unknown
  const { params } = matched
  for (const access of rulesFor(matched.topic.access, params)) {
    if (typeof access === 'object' && 'self' in access) {
      if (params[access.self] !== String(caller.actor.id) || caller.apiToken) throw unknown
      continue
    }
    if (typeof access === 'object' && 'team' in access && !/^[1-9]\d{0,8}$/.test(params[access.team] ?? ''))
      throw unknown
    const holding = (access: Access) => admit(server, caller, { access, method: 'GET' }, params)
    const other = otherOf(access)
    await holding(access)
      .catch((error: unknown) => {
        if (!other) throw error
        return holding(other)
      })
      .catch(hidden(name))
  }
}

/** Hides the reason of a refusal from callers who may not subscribe. */
const hidden =
  (topic: string) =>
  (error: unknown): never => {
    throw error instanceof Fault ? new Fault('missing', 'push-topic-unknown', { topic }) : error
  }

interface Subscription {
  /** New messages wait here while missed ones are read, to keep the order. */
  waiting: Event[] | undefined
  /** The subscriber's place at the topic's source. */
  joined?: Joined
}

/** The `seq` of what a source publishes: it has no place in the order of events, so nothing resumes after it. */
const momentary = ''

const frameOf = ({ topic, seq, content }: PushMessage): string =>
  JSON.stringify({ topic, seq, content } satisfies PushMessage)

/** The push channel: delivers events to the subscribers of their topics. */
export function pushSockets(server: Server, topics: readonly ServedTopic[]): { sockets: Sockets; close: () => void } {
  const subscribers = new Map<string, Map<WebSocket, Subscription>>()
  const turns = openTurns(framesEach)

  /** When each topic was last published to, the oldest first. Publications before `knownSince` are not known. */
  const published = new Map<string, number>()
  let knownSince = performance.now()
  function remember(topic: string): void {
    published.delete(topic)
    published.set(topic, performance.now())
    if (published.size <= maxRemembered) return
    const [oldest] = published
    if (oldest) [, knownSince] = oldest
    published.delete(oldest?.[0] ?? '')
  }
  /**
   * For how long nothing was published to a topic that has been watched since then. With it, a page that read and then
   * subscribed knows whether it missed something in between.
   */
  const quietMs = (topic: string, watchedSince: number): number =>
    Math.floor(performance.now() - Math.max(published.get(topic) ?? knownSince, watchedSince))

  const unsubscribe = server.events.subscribe((event) => {
    remember(event.topic)
    const subscribed = subscribers.get(event.topic)
    if (!subscribed) return
    const frame = frameOf(event)
    for (const [ws, subscription] of subscribed) {
      if (!subscription.waiting) send(ws, frame)
      else if (subscription.waiting.push(event) > maxWaiting) ws.close(closeCodes.tryLater, 'slow')
    }
  })

  const sources = openSources(
    () =>
      ctxOf(server, {
        actor: systemActor,
        lang: 'en',
        requestId: randomUUID(),
        ip: '',
        signal: server.draining.signal,
      }),
    (name, topic, given) => {
      const { success, data: content, error } = topic.content.safeParse(given)
      // the subscribers read again later; the source's caller must not fail because of it
      if (!success)
        return server.log.error({ err: error, topic: name }, 'what a source published does not fit its topic')
      remember(name)
      const frame = frameOf({ topic: name, seq: momentary, content })
      for (const ws of subscribers.get(name)?.keys() ?? []) send(ws, frame)
    },
  )

  function send(ws: WebSocket, frame: string): void {
    if (ws.bufferedAmount > maxBuffered) ws.close(closeCodes.tryLater, 'slow')
    else ws.send(frame)
  }

  const sockets: Sockets = (socket) => {
    socket({ path: pushPath, access: 'user', maxFrame: pushLimits.frame }, (ctx, ws, { caller, onReauthorize }) => {
      const mine = new Map<string, Subscription>()
      const share = String(caller.actor.id)
      /** The caller with their present permissions: one revoked meanwhile grants no new topic either. */
      const now = (): Caller => ({ ...caller, actor: ctx.actor })
      const notify = (notice: PushNotice) => send(ws, JSON.stringify(notice))
      const error = (key: PhraseKey, topic?: string, vars: Vars = {}) =>
        notify({
          op: 'error',
          ...(topic === undefined ? {} : { topic }),
          key,
          message: say(ctx.lang, key, { topic: topic ?? '', ...vars }),
        })

      function drop(topic: string): boolean {
        const others = subscribers.get(topic)
        others?.delete(ws)
        if (others?.size === 0) subscribers.delete(topic)
        mine.get(topic)?.joined?.leave()
        return mine.delete(topic)
      }

      async function subscribe(topic: string, seq: string | undefined): Promise<void> {
        if (mine.has(topic)) return error('push-duplicate', topic)
        if (mine.size >= pushLimits.topics) return error('push-topics-full', topic, { maximum: pushLimits.topics })
        const subscription: Subscription = { waiting: [] }
        mine.set(topic, subscription)
        const matched = match(topics, topic)
        try {
          await turns(share, async () => {
            if (mine.get(topic) === subscription) await admitTo(server, now(), matched, topic)
          })
          if (mine.get(topic) !== subscription) return
          if (matched?.source)
            subscription.joined = await sources
              .join(topic, matched.topic, matched.source, matched.params)
              .catch(hidden(topic))
        } catch (refused) {
          mine.delete(topic)
          if (!(refused instanceof Fault)) throw refused
          return error(refused.key, topic, refused.vars)
        }
        if (mine.get(topic) !== subscription || ws.readyState !== ws.OPEN) return subscription.joined?.leave()
        subscribers.set(topic, (subscribers.get(topic) ?? new Map()).set(ws, subscription))
        const missed = seq === undefined ? [] : await turns(share, () => server.events.since(topic, seq))
        notify({ op: 'subscribed', topic, quietMs: quietMs(topic, subscription.joined?.since ?? 0) })
        if (missed === undefined || (seq !== undefined && matched?.source)) error('push-resume-lost', topic)
        const waiting = subscription.waiting ?? []
        subscription.waiting = undefined
        const last = missed?.at(-1)?.seq ?? ''
        for (const event of [...(missed ?? []), ...waiting.filter((event) => event.seq > last)])
          send(ws, frameOf(event))
      }

      async function obey(request: PushRequest): Promise<void> {
        switch (request.op) {
          case 'ping':
            return notify({ op: 'pong' })
          case 'unsubscribe':
            return drop(request.topic) ? undefined : error('push-not-subscribed', request.topic)
          case 'subscribe':
            return subscribe(request.topic, undefined)
          case 'resume':
            return subscribe(request.topic, request.seq)
        }
      }

      const allowance = frameAllowance()
      let idle: NodeJS.Timeout | undefined
      const expectFrame = () => {
        clearTimeout(idle)
        idle = setTimeout(() => ws.close(closeCodes.policy, 'idle'), pushLimits.idleSeconds * 1_000)
      }
      expectFrame()
      ws.on('message', (data: Buffer, binary) => {
        // frames that arrive while the socket closes are ignored
        if (ws.readyState !== ws.OPEN) return
        expectFrame()
        if (binary || !allowance()) return ws.close(closeCodes.policy, binary ? 'text-only' : 'too-many-frames')
        const request = PushRequest.safeParse(tryParseJson(data.toString('utf8')))
        if (!request.success) return error('push-message-invalid')
        obey(request.data).catch((failed: unknown) => {
          ctx.log.error({ err: failed }, 'a push frame could not be served')
          ws.close(closeCodes.tryLater)
        })
      })
      ws.on('close', () => {
        clearTimeout(idle)
        for (const topic of mine.keys()) drop(topic)
      })
      onReauthorize(async () => {
        for (const topic of mine.keys()) {
          try {
            await admitTo(server, now(), match(topics, topic), topic)
          } catch (lost) {
            if (!(lost instanceof Fault)) throw lost
            drop(topic)
            error(lost.key, topic, lost.vars)
          }
        }
      })
    })
  }
  return {
    sockets,
    close: () => {
      unsubscribe()
      sources.close()
    },
  }
}

/** True while the client stays below its rate of frames. */
function frameAllowance(now: () => number = Date.now): () => boolean {
  const { framesPerSecond, framesAtOnce } = pushLimits
  let left: number = framesAtOnce
  let at = now()
  return () => {
    left = Math.min(framesAtOnce, left + ((now() - at) / 1_000) * framesPerSecond)
    at = now()
    left -= 1
    return left >= 0
  }
}
