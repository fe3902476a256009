import { Forge } from '@gantry/contract/pipelines/repository-url'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** Whether the statuses of a pipeline's builds are sent to a git host. */
export const sendsStatuses = async (db: Db, pipelineId: number): Promise<boolean> =>
  (await db
    .selectFrom('pipeline')
    .select('id')
    .where('id', '=', pipelineId)
    .where(sql<boolean>`settings ->> 'commitStatus' is not null`)
    .executeTakeFirst()) !== undefined

/** The facts of a build for its commit status; undefined if none is sent. */
export async function buildToTell(db: Db, buildId: number) {
  const row = await db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .select(['build.number', 'build.state', 'build.commit', 'pipeline.id as pipelineId', 'pipeline.name'])
    .select('build.definition_problems as problems')
    .select(['pipeline.group_id as groupId', 'pipeline.team_id as teamId'])
    .select(sql<string | null>`pipeline.settings ->> 'commitStatus'`.as('forge'))
    .where('build.id', '=', buildId)
    .executeTakeFirst()
  const forge = Forge.safeParse(row?.forge)
  return row && row.commit !== '' && forge.success ? { ...row, forge: forge.data } : undefined
}
