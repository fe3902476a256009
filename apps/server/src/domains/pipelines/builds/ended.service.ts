import type { Tone } from '@gantry/contract/notifications/notifications'
import type { BuildState } from '@gantry/contract/pipelines/states'
import type { Ctx } from '../../../kernel/context.ts'
import { notify } from '../../notifications/public.ts'
import { endedBuild } from './builds.store.ts'

const tones: Partial<Record<BuildState, Tone>> = { success: 'ok', failed: 'bad', aborted: 'warn' }

/**
 * Notifies the user whom a build acts for of its end, in the transaction that ends it. Not if this user stopped it; and
 * if a program triggered it, only of a failure.
 */
export async function notifyEnded(ctx: Ctx, buildId: number, state: BuildState): Promise<void> {
  const tone = tones[state]
  if (!tone) return
  const { userId, byProgram, ownStop, ...build } = await endedBuild(ctx.db, buildId)
  if ((state === 'aborted' && ownStop) || (byProgram && state !== 'failed')) return
  await notify(ctx, [userId], {
    kind: 'build',
    tone,
    text: { key: `notifications-build-${state}`, vars: { pipeline: build.pipeline, number: build.number } },
    teamId: build.teamId,
    permission: 'pipeline_build_view',
    target: {
      route: 'cd-build-info',
      params: {
        team_id: build.teamId,
        pipeline_group_id: build.groupId,
        pipeline_id: build.pipelineId,
        build_number: build.number,
      },
    },
  })
}
