import { type Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.gen.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { publicUrl } from '../../settings/public.ts'
import { pathOfBuild } from '../builds/path.ts'

const rowOf = (db: Kysely<Tables>, buildId: number) =>
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

/** What programs and chats are told of a build: nothing that a member without further permissions does not see. */
export async function contentOf(ctx: Ctx, buildId: number): Promise<object> {
  const { pipelineId, uuid, pipeline, groupId, group, teamId, team, ...build } = await rowOf(ctx.db, buildId)
  const path = pathOfBuild({ teamId, groupId, pipelineId, number: build.number })
  return {
    team: { id: teamId, name: team },
    pipeline: { id: pipelineId, uuid, name: pipeline, group: { id: groupId, name: group } },
    build: { ...build, url: `${await publicUrl(ctx)}${path}` },
  }
}
