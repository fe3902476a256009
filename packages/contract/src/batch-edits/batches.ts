import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { BuildState } from '../pipelines/states.ts'
import { topic } from '../topic.ts'
import { Change, Changes } from './changes.ts'
import { pipelinesTopic } from '../pipelines/topics.ts'

/** The most pipelines of one batch. */
export const maxPipelines = 1000

/** The names are the specification's. EDITING and RESTORING are temporary. */
export const BatchState = z.enum([
  'EDITING',
  'SUCCESS',
  'PARTIAL_SUCCESS',
  'FAILURE',
  'RESTORING',
  'RESTORE_SUCCESS',
  'RESTORE_FAILURE',
])
export type BatchState = z.infer<typeof BatchState>

/** The outcome for one pipeline of a batch. `left`: it was not restored. */
export const ItemOutcome = z.enum(['waiting', 'changed', 'unchanged', 'failed', 'restoring', 'restored', 'left'])
export type ItemOutcome = z.infer<typeof ItemOutcome>

const count = z.number().int()

export const Batch = z.object({
  id: z.number().int(),
  teamId: z.number().int(),
  state: BatchState,
  /** Secrets are masked. */
  changes: z.array(Change),
  by: z.string(),
  createdAt: z.string(),
  /** When the last change or restore ended. */
  endedAt: z.string().nullable(),
  /** The last user who restored it; empty: nobody. */
  restoredBy: z.string(),
  counts: z.object({
    total: count,
    waiting: count,
    changed: count,
    unchanged: count,
    failed: count,
    restoring: count,
    restored: count,
    left: count,
  }),
})
export type Batch = z.infer<typeof Batch>

/** Fields of a pipeline's document, with secrets masked. */
const Fields = z.record(z.string(), z.unknown())

export const BatchItem = z.object({
  pipelineId: z.number().int(),
  appId: z.number().int(),
  projectName: z.string(),
  outcome: ItemOutcome,
  /** Why it failed, or was not restored; otherwise empty. */
  reason: z.string(),
  /** The path in the document to which the reason refers. */
  path: z.string(),
  /** The revision that the batch made. */
  revision: z.number().int().nullable(),
  /** The changed fields before and after. */
  before: Fields,
  after: Fields,
  /** Paths of secrets with a new value, because their masks look the same. */
  secrets: z.array(z.string()),
  /** Whether the pipeline still exists. */
  exists: z.boolean(),
})
export type BatchItem = z.infer<typeof BatchItem>

export const PreviewOutcome = z.enum(['changed', 'unchanged', 'refused'])
export type PreviewOutcome = z.infer<typeof PreviewOutcome>

/** What the changes would do to one pipeline. */
export const Preview = BatchItem.pick({
  pipelineId: true,
  appId: true,
  projectName: true,
  reason: true,
  path: true,
  before: true,
  after: true,
  secrets: true,
}).extend({ groupName: z.string(), revision: z.number().int(), outcome: PreviewOutcome })
export type Preview = z.infer<typeof Preview>

/** Pipelines by their ids, or by the filter of their list; without either, all of the team. */
export const Selection = z
  .strictObject({
    ids: z.array(id).min(1, 'batch-edits-nothing-selected').max(maxPipelines, 'batch-edits-too-many').optional(),
    filter: z
      .strictObject({
        projectName: z.string().max(200).default(''),
        groupId: id.optional(),
        state: z.enum(['all', 'never', ...BuildState.options]).default('all'),
        /** Part of the repository's address. */
        repository: z.string().max(2000).default(''),
      })
      .optional(),
  })
  .refine(({ ids, filter }) => ids === undefined || filter === undefined, 'batch-edits-selection-once')
export type Selection = z.output<typeof Selection>

const chosenPipeline = z.strictObject({ id, revision: z.number().int().min(1, 'field-too-small') })

/** A team's batches: one began, progressed, or ended. */
export const batchesTopic = topic({
  path: 'pipeline-batches/:teamId',
  access: { team: 'teamId', permission: 'pipeline_pipeline_view' },
  content: z.object({ batchId: z.number().int(), state: BatchState }),
})

const edit = 'pipeline_pipeline_edit'
const one = z.strictObject({ id })
const owned = (permission: string) => ({ owner: 'pipeline-batch', by: 'id', permission })

export const batches = {
  history: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/batch/:teamId/history',
    access: { team: 'teamId', permission: 'pipeline_pipeline_view' },
    summary: "A team's batch edits, newest first; the keyword finds pipelines and users by their names",
    params: z.strictObject({ teamId: id }),
    query: listQuery().extend({ state: z.enum(['all', ...BatchState.options]).optional() }),
    data: listOf(Batch),
    topics: [batchesTopic],
  }),
  validate: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/batch/validation',
    access: { owner: 'team', by: 'teamId', in: 'body', permission: edit },
    audit: 'pipeline-batch.validate',
    summary: 'What changes would make of each selected pipeline: nothing is changed',
    query: listQuery({ pageSize: 20 }).extend({ outcome: z.enum(['all', ...PreviewOutcome.options]).optional() }),
    body: z.strictObject({ teamId: id, selection: Selection, changes: Changes }),
    data: listOf(Preview).extend({
      counts: z.object({ changed: count, unchanged: count, refused: count }),
      /** For each change, the number of pipelines in which it matched. */
      matched: z.array(count),
      /** The pipelines that would change, at the revisions that were read: input for the call that changes them. */
      pipelines: z.array(z.object({ id: count, revision: count })),
    }),
    topics: [],
  }),
  apply: endpoint({
    method: 'PUT',
    path: '/api/v2/pipelines/batch/:teamId',
    access: { team: 'teamId', permission: edit },
    audit: 'pipeline-batch.apply',
    summary: 'Change many pipelines in the background, each whole or not at all, on the revision that was seen',
    params: z.strictObject({ teamId: id }),
    body: z.strictObject({
      pipelines: z
        .array(chosenPipeline)
        .min(1, 'batch-edits-nothing-selected')
        .max(maxPipelines, 'batch-edits-too-many')
        .refine((list) => new Set(list.map((pipeline) => pipeline.id)).size === list.length, 'batch-edits-twice'),
      changes: Changes,
    }),
    data: Batch,
    topics: [batchesTopic, pipelinesTopic],
  }),
  restore: endpoint({
    method: 'PUT',
    path: '/api/v2/pipelines/batch/history/restore/:id',
    access: owned(edit),
    audit: 'pipeline-batch.restore',
    summary: 'Undo a batch edit: what somebody has changed since is named and left as it is',
    params: one,
    data: Batch,
    topics: [batchesTopic, pipelinesTopic],
  }),
  retry: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/batch/history/retry/:id',
    access: owned(edit),
    audit: 'pipeline-batch.retry',
    summary: 'Do again what failed in a batch edit or its restore, on the present revisions',
    params: one,
    data: Batch,
    topics: [batchesTopic, pipelinesTopic],
  }),
  /** Not in the specification: one batch, for its screen. */
  get: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/batch/history/:id',
    access: owned('pipeline_pipeline_view'),
    summary: 'One batch edit',
    params: one,
    data: Batch,
    topics: [batchesTopic],
  }),
  /** Not in the specification: the outcome for each pipeline. */
  items: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/batch/history/:id/pipelines',
    access: owned('pipeline_pipeline_view'),
    summary: 'The pipelines of a batch edit, each with what was changed',
    params: one,
    query: listQuery().extend({ outcome: z.enum(['all', ...ItemOutcome.options]).optional() }),
    data: listOf(BatchItem),
    topics: [batchesTopic],
  }),
}
