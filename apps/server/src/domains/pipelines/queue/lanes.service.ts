import type { Ctx } from '../../../kernel/context.ts'
import { lockBuildById, requestCancel } from '../builds/builds.store.ts'
import { advance } from '../jobs/jobs.service.ts'
import { lockJobs } from '../jobs/jobs.store.ts'
import type { StoredPipeline } from '../pipelines/pipelines.store.ts'
import { hasBegun, olderBuilds } from './lanes.store.ts'

/** The lane of a pipeline: its builds and those of other pipelines in the lane run one at a time. Null for no lane. */
export function laneOf({
  concurrent,
  concurrency: { scope, name },
  appId,
  teamId,
}: Pick<StoredPipeline, 'concurrent' | 'concurrency' | 'appId' | 'teamId'>): string | null {
  if (concurrent || scope === 'pipeline') return null
  return scope === 'group' ? `group ${appId}` : `team ${teamId} ${name}`
}

/** Ends older builds of the same branch or tag that a newer one replaces, unless they have begun. */
export async function abortOlder(
  ctx: Ctx,
  pipelineId: number,
  newest: { number: number; branch: string; tag: string; request: number | null },
): Promise<void> {
  for (const id of await olderBuilds(ctx.db, pipelineId, newest)) {
    await lockJobs(ctx.db, id)
    const build = await lockBuildById(ctx.db, id)
    if (!build || build.cancelled || (await hasBegun(ctx.db, id))) continue
    await requestCancel(ctx.db, id, { key: 'pipelines-superseded', vars: { number: newest.number } })
    await advance(ctx, id)
  }
}
