import type { Pause } from '@gantry/contract/pipelines/running'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { findPause, setPause } from './lanes.store.ts'
import { queued } from './queue.service.ts'

const toPause = ({ at, by, reason }: { at: string | null; by: string; reason: string }): Pause | null =>
  at === null ? null : { at, by, reason }

/** Pauses or resumes a pipeline. While it is paused, builds that have begun run to their end, and others wait. */
export const pausePipeline = (
  ctx: Ctx,
  key: PipelineKey,
  { paused, reason }: { paused: boolean; reason: string },
): Promise<Pause | null> =>
  inTx(ctx, async (ctx) => {
    const { id, projectName } = await getPipeline(ctx, key)
    const before = toPause(await findPause(ctx.db, id))
    const after = toPause(await setPause(ctx.db, id, paused ? { name: ctx.actor.name, reason } : null))
    note(ctx, { object: projectName, before: { paused: before }, after: { paused: after } })
    queued.wakeAfterCommit(ctx)
    return after
  })
