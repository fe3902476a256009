import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import { Delivery } from '@gantry/contract/webhooks/webhooks'
import { sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import { countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Lang } from '../../kernel/context.ts'
import type { Page } from '../../kernel/paging.ts'
import type { Reason } from '../../kernel/phrase.ts'
import { alarmChannelRows } from '../alarms/public.read.ts'

/** The webhooks for this event of this team. */
export const listeners = async (db: Db, teamId: number, event: BuildEvent): Promise<number[]> =>
  (
    await db
      .selectFrom('webhook')
      .select('id')
      .where('enabled', '=', true)
      .where(sql<boolean>`${event} = any(events)`)
      .where((q) => q.or([q('team_id', 'is', null), q('team_id', '=', teamId)]))
      .execute()
  ).map(({ id }) => id)

export const insertDeliveries = (db: Db, webhookIds: number[], event: BuildEvent | 'test', body: string) =>
  db
    .insertInto('webhook_delivery')
    .values(webhookIds.map((webhook_id) => ({ webhook_id, event, body })))
    .execute()

export const insertForChannel = (db: Db, channelId: number, event: string, body: string) =>
  db.insertInto('webhook_delivery').values({ alarm_channel_id: channelId, event, body }).execute()

/** How long an attempt may take before another starts; longer than its own time limit. */
const leaseSeconds = 60

/** Leases the delivery that has been due longest. */
export async function takeDue(db: Db) {
  const due = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('state', '=', 'waiting')
    .where('next_at', '<=', sql<string>`now()`)
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
  const receivers = sql<{
    webhook: number | null
    channel: number | null
    kind: string
    language: Lang
    url: string
    secret: string
    enabled: boolean
  }>`(
    select id as webhook, null::int as channel, kind, language, url, secret, enabled from webhook
    union all select null, id, kind, language, url, secret, true from ${alarmChannelRows} alarm_channel where kind not in ('mail', 'push'))`
  return db
    .updateTable('webhook_delivery')
    .from(receivers.as('receiver'))
    .set({ next_at: sql`now() + make_interval(secs => ${leaseSeconds}::int)`, attempts: sql`attempts + 1` })
    .where(
      sql<boolean>`(receiver.webhook = webhook_delivery.webhook_id or receiver.channel = webhook_delivery.alarm_channel_id)`,
    )
    .where('webhook_delivery.id', 'in', due)
    .returning(['webhook_delivery.id', 'webhook_delivery.uuid', 'webhook_delivery.event', 'webhook_delivery.body'])
    .returning(['webhook_delivery.attempts', 'receiver.url', 'receiver.secret', 'receiver.enabled'])
    .returning(['receiver.kind', 'receiver.language'])
    .returning(sql<boolean>`webhook_delivery.since < now() - interval '24 hours'`.as('last'))
    .executeTakeFirst()
}
export type DueDelivery = NonNullable<Awaited<ReturnType<typeof takeDue>>>

export interface Outcome {
  status: number | null
  problem: Reason | null
}

const outcome = ({ status, problem }: Outcome) => ({ status, problem: problem && jsonb(problem) })

export const endDelivery = (db: Db, id: number, state: 'sent' | 'failed', result: Outcome) =>
  db
    .updateTable('webhook_delivery')
    .set({ state, ...outcome(result), ended_at: sql`now()` })
    .where('id', '=', id)
    .execute()

/** By half a minute, doubled with each attempt, at most an hour. */
export const postpone = (db: Db, id: number, result: Outcome) =>
  db
    .updateTable('webhook_delivery')
    .set({
      ...outcome(result),
      next_at: sql`now() + make_interval(secs => least(30 * power(2, least(attempts, 10) - 1), 3600))`,
    })
    .where('id', '=', id)
    .execute()

/** Makes it due at once, whatever its state. False if the webhook has no such delivery. */
export const repeatDelivery = async (db: Db, webhookId: number, id: number): Promise<boolean> =>
  (
    await db
      .updateTable('webhook_delivery')
      .set({ state: 'waiting', attempts: 0, since: sql`now()`, next_at: sql`now()`, ended_at: null })
      .where('webhook_id', '=', webhookId)
      .where('id', '=', id)
      .executeTakeFirst()
  ).numUpdatedRows > 0n

export async function listDeliveries(db: Db, webhookId: number, state: string, at: Page) {
  const of = db
    .selectFrom('webhook_delivery')
    .where('webhook_id', '=', webhookId)
    .$if(state !== '' && state !== 'all', (q) => q.where(sql<boolean>`state = ${state}`))
  const items = await of
    .select(['id', 'uuid', 'event', 'state', 'attempts', 'status', 'problem', 'created_at as createdAt', 'body'])
    .select(sql<string | null>`case when state = 'waiting' then next_at end`.as('nextAt'))
    .orderBy('id', 'desc')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return {
    items: items.map((row) => ({ ...row, event: Delivery.shape.event.parse(row.event) })),
    total: await countMatches(db, of),
  }
}

export async function forgetDeliveries(db: Db): Promise<void> {
  const old = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('ended_at', '<', sql<string>`now() - interval '30 days'`)
    .limit(5_000)
  await db.deleteFrom('webhook_delivery').where('id', 'in', old).execute()
}
