import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import type { Kysely } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import { orderOf } from './key-order.ts'

type Db = Kysely<Tables>

export interface NewRevision {
  pipelineId: number
  revision: number
  /** With its secrets masked. */
  document: PipelineDocument
  /** The fields that differ from the previous revision, secrets included. */
  fields: string[]
  action: 'create' | 'change'
  by: string
}

export const insertRevision = (db: Db, one: NewRevision) =>
  db
    .insertInto('pipeline_revision')
    .values({
      pipeline_id: one.pipelineId,
      revision: one.revision,
      document: jsonb(one.document),
      definition_order: jsonb(orderOf(one.document.definition)),
      fields: one.fields,
      action: one.action,
      by: one.by,
    })
    .execute()

/** Who changed what after a revision. */
export const revisionsSince = (db: Db, pipelineId: number, revision: number) =>
  db
    .selectFrom('pipeline_revision')
    .select(['revision', 'fields', 'by'])
    .where('pipeline_id', '=', pipelineId)
    .where('revision', '>', revision)
    .orderBy('revision')
    .execute()
