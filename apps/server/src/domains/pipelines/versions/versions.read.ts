import { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import type { Version } from '@gantry/contract/pipelines/editing/versions'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { inOrder } from '../pipelines/key-order.ts'

const rows = (db: Db, pipelineId: number) =>
  db
    .selectFrom('pipeline_revision')
    .innerJoin('pipeline', 'pipeline.id', 'pipeline_revision.pipeline_id')
    .select(['pipeline_revision.revision', 'pipeline_revision.by', 'pipeline_revision.created_at as at'])
    .select('pipeline_revision.fields')
    .select(sql<boolean>`pipeline_revision.action = 'create'`.as('created'))
    // the previous release increments the other two
    .select(
      sql<boolean>`pipeline_revision.revision =
        greatest(pipeline.revision, pipeline.definition_revision, pipeline.setting_revision)`.as('current'),
    )
    .where('pipeline_revision.pipeline_id', '=', pipelineId)

export async function listVersions(db: Db, pipelineId: number, at: Page): Promise<List<Version>> {
  const of = rows(db, pipelineId)
  const items = await of.orderBy('pipeline_revision.revision', 'desc').limit(at.limit).offset(at.offset).execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}

export async function findVersion(db: Db, pipelineId: number, revision: number) {
  const row = await rows(db, pipelineId)
    .select(['pipeline_revision.document', 'pipeline_revision.definition_order as order'])
    .where('pipeline_revision.revision', '=', revision)
    .executeTakeFirst()
  if (!row) return undefined
  const { order, ...version } = row
  const document = PipelineDocument.parse(row.document)
  return { ...version, document: { ...document, definition: inOrder(document.definition, order) } }
}

/** The fields that any version after `after`, up to `upTo`, changed, including secrets. */
export const changedBetween = async (db: Db, pipelineId: number, after: number, upTo: number): Promise<string[]> => {
  const found = await db
    .selectFrom('pipeline_revision')
    .select('fields')
    .where('pipeline_id', '=', pipelineId)
    .where('revision', '>', after)
    .where('revision', '<=', upTo)
    .execute()
  return [...new Set(found.flatMap(({ fields }) => fields))]
}
