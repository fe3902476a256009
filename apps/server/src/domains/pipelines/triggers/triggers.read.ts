import type { List } from '@gantry/contract/paging'
import { TriggerOutcome, type TriggerEvent } from '@gantry/contract/pipelines/triggers'
import { sql } from 'kysely'
import { countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Lang } from '../../../kernel/context.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { sayReason } from '../../../kernel/phrase.ts'

const events = (db: Db) =>
  db
    .selectFrom('pipeline_trigger_event')
    .select(['id', 'trigger_id', 'at', 'event', 'outcome', 'reason', 'build_number'])

type Row = Awaited<ReturnType<ReturnType<typeof events>['executeTakeFirstOrThrow']>>

const toTriggerEvent = (lang: Lang, row: Row): TriggerEvent => ({
  id: row.id,
  at: row.at,
  event: row.event,
  outcome: TriggerOutcome.parse(row.outcome),
  message: sayReason(lang, row.reason),
  number: row.build_number,
})

export async function listEvents(
  { db, lang }: { db: Db; lang: Lang },
  triggerId: number,
  keyword: string,
  at: Page,
): Promise<List<TriggerEvent>> {
  const of = events(db)
    .where('trigger_id', '=', triggerId)
    .$if(keyword !== '', (q) => q.where(sql<boolean>`strpos(lower(event), lower(${keyword})) > 0`))
  const items = await of.orderBy('id', 'desc').limit(at.limit).offset(at.offset).execute()
  return toList(
    items.map((row) => toTriggerEvent(lang, row)),
    await countMatches(db, of.clearSelect()),
    at,
  )
}

/** The newest delivery of each trigger that has one. */
export async function newestEvents(
  { db, lang }: { db: Db; lang: Lang },
  triggerIds: number[],
): Promise<Map<number, TriggerEvent>> {
  const rows = await events(db)
    .distinctOn('trigger_id')
    .where(sql<boolean>`trigger_id = any(${triggerIds}::int[])`)
    .orderBy('trigger_id')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.trigger_id, toTriggerEvent(lang, row)]))
}
