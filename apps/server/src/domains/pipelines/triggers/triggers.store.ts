import { Forge } from '@gantry/contract/pipelines/repository-url'
import { type TriggerOutcome, TriggerRule } from '@gantry/contract/pipelines/triggers'
import { sql } from 'kysely'
import { z } from 'zod'
import { asWritten, jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { activeStatuses } from '../../../identity/sessions.ts'
import type { Actor } from '../../../kernel/context.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { isOfFork } from '../builds/merge-request.store.ts'

const Parameters = z.record(z.string(), z.string())
const Hook = z.object({ forge: Forge, url: z.string(), id: z.string() })
export type Hook = z.infer<typeof Hook>

const rows = (db: Db) =>
  db
    .selectFrom('pipeline_trigger')
    .innerJoin('pipeline', 'pipeline.id', 'pipeline_trigger.pipeline_id')
    .leftJoin('pipeline as followed', 'followed.id', 'pipeline_trigger.follows_id')
    .leftJoin('account', (join) =>
      join.onRef('account.id', '=', 'pipeline_trigger.account_id').on('account.status', 'in', activeStatuses),
    )
    .select([
      'pipeline_trigger.id',
      'pipeline_trigger.pipeline_id as pipelineId',
      'pipeline.team_id as teamId',
      'pipeline.name as pipelineName',
      'pipeline_trigger.enabled',
      'pipeline_trigger.rule',
      'pipeline_trigger.parameters',
      'pipeline_trigger.account_name as savedBy',
      'account.id as accountId',
      'account.admin',
      'pipeline_trigger.secret',
      'pipeline_trigger.hook',
      'pipeline_trigger.next_at as nextAt',
      'followed.name as follows',
      'pipeline_trigger.revision',
      'pipeline_trigger.updated_at as updatedAt',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const parsed = ({ rule, parameters, hook, accountId, admin, ...row }: Row) => ({
  ...row,
  follows: row.follows ?? '',
  rule: TriggerRule.parse(rule),
  parameters: Parameters.parse(parameters),
  hook: Hook.nullable().parse(hook),
  /** The user who saved it, with their present account; undefined if that is deleted or disabled. */
  saver:
    accountId === null
      ? undefined
      : ({ kind: 'user', id: accountId, name: row.savedBy, admin: admin === true } satisfies Actor),
})
export type StoredTrigger = ReturnType<typeof parsed>

export const listTriggers = async (db: Db, pipelineId: number): Promise<StoredTrigger[]> =>
  (await rows(db).where('pipeline_trigger.pipeline_id', '=', pipelineId).orderBy('pipeline_trigger.id').execute()).map(
    parsed,
  )

/** With `lock` the row stays locked until the transaction ends. */
export async function findTrigger(
  db: Db,
  pipelineId: number,
  id: number,
  { lock = false } = {},
): Promise<StoredTrigger | undefined> {
  const row = await rows(db)
    .where('pipeline_trigger.pipeline_id', '=', pipelineId)
    .where('pipeline_trigger.id', '=', id)
    .$if(lock, (q) => q.forNoKeyUpdate('pipeline_trigger'))
    .executeTakeFirst()
  return row && parsed(row)
}

/** The accounts with one of these user names or email addresses. */
export const accountsCalled = async (db: Db, names: readonly string[]): Promise<number[]> => {
  const called = sql<string[]>`${names.map((name) => name.toLowerCase())}::text[]`
  const found = await db
    .selectFrom('account')
    .select('id')
    .where(sql<boolean>`(lower(user_name) = any(${called}) or lower(email) = any(${called}))`)
    .execute()
  return found.map(({ id }) => id)
}

interface Saved {
  enabled: boolean
  rule: TriggerRule
  parameters: Record<string, string>
  saver: Actor
  nextAt: Date | null
}

const columns = ({ enabled, rule, parameters, saver, nextAt }: Saved) => ({
  enabled,
  rule: jsonb(rule),
  parameters: asWritten(parameters),
  account_id: saver.id,
  account_name: saver.name,
  next_at: nextAt,
  follows_id: rule.kind === 'pipeline' ? rule.pipelineId : null,
})

export const insertTrigger = async (
  db: Db,
  { pipelineId, secret, ...saved }: Saved & { pipelineId: number; secret: string | null },
): Promise<number> =>
  (
    await db
      .insertInto('pipeline_trigger')
      .values({ pipeline_id: pipelineId, kind: saved.rule.kind, secret, ...columns(saved) })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const updateTrigger = (db: Db, id: number, saved: Saved) =>
  db
    .updateTable('pipeline_trigger')
    .set({ ...columns(saved), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteTrigger = (db: Db, id: number) => db.deleteFrom('pipeline_trigger').where('id', '=', id).execute()

export const setSecret = (db: Db, id: number, secret: string) =>
  db.updateTable('pipeline_trigger').set({ secret }).where('id', '=', id).execute()

export const setHook = (db: Db, id: number, hook: Hook | null) =>
  db
    .updateTable('pipeline_trigger')
    .set({ hook: hook && jsonb(hook) })
    .where('id', '=', id)
    .execute()

/** Locks the pipeline, so that concurrent additions of triggers are counted one after the other. */
export async function countTriggers(db: Db, pipelineId: number): Promise<number> {
  await db.selectFrom('pipeline').select('id').where('id', '=', pipelineId).forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom('pipeline_trigger')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pipeline_id', '=', pipelineId)
    .executeTakeFirstOrThrow()
  return count
}

/** The facts of a build for triggers that follow its pipeline. */
export const followedBuild = (db: Db, pipelineId: number, number: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build.id', 'build.state', 'build.user_id as userId', 'build.requesters', 'pipeline.name'])
    .select(isOfFork.as('fork'))
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .executeTakeFirst()

/** Locks the team, so that two triggers that would close a cycle together are saved one after the other. */
export const lockFollowing = (db: Db, teamId: number) =>
  db.selectFrom('team').select('id').where('id', '=', teamId).forNoKeyUpdate().execute()

/** The names of the pipelines by which `to` follows `from`, directly or over others; empty if it does not. */
export async function wayBetween(db: Db, from: number, to: number): Promise<string[]> {
  const { rows } = await sql<{ names: string[] }>`
    with recursive way as (
      select id, array[name] as names, array[id] as ids from pipeline where id = ${from}
      union all
      select pipeline.id, way.names || pipeline.name, way.ids || pipeline.id
      from way
      join pipeline_trigger on pipeline_trigger.follows_id = way.id
      join pipeline on pipeline.id = pipeline_trigger.pipeline_id
      where way.id <> ${to} and not pipeline.id = any(way.ids)
    )
    select names from way where id = ${to} order by cardinality(names) limit 1`.execute(db)
  return rows[0]?.names ?? []
}

/** Schedules whose slot has come, oldest first. */
export const dueTriggers = async (db: Db, limit: number): Promise<StoredTrigger[]> =>
  (
    await rows(db)
      .where('pipeline_trigger.next_at', '<=', sql<string>`now()`)
      .orderBy('pipeline_trigger.next_at')
      .limit(limit)
      .execute()
  ).map(parsed)

/** Sets the next slot, unless the handled slot has been changed meanwhile. */
export const setNextSlot = (db: Db, id: number, slot: string, next: Date | null) =>
  db.updateTable('pipeline_trigger').set({ next_at: next }).where('id', '=', id).where('next_at', '=', slot).execute()

/** The enabled triggers that follow the builds of a pipeline. */
export const followersOf = async (db: Db, pipelineId: number): Promise<StoredTrigger[]> =>
  (
    await rows(db)
      .where('pipeline_trigger.follows_id', '=', pipelineId)
      .where('pipeline_trigger.enabled', '=', true)
      .orderBy('pipeline_trigger.id')
      .execute()
  ).map(parsed)

export const isFollowed = async (db: Db, pipelineId: number): Promise<boolean> =>
  (await db
    .selectFrom('pipeline_trigger')
    .select('id')
    .where('follows_id', '=', pipelineId)
    .where('enabled', '=', true)
    .limit(1)
    .executeTakeFirst()) !== undefined

export interface Occasion {
  /** The same for every repetition. */
  delivery: string
  /** The description for users. */
  event: string
  /** What could not be determined, so that a build may be started needlessly. */
  unknown?: Reason | undefined
}

/** Records that a delivery starts a build; undefined if it did so before. */
export const claimDelivery = async (
  db: Db,
  triggerId: number,
  { unknown, ...occasion }: Occasion,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('pipeline_trigger_event')
      .values({ trigger_id: triggerId, ...occasion, outcome: 'started', reason: unknown ? jsonb(unknown) : null })
      .onConflict((c) => c.columns(['trigger_id', 'delivery']).where('outcome', '=', 'started').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const setStarted = (db: Db, eventId: number, build: { number: number; queueId: number }) =>
  db
    .updateTable('pipeline_trigger_event')
    .set({ build_number: build.number, queue_id: build.queueId })
    .where('id', '=', eventId)
    .execute()

export const startedBy = (db: Db, triggerId: number, delivery: string) =>
  db
    .selectFrom('pipeline_trigger_event')
    .select(['build_number as number', 'queue_id as queueId'])
    .where('trigger_id', '=', triggerId)
    .where('delivery', '=', delivery)
    .where('outcome', '=', 'started')
    .executeTakeFirst()

export const noteOccasion = (
  db: Db,
  triggerId: number,
  { delivery, event }: Occasion,
  outcome: Exclude<TriggerOutcome, 'started' | 'duplicate'>,
  reason: Reason,
) =>
  db
    .insertInto('pipeline_trigger_event')
    .values({ trigger_id: triggerId, delivery, event, outcome, reason: jsonb(reason) })
    .execute()

/** How long deliveries and their outcomes are remembered, also to recognize repetitions. */
const keptDays = 30

export const forgetOccasions = (db: Db) =>
  sql`delete from pipeline_trigger_event where at < now() - make_interval(days => ${keptDays})`.execute(db)
