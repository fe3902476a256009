import type { Definition } from '@gantry/contract/pipelines/definition'
import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { StoredReason } from '../../../kernel/phrase.ts'
import { MergeRequest } from '../builds/merge-request.store.ts'
import type { PlacedReason } from './definition-text.ts'

export const Problems = z.array(
  z.object({ line: z.number(), column: z.number(), path: z.string(), reason: StoredReason }),
)

/** Whether a build has no jobs yet because its definition has not been read. */
export const isUnread = async (db: Db, buildId: number): Promise<boolean> =>
  (await db
    .selectFrom('build')
    .select('id')
    .where('id', '=', buildId)
    .where('definition_path', '<>', '')
    .where(sql<boolean>`not exists (select from build_job where build_id = build.id)`)
    .executeTakeFirst()) !== undefined

export async function buildToRead(db: Db, buildId: number) {
  const row = await db
    .selectFrom('build')
    .select(['pipeline_id as pipelineId', 'branch', 'tag', 'commit', 'definition_path as path'])
    .select('merge_request as mergeRequest')
    .where('id', '=', buildId)
    .executeTakeFirst()
  return row && { ...row, mergeRequest: MergeRequest.nullable().parse(row.mergeRequest) }
}

/** Stores the file's commit, its definition and its problems. */
export const setRead = (
  db: Db,
  buildId: number,
  { commit, definition, problems }: { commit: string; definition: Definition | undefined; problems: PlacedReason[] },
) =>
  db
    .updateTable('build')
    .set({
      definition_commit: commit,
      definition_problems: jsonb(problems),
      ...(definition && { definition: jsonb(definition) }),
    })
    .where('id', '=', buildId)
    .execute()
