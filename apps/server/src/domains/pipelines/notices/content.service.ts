import type { Ctx } from '../../../kernel/context.ts'
import { publicUrl } from '../../settings/public.ts'
import { announcedBuild } from './announce.read.ts'
import { pathOfBuild } from '../builds/path.ts'

/** The content about a build that webhooks and chats get. */
export async function contentOf(ctx: Ctx, buildId: number): Promise<object> {
  const { pipelineId, uuid, pipeline, groupId, group, teamId, team, ...build } = await announcedBuild(ctx.db, buildId)
  const path = pathOfBuild({ teamId, groupId, pipelineId, number: build.number })
  return {
    team: { id: teamId, name: team },
    pipeline: { id: pipelineId, uuid, name: pipeline, group: { id: groupId, name: group } },
    build: { ...build, url: `${await publicUrl(ctx)}${path}` },
  }
}
