import type { Batch, BatchItem, BatchState, ItemOutcome } from '@gantry/contract/batch-edits/batches'
import { type Change, mapSecrets } from '@gantry/contract/batch-edits/changes'
import type { List } from '@gantry/contract/paging'
import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { type SelectQueryBuilder, sql } from 'kysely'
import { anyContains, byName, countMatches, escapeLike } from '../../../db/list.ts'
import type { Db, Tables } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { type Reader, sayReasonTo } from '../../../kernel/phrase.ts'
import { maskSealed } from '../../../kernel/secrets/secrets.ts'
import { maskedDocument } from '../pipelines/documents.ts'

const outcomes = ['waiting', 'changed', 'unchanged', 'failed', 'restoring', 'restored', 'left'] as const

const countOf = (outcome: ItemOutcome) =>
  sql<number>`count(*) filter (where pipeline_batch_item.outcome = ${outcome})::int`.as(outcome)

/** Batches, each with the number of its pipelines by outcome. */
const rows = (db: Db) =>
  db
    .selectFrom('pipeline_batch')
    .leftJoinLateral(
      (q) =>
        q
          .selectFrom('pipeline_batch_item')
          .whereRef('pipeline_batch_item.batch_id', '=', 'pipeline_batch.id')
          .select([sql<number>`count(*)::int`.as('total'), ...outcomes.map(countOf)])
          .as('counts'),
      (join) => join.onTrue(),
    )
    .select([
      'pipeline_batch.id',
      'pipeline_batch.team_id',
      'pipeline_batch.state',
      'pipeline_batch.changes',
      'pipeline_batch.created_by',
      'pipeline_batch.created_at',
      'pipeline_batch.ended_at',
      'pipeline_batch.restored_by',
      'counts.total',
      ...outcomes.map((outcome) => `counts.${outcome}` as const),
    ])

type Row = Awaited<ReturnType<typeof oneRow>>
const oneRow = (db: Db, id: number) => rows(db).where('pipeline_batch.id', '=', id).executeTakeFirstOrThrow()

const answered = (row: Row): Batch => ({
  id: row.id,
  teamId: row.team_id,
  state: row.state,
  changes: mapSecrets(row.changes as Change[], maskSealed),
  by: row.created_by,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  restoredBy: row.restored_by,
  counts: {
    total: row.total ?? 0,
    waiting: row.waiting ?? 0,
    changed: row.changed ?? 0,
    unchanged: row.unchanged ?? 0,
    failed: row.failed ?? 0,
    restoring: row.restoring ?? 0,
    restored: row.restored ?? 0,
    left: row.left ?? 0,
  },
})

export const readBatch = async (db: Db, id: number): Promise<Batch> => answered(await oneRow(db, id))

export async function listBatches(
  db: Db,
  teamId: number,
  { keyword, state }: { keyword: string; state: string },
  at: Page,
): Promise<List<Batch>> {
  const pattern = `%${escapeLike(keyword)}%`
  const matching = <O>(query: SelectQueryBuilder<Tables, 'pipeline_batch', O>) =>
    query
      .where('pipeline_batch.team_id', '=', teamId)
      .$if(state !== '' && state !== 'all', (q) => q.where('pipeline_batch.state', '=', state as BatchState))
      .$if(keyword !== '', (q) =>
        q.where(
          sql<boolean>`(pipeline_batch.created_by ilike ${pattern} or exists (select 1 from pipeline_batch_item
            where batch_id = pipeline_batch.id and project_name ilike ${pattern}))`,
        ),
      )
  const [onPage, total] = await Promise.all([
    matching(db.selectFrom('pipeline_batch').select('pipeline_batch.id'))
      .orderBy('pipeline_batch.id', 'desc')
      .limit(at.limit)
      .offset(at.offset)
      .execute(),
    countMatches(db, matching(db.selectFrom('pipeline_batch'))),
  ])
  const ids = onPage.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await rows(db).where('pipeline_batch.id', 'in', ids).execute()
  const byId = new Map(found.map((row) => [row.id, answered(row)]))
  return toList(
    ids.flatMap((id) => byId.get(id) ?? []),
    total,
    at,
  )
}

/** Pipelines with a problem first: failed or left. */
const speaking = sql`(outcome in ('failed', 'left')) desc`

export async function listItems(
  db: Db,
  reader: Reader,
  batchId: number,
  { keyword, outcome }: { keyword: string; outcome: string },
  at: Page,
): Promise<List<BatchItem>> {
  const matching = db
    .selectFrom('pipeline_batch_item')
    .where('batch_id', '=', batchId)
    .$if(keyword !== '', (q) => q.where(anyContains(['project_name'], keyword)))
    .$if(outcome !== '' && outcome !== 'all', (q) => q.where('outcome', '=', outcome as ItemOutcome))
  const [found, total] = await Promise.all([
    matching
      .leftJoin('pipeline', 'pipeline.id', 'pipeline_batch_item.pipeline_id')
      .select([
        'pipeline_batch_item.pipeline_id',
        'pipeline_batch_item.group_id',
        'pipeline.group_id as present_group_id',
        'pipeline_batch_item.project_name',
        'pipeline_batch_item.outcome',
        'pipeline_batch_item.reason',
        'pipeline_batch_item.path',
        'pipeline_batch_item.revision',
        'pipeline_batch_item.before',
        'pipeline_batch_item.after',
        'pipeline_batch_item.secrets',
      ])
      .orderBy(speaking)
      .orderBy(byName('project_name'))
      .orderBy('pipeline_id')
      .limit(at.limit)
      .offset(at.offset)
      .execute(),
    countMatches(db, matching),
  ])
  const masked = (fields: unknown) => maskedDocument(fields as Partial<PipelineDocument>) as Record<string, unknown>
  return toList(
    found.map((row) => ({
      pipelineId: row.pipeline_id,
      appId: row.present_group_id ?? row.group_id,
      projectName: row.project_name,
      outcome: row.outcome,
      reason: sayReasonTo(reader, row.reason),
      path: row.path,
      revision: row.revision,
      before: masked(row.before),
      after: masked(row.after),
      secrets: row.secrets,
      exists: row.present_group_id !== null,
    })),
    total,
    at,
  )
}
