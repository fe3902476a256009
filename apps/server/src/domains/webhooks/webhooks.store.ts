import { BuildEvent } from '@gantry/contract/notifications/build-event'
import type { Webhook, WebhookInput } from '@gantry/contract/webhooks/webhooks'
import { sql } from 'kysely'
import { z } from 'zod'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'

/** As stored: its secret is encrypted. */
export type StoredWebhook = Webhook

const rows = (db: Db) =>
  db
    .selectFrom('webhook')
    .leftJoin('team', 'team.id', 'webhook.team_id')
    .leftJoinLateral(
      (q) =>
        q
          .selectFrom('webhook_delivery')
          .whereRef('webhook_delivery.webhook_id', '=', 'webhook.id')
          .select(['webhook_delivery.state', 'webhook_delivery.created_at'])
          .orderBy('webhook_delivery.id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )

const columns = [
  'webhook.id',
  'webhook.name',
  'webhook.kind',
  'webhook.language',
  'webhook.url',
  'webhook.secret',
  'webhook.enabled',
  'webhook.team_id as teamId',
  sql<string>`coalesce(team.name, '')`.as('teamName'),
  'webhook.events',
  'webhook.revision',
  'webhook.created_at as createdAt',
  'webhook.updated_at as updatedAt',
  'newest.state as lastState',
  'newest.created_at as lastAt',
] as const

const Events = z.array(BuildEvent)

const stored = ({ lastState, lastAt, events, ...row }: Awaited<ReturnType<typeof oneRow>>): StoredWebhook => ({
  ...row,
  events: Events.parse(events),
  last: lastState === null || lastAt === null ? null : { state: lastState, createdAt: lastAt },
})

const oneRow = (db: Db, id: number) => rows(db).select(columns).where('webhook.id', '=', id).executeTakeFirstOrThrow()

/** With `lock` the row stays locked until the transaction ends. */
export async function findWebhook(db: Db, id: number, { lock = false } = {}): Promise<StoredWebhook | undefined> {
  const row = await rows(db)
    .select(columns)
    .where('webhook.id', '=', id)
    .$if(lock, (q) => q.forUpdate('webhook'))
    .executeTakeFirst()
  return row && stored(row)
}

export async function listWebhooks(db: Db, keyword: string, at: Page) {
  const of = rows(db).$if(keyword !== '', (q) => q.where(anyContains(['webhook.name', 'webhook.url'], keyword)))
  const items = await of
    .select(columns)
    .orderBy(byName('webhook.name'))
    .orderBy('webhook.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items: items.map(stored), total: await countMatches(db, of) }
}

const values = ({ name, kind, language, url, secret, enabled, teamId, events }: WebhookInput) => ({
  name,
  kind,
  language,
  url,
  secret,
  enabled,
  team_id: teamId,
  events: [...new Set(events)],
})

/** The secret of `input` is encrypted. */
export const insertWebhook = async (db: Db, input: WebhookInput): Promise<number> =>
  (await db.insertInto('webhook').values(values(input)).returning('id').executeTakeFirstOrThrow()).id

export const updateWebhook = (db: Db, id: number, input: WebhookInput) =>
  db
    .updateTable('webhook')
    .set({ ...values(input), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteWebhook = (db: Db, id: number) => db.deleteFrom('webhook').where('id', '=', id).execute()
