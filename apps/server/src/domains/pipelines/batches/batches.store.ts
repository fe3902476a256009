import type { BatchState, ItemOutcome } from '@gantry/contract/batch-edits/batches'
import type { Change } from '@gantry/contract/batch-edits/changes'
import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { activeStatuses } from '../../../identity/sessions.ts'
import type { Actor } from '../../../kernel/context.ts'
import type { Reason } from '../../../kernel/phrase.ts'

export const batchTeam = async (db: Db, id: number): Promise<number | undefined> =>
  (await db.selectFrom('pipeline_batch').select('team_id').where('id', '=', id).executeTakeFirst())?.team_id

export interface StoredBatch {
  id: number
  teamId: number
  state: BatchState
  /** With sealed secrets. */
  changes: Change[]
  /** The user it acts for; undefined if the account is deleted or disabled. */
  actor: Actor | undefined
  actorName: string
}

/** With `lock` the row stays locked until the transaction ends. */
export async function findBatch(db: Db, id: number, { lock = false } = {}): Promise<StoredBatch | undefined> {
  const row = await db
    .selectFrom('pipeline_batch')
    .leftJoin('account', (join) =>
      join.onRef('account.id', '=', 'pipeline_batch.actor_id').on('account.status', 'in', activeStatuses),
    )
    .select(['pipeline_batch.id', 'team_id', 'state', 'changes', 'account.id as actorId'])
    .select(['actor_name', 'as_admin', 'account.admin'])
    .where('pipeline_batch.id', '=', id)
    .$if(lock, (q) => q.forUpdate('pipeline_batch'))
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    teamId: row.team_id,
    state: row.state,
    changes: row.changes as Change[],
    actor:
      row.actorId === null
        ? undefined
        : { kind: 'user', id: row.actorId, name: row.actor_name, admin: row.as_admin && row.admin === true },
    actorName: row.actor_name,
  }
}

const actorColumns = ({ id, name, admin }: Actor) => ({ actor_id: id, actor_name: name, as_admin: admin })

interface NewBatch {
  teamId: number
  /** With sealed secrets. */
  changes: readonly Change[]
  actor: Actor
  pipelines: readonly { id: number; appId: number; projectName: string; expected: number }[]
}

export async function insertBatch(db: Db, { teamId, changes, actor, pipelines }: NewBatch): Promise<number> {
  const { id } = await db
    .insertInto('pipeline_batch')
    .values({ team_id: teamId, changes: jsonb(changes), created_by: actor.name, ...actorColumns(actor) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('pipeline_batch_item')
    .values(
      pipelines.map((one) => ({
        batch_id: id,
        pipeline_id: one.id,
        group_id: one.appId,
        project_name: one.projectName,
        expected: one.expected,
      })),
    )
    .execute()
  return id
}

/** Begins another turn of a batch; from now on it acts for this actor. */
export const beginTurn = (db: Db, id: number, state: BatchState, actor: Actor) =>
  db
    .updateTable('pipeline_batch')
    .set({
      state,
      ...actorColumns(actor),
      ...(state === 'RESTORING' && { restored_by: actor.name }),
      turn: sql`turn + 1`,
      ended_at: null,
      settle_until: null,
    })
    .where('id', '=', id)
    .execute()

export const endTurn = (db: Db, id: number, state: BatchState) =>
  db
    .updateTable('pipeline_batch')
    .set({ state, ended_at: sql`now()` })
    .where('id', '=', id)
    .execute()

/** Resets items that have one of these outcomes, for another turn that expects no particular revision. */
export const turnItems = (db: Db, batchId: number, from: readonly ItemOutcome[], outcome: ItemOutcome) =>
  db
    .updateTable('pipeline_batch_item')
    .set({ outcome, expected: null, reason: null, path: '' })
    .where('batch_id', '=', batchId)
    .where('outcome', 'in', from)
    .execute()

export type Counts = Record<ItemOutcome, number>

export async function countItems(db: Db, batchId: number): Promise<Counts> {
  const counts = { waiting: 0, changed: 0, unchanged: 0, failed: 0, restoring: 0, restored: 0, left: 0 }
  const rows = await db
    .selectFrom('pipeline_batch_item')
    .select(['outcome', (eb) => eb.fn.countAll<number>().as('count')])
    .where('batch_id', '=', batchId)
    .groupBy('outcome')
    .execute()
  for (const { outcome, count } of rows) counts[outcome] = count
  return counts
}

/** The pipelines of items with this outcome, ordered by id. */
export const itemsWith = async (db: Db, batchId: number, outcome: ItemOutcome): Promise<number[]> =>
  (
    await db
      .selectFrom('pipeline_batch_item')
      .select('pipeline_id')
      .where('batch_id', '=', batchId)
      .where('outcome', '=', outcome)
      .orderBy('pipeline_id')
      .execute()
  ).map((row) => row.pipeline_id)

export interface StoredItem {
  expected: number | null
  revision: number | null
  /** With sealed secrets. */
  before: Partial<PipelineDocument>
}

/** Locks an item until the transaction ends; undefined if its outcome has changed meanwhile. */
export async function lockItem(
  db: Db,
  batchId: number,
  pipelineId: number,
  outcome: ItemOutcome,
): Promise<StoredItem | undefined> {
  const row = await db
    .selectFrom('pipeline_batch_item')
    .select(['expected', 'revision', 'before'])
    .where('batch_id', '=', batchId)
    .where('pipeline_id', '=', pipelineId)
    .where('outcome', '=', outcome)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, before: row.before as Partial<PipelineDocument> }
}

interface ItemResult {
  outcome: ItemOutcome
  projectName?: string
  revision?: number
  before?: object
  after?: object
  secrets?: string[]
  reason?: Reason
  path?: string
}

export const setItem = (db: Db, batchId: number, pipelineId: number, result: ItemResult) =>
  db
    .updateTable('pipeline_batch_item')
    .set({
      outcome: result.outcome,
      reason: result.reason === undefined ? null : jsonb(result.reason),
      path: result.path ?? '',
      ...(result.projectName !== undefined && { project_name: result.projectName }),
      ...(result.revision !== undefined && { revision: result.revision }),
      ...(result.before && { before: jsonb(result.before) }),
      ...(result.after && { after: jsonb(result.after) }),
      ...(result.secrets && { secrets: result.secrets }),
    })
    .where('batch_id', '=', batchId)
    .where('pipeline_id', '=', pipelineId)
    .execute()

/** A team keeps so many ended batches, for so many days. */
export const retention = { batches: 200, days: 90 }

/** Deletes ended batches that exceed the number or the age that is kept. */
export const deleteOldBatches = (db: Db) =>
  sql`delete from pipeline_batch using (
      select id, row_number() over (partition by team_id order by id desc) as place from pipeline_batch
    ) as placed
    where placed.id = pipeline_batch.id and state not in ('EDITING', 'RESTORING')
      and (place > ${retention.batches} or ended_at < now() - make_interval(days => ${retention.days}))`.execute(db)

/** The ids of the team's pipelines that have one of these names, by name. */
export const namesOf = async (db: Db, teamId: number, names: readonly string[]): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('pipeline')
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}
