import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** The facts of a build that webhooks and chats get: only what every member may see. */
export const announcedBuild = (db: Db, buildId: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .innerJoin('pipeline_group', 'pipeline_group.id', 'pipeline.group_id')
    .innerJoin('team', 'team.id', 'build.team_id')
    .select(['build.number', 'build.state', 'build.branch', 'build.tag', 'build.commit', 'build.cause'])
    .select(['build.user_cause as userCause', 'build.queued_at as queuedAt', 'build.started_at as startedAt'])
    .select(['build.ended_at as endedAt', 'pipeline.id as pipelineId', 'pipeline.uuid', 'pipeline.name as pipeline'])
    .select(['pipeline_group.id as groupId', 'pipeline_group.name as group', 'team.id as teamId', 'team.name as team'])
    .where('build.id', '=', buildId)
    .executeTakeFirstOrThrow()

/** Whether the previous build of the same pipeline, branch and tag that succeeded or failed has failed. */
export const failedBefore = async (db: Db, buildId: number): Promise<boolean> =>
  (
    await db
      .selectFrom('build as own')
      .innerJoin('build as before', (join) =>
        join
          .onRef('before.pipeline_id', '=', 'own.pipeline_id')
          .onRef('before.branch', '=', 'own.branch')
          .onRef('before.tag', '=', 'own.tag'),
      )
      // a fork's branch may have the name of one of the team's own
      .where(
        sql<boolean>`case when (before.merge_request ->> 'fork')::boolean then before.merge_request ->> 'number' end
        is not distinct from case when (own.merge_request ->> 'fork')::boolean then own.merge_request ->> 'number' end`,
      )
      .select('before.state')
      .where('own.id', '=', buildId)
      .where(sql<boolean>`before.number < own.number`)
      .where('before.state', 'in', ['success', 'failed'])
      .orderBy('before.number', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.state === 'failed'

export const hasDeployed = async (db: Db, buildId: number): Promise<boolean> =>
  (await db.selectFrom('build').select('deployment').where('id', '=', buildId).executeTakeFirstOrThrow()).deployment ===
  'success'
