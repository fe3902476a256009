import { randomUUID } from 'node:crypto'
import { setTimeout as later } from 'node:timers/promises'
import { type Hint, paramsIn, type Topic, type TopicParams } from '@gantry/contract/topic'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { jsonb } from '../../db/json.ts'
import { afterCommit, type Ctx } from '../context.ts'
import type { Event, Events } from './event.ts'

/**
 * Publishes to a topic in the caller's transaction: the event exists if and only if the transaction commits.
 * Subscribers get it within milliseconds; one that reconnects catches up. Throws if the content does not fit the topic.
 */
export async function publish<T extends Topic>(
  ctx: Ctx,
  topic: T,
  params: TopicParams<T>,
  ...[content = {}]: T extends Hint ? [] : [content: z.input<T['content']>]
): Promise<void> {
  await insertEvents(ctx, [{ topic: topic.name(params), content: topic.content.parse(content) }])
}

export async function publishHints(ctx: Ctx, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await insertEvents(
      ctx,
      names.map((topic) => ({ topic, content: {} })),
    )
}

async function insertEvents(ctx: Ctx, events: { topic: string; content: unknown }[]): Promise<void> {
  const rows = events.map(({ topic, content }) => ({ topic, content: jsonb(content) }))
  if (ctx.unsent) ctx.unsent.push(...rows)
  else await ctx.db.insertInto('outbox').values(rows).execute()
  afterCommit(ctx, ctx.events.committed)
}

/**
 * Calls `hear` for each event of the topic from now on, with its content and the parameters in its name. The content is
 * undefined where it does not fit, as when another release published it. Returns how to unsubscribe.
 */
export const subscribe = <C extends z.ZodType>(
  events: Pick<Events, 'subscribe'>,
  { path, content: schema }: { path: string; content: C },
  hear: (content: z.output<C> | undefined, params: Record<string, string>) => void,
): (() => void) =>
  events.subscribe(({ topic, content }) => {
    const params = paramsIn(path, topic)
    if (params) hear(schema.safeParse(content).data, params)
  })

const channel = 'gantry_events'
const batch = 500

/**
 * At most 20 notifications a second per replica: each takes a lock that all writers of the PostgreSQL cluster share.
 */
const notifyEvery = 50

/** The poll that works without notifications, for rows of a replica that died before it could notify. */
const pollMs = 10_000

/** How soon to read again while an older open transaction holds rows back. */
const unsettledEvery = 25

interface Position {
  tx: string
  seq: number
}

/** Of fixed width, so that text order equals the order of events. */
const seqOf = ({ tx, seq }: Position): string => `${tx.padStart(15, '0')}.${String(seq).padStart(15, '0')}`

function positionOf(seq: string): Position | undefined {
  const [, tx, at] = /^(\d{15})\.(\d{15})$/.exec(seq) ?? []
  // PostgreSQL reads leading zeros as octal.
  return tx && at ? { tx: String(Number(tx)), seq: Number(at) } : undefined
}

export async function openEvents({ db, url }: Database, log: Logger): Promise<Events> {
  const listeners = new Set<(event: Event) => void>()
  let closed = false

  const start = await sql<{ tx: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as tx`.execute(db)
  let position: Position = { tx: start.rows[0]?.tx ?? '0', seq: 0 }

  /**
   * A transaction that began earlier may still commit rows before a row that is visible now. So only rows below the
   * oldest running transaction are read, and none is ever skipped.
   */
  const next = (after: Position) =>
    db
      .selectFrom('outbox')
      .select(['topic', 'content', 'seq', sql<string>`tx::text`.as('tx')])
      .select(sql<boolean>`tx < pg_snapshot_xmin(pg_current_snapshot())`.as('settled'))
      .where(sql<boolean>`(tx, seq) > (${after.tx}::xid8, ${after.seq}::bigint)`)
      .orderBy('outbox.tx')
      .orderBy('seq')
      .limit(batch)
      .execute()

  const deliver = (event: Event) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        log.error({ err: error, topic: event.topic }, 'a listener of events failed')
      }
    }
  }

  /** Whether the last read saw rows that an older transaction still holds back. */
  let isHeldBack = false
  async function read(): Promise<void> {
    for (;;) {
      const rows = await next(position)
      const settled = rows.findIndex((row) => !row.settled)
      const ready = settled === -1 ? rows : rows.slice(0, settled)
      for (const { topic, content, seq, tx } of ready) {
        position = { tx, seq }
        deliver({ topic, content, seq: seqOf(position) })
      }
      isHeldBack = ready.length < rows.length
      if (isHeldBack) lookAgainSoon()
      if (ready.length < batch) return
    }
  }

  let reading: Promise<void> | undefined
  let wanted = false
  const isWanted = () => wanted && !closed
  /**
   * Runs one read at a time; a request during a read starts another one after it. No read begins after closing: the
   * database may be gone.
   */
  function look(): Promise<void> {
    if (closed) return Promise.resolve()
    wanted = true
    reading ??= (async () => {
      do {
        wanted = false
        await read()
      } while (isWanted())
    })()
      .catch((error: unknown) => log.warn({ err: error }, 'events could not be read, they will be read later'))
      .finally(() => (reading = undefined))
    return reading
  }

  let soon: NodeJS.Timeout | undefined
  function lookAgainSoon(): void {
    soon ??= setTimeout(() => {
      soon = undefined
      void look()
    }, unsettledEvery)
  }
  const looking = setInterval(() => void look(), pollMs)

  const hearers = new Map<string, Set<() => void>>()
  const ringHere = (bell: string) => hearers.get(bell)?.forEach((hear) => hear())
  /** Bells that were rung here, and not yet in the other replicas. */
  let rung = new Set<string>()
  /** Tells a replica's own notifications apart. */
  const self = randomUUID()

  let lastNotified = 0
  let notifying: NodeJS.Timeout | undefined
  function notify(): void {
    notifying = undefined
    lastNotified = Date.now()
    const bells = [...rung]
    rung = new Set()
    sql`select pg_notify(${channel}, ${[self, ...bells].join(' ')})`.execute(db).catch((error: unknown) => {
      log.warn({ err: error }, 'other replicas could not be notified, they look by themselves')
    })
  }
  const notifySoon = () => (notifying ??= setTimeout(notify, Math.max(0, lastNotified + notifyEvery - Date.now())))
  function committed(): void {
    if (closed) return
    void look()
    notifySoon()
  }
  function ring(bell: string): void {
    if (closed) return
    ringHere(bell)
    rung.add(bell)
    notifySoon()
  }
  function notified(payload = ''): void {
    void look()
    const [by, ...bells] = payload.split(' ')
    if (by !== self) bells.forEach(ringHere)
  }

  let listening: Client | undefined
  let relisten: NodeJS.Timeout | undefined
  /** A lost connection loses notifications, so listening again begins with a read, and rings every bell. */
  async function listen(pause = 100): Promise<void> {
    const client = new Client({
      connectionString: url,
      application_name: 'gantry-events',
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    })
    let ended = false
    const retry = (error?: Error) => {
      if (ended) return
      ended = true
      client.end().catch(() => undefined)
      if (closed) return
      log.warn({ err: error }, 'the connection for events was lost and is opened again')
      relisten = setTimeout(() => void listen(Math.min(pause * 2, 5_000)), pause)
    }
    client.on('error', retry)
    client.on('end', () => retry())
    client.on('notification', ({ payload }) => notified(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      listening = client
      pause = 100
      for (const bell of hearers.keys()) ringHere(bell)
      await look()
    } catch (error) {
      retry(error as Error)
    }
  }
  await listen()

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    committed,
    ring,
    onRing: (bell, hear) => {
      const here = hearers.get(bell) ?? new Set()
      hearers.set(bell, here.add(hear))
      return () => here.delete(hear)
    },
    settle: async () => {
      await look()
      const isUnfinished = () => isHeldBack && !closed
      while (isUnfinished()) {
        await later(unsettledEvery)
        await look()
      }
    },
    since: async (topic, seq) => {
      const at = positionOf(seq)
      if (!at) return undefined
      const known = await db
        .selectFrom('outbox')
        .select('seq')
        .where('seq', '=', at.seq)
        .where('tx', '=', at.tx)
        .executeTakeFirst()
      if (!known) return undefined
      const rows = await db
        .selectFrom('outbox')
        .select(['topic', 'content', 'seq', sql<string>`tx::text`.as('tx')])
        .where(sql<boolean>`(tx, seq) > (${at.tx}::xid8, ${at.seq}::bigint)`)
        .where(sql<boolean>`(tx, seq) <= (${position.tx}::xid8, ${position.seq}::bigint)`)
        .where('topic', '=', topic)
        .orderBy('outbox.tx')
        .orderBy('seq')
        .limit(batch + 1)
        .execute()
      if (rows.length > batch) return undefined
      return rows.map((row) => ({ topic: row.topic, content: row.content, seq: seqOf(row) }))
    },
    close: async () => {
      closed = true
      clearInterval(looking)
      for (const timer of [soon, notifying, relisten]) clearTimeout(timer)
      await reading
      await listening?.end().catch(() => undefined)
    },
  }
}
