import type { builds } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import type { z } from 'zod'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { forgetGates } from '../jobs/gates.store.ts'
import { advance } from '../jobs/jobs.service.ts'
import { type JobRow, lockJobs, repeatJobs } from '../jobs/jobs.store.ts'
import { planOf } from '../jobs/plan.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'
import { buildToRun, findBuild, lockBuildById, reopenBuild } from './builds.store.ts'

type From = z.output<typeof builds.retry.body>['from']

/**
 * Runs jobs of an ended build again; those that succeeded stay. From then on the build acts for who retries it: with
 * their permissions it deploys, and on their word it may run where steps cannot be isolated.
 */
export const retryBuild = (ctx: Ctx, key: PipelineKey, number: number, from: From): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: `${pipeline.projectName} #${number}`, after: { from } })
    const found = await findBuild(ctx.db, pipeline.id, number)
    if (!found) throw new Fault('missing', 'resource-missing')
    const jobs = await lockJobs(ctx.db, found.id)
    const build = await lockBuildById(ctx.db, found.id)
    if (!build || !isEnded(build.state)) throw new Fault('conflict', 'pipelines-build-not-ended', { number })
    if (jobs.length === 0) throw new Fault('conflict', 'pipelines-retry-too-old', { number })
    const again = jobs.filter((job) => isChosen(job, from))
    if (again.length === 0) throw new Fault('conflict', 'pipelines-retry-nothing', { number })
    const { document } = await buildToRun(ctx.db, build.id)
    const plan = planOf(document.definition)
    for (const retriesLeft of new Set(again.map(({ index }) => plan[index]?.retries.count ?? 0))) {
      const indices = again.map(({ index }) => index).filter((at) => (plan[at]?.retries.count ?? 0) === retriesLeft)
      await repeatJobs(ctx.db, build.id, indices, { state: 'pending', losses: 0, retriesLeft })
    }
    const legs = new Set(again.map(({ index }) => plan[index]?.leg))
    const stages = plan.flatMap(({ leg, gate }) => (gate && legs.has(leg) ? [gate.stageIndex] : []))
    if (stages.length > 0) await forgetGates(ctx.db, build.id, stages)
    const { actor } = ctx
    await reopenBuild(ctx.db, build.id, {
      userCause: actor.name,
      userId: actor.kind === 'user' ? actor.id : null,
      token:
        actor.limit?.kind === 'token' ? { alias: actor.limit.alias, permissions: [...actor.limit.permissions] } : null,
      byAdmin: actor.admin,
    })
    await advance(ctx, build.id)
    await sweepBlobs(ctx)
    return null
  })

const isChosen = ({ name, state }: JobRow, from: From): boolean =>
  from === 'failed' ? state !== 'success' : name === from.job || state === 'not_built'
