import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { findBuild, lockBuildById } from '../builds/builds.store.ts'
import { publishBuild } from '../jobs/jobs.service.ts'
import { lockJobs } from '../jobs/jobs.store.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'
import { dueBuilds, type Part, parts, removePart, setPinned } from './retention.store.ts'

export const pinBuild = (ctx: Ctx, key: PipelineKey, number: number, pinned: boolean): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: `${pipeline.projectName} #${number}`, after: { pinned } })
    const found = await findBuild(ctx.db, pipeline.id, number)
    const build = mustExist(found && (await lockBuildById(ctx.db, found.id)))
    await setPinned(ctx.db, build.id, pinned)
    await publishBuild(ctx, build)
    return null
  })

/**
 * Removes the parts of builds that their pipelines' settings no longer keep. Each build is checked again once it is
 * locked, because somebody may have pinned or retried it.
 */
export async function removeDue(ctx: Ctx): Promise<void> {
  for (const part of parts)
    for (let more = true; more && !ctx.signal.aborted;) {
      more = false
      for (const id of await dueBuilds(ctx.db, part)) more = (await removeOne(ctx, part, id)) || more
      if (more) await sweepBlobs(ctx)
    }
}

const removeOne = (ctx: Ctx, part: Part, id: number): Promise<boolean> =>
  inTx(ctx, async (ctx) => {
    await lockJobs(ctx.db, id)
    await lockBuildById(ctx.db, id)
    const [due] = await dueBuilds(ctx.db, part, id)
    if (due === undefined) return false
    await removePart(ctx.db, part, due)
    return true
  })
