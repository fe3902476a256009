import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { sql } from 'kysely'
import { type Jsonb, jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'

export interface NewRevision {
  pipelineId: number
  revision: number
  /** With masked secrets. */
  document: PipelineDocument
  /** The fields that differ from the previous revision, including secrets. */
  fields: string[]
  action: 'create' | 'change'
  by: string
}

/** Inserts a revision of a pipeline whose row already has the document's definition and the order of its keys. */
export const insertRevision = (db: Db, one: NewRevision) =>
  db
    .insertInto('pipeline_revision')
    .values({
      pipeline_id: one.pipelineId,
      revision: one.revision,
      document: jsonb(one.document),
      definition_order: sql<Jsonb>`(select definition_order from pipeline where id = ${one.pipelineId})`,
      fields: one.fields,
      action: one.action,
      by: one.by,
    })
    .execute()

/** The authors and fields of the changes after a revision. */
export const revisionsSince = (db: Db, pipelineId: number, revision: number) =>
  db
    .selectFrom('pipeline_revision')
    .select(['revision', 'fields', 'by'])
    .where('pipeline_id', '=', pipelineId)
    .where('revision', '>', revision)
    .orderBy('revision')
    .execute()
