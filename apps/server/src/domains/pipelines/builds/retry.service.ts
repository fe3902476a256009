import type { builds } from '@gantry/contract/pipelines/builds'
import type { Definition } from '@gantry/contract/pipelines/definition'
import { isEnded } from '@gantry/contract/pipelines/states'
import type { z } from 'zod'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { forgetGates, hasApprovers, setApprovers } from '../jobs/gates.store.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { definitionWanted } from '../definition-files/definition-files.queue.ts'
import { isUnread } from '../definition-files/definition-files.store.ts'
import { advance, publishBuild } from '../jobs/jobs.service.ts'
import { type JobRow, lockJobs, repeatJobs, stepsToResume } from '../jobs/jobs.store.ts'
import { passedSteps } from '../jobs/passed.ts'
import { planOf } from '../jobs/plan.ts'
import { isEmptied } from '../retention/retention.store.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey, StoredPipeline } from '../pipelines/pipelines.store.ts'
import { findApprovers } from '../reviews/approvers.service.ts'
import { findReview, insertReview, setReview } from '../reviews/reviews.store.ts'
import { announce } from '../notices/announce.service.ts'
import { buildToRun } from './to-run.store.ts'
import { type BuildRow, findBuild, lockBuildById, reopenBuild } from './builds.store.ts'

type From = z.output<typeof builds.retry.body>['from']

/**
 * Runs jobs of an ended build again, after a new review if the pipeline requires reviews. Jobs that succeeded keep
 * their results, and so do the stages of a job before the one that failed. From then on the build acts for the user who
 * retries it: it deploys with their permissions, and runs without isolation only if they are an administrator.
 */
export const retryBuild = (ctx: Ctx, key: PipelineKey, number: number, from: From): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: `${pipeline.projectName} #${number}`, after: { from } })
    const found = mustExist(await findBuild(ctx.db, pipeline.id, number))
    const jobs = await lockJobs(ctx.db, found.id)
    const build = mustExist(await lockBuildById(ctx.db, found.id))
    if (!isEnded(build.state)) throw new Fault('conflict', 'pipelines-build-not-ended', { number })
    if (await isEmptied(ctx.db, build.id)) throw new Fault('conflict', 'pipelines-build-emptied', { number })
    // retrying the build of a fork approves it
    const review = await findReview(ctx.db, build.id)
    if (review?.fork) await setReview(ctx.db, review, 'passed')
    if (jobs.length === 0 && (await isUnread(ctx.db, build.id))) return readAgain(ctx, build, pipeline)
    if (jobs.length === 0) throw new Fault('conflict', 'pipelines-retry-too-old', { number })
    const again = jobs.filter((job) => isChosen(job, from))
    if (again.length === 0) throw new Fault('conflict', 'pipelines-retry-nothing', { number })
    const { document, fork } = await buildToRun(ctx.db, build.id)
    await nameApprovers(ctx, build, document.definition, pipeline)
    const plan = planOf(document.definition)
    const steps = await stepsToResume(ctx.db, build.id)
    const stays = new Map(again.map(({ index }) => [index, passedSteps(steps.filter(({ job }) => job === index))]))
    const passed = [...stays.values()].flat()
    for (const retriesLeft of new Set(again.map(({ index }) => plan[index]?.retries.count ?? 0))) {
      const indices = again.map(({ index }) => index).filter((at) => (plan[at]?.retries.count ?? 0) === retriesLeft)
      await repeatJobs(ctx.db, build.id, indices, { state: 'pending', losses: 0, retriesLeft, passed })
    }
    // a stage that passed does not run again, so nobody is asked about it again
    const legs = new Set(again.flatMap(({ index }) => (stays.get(index)?.length ? [] : [plan[index]?.leg])))
    const stages = plan.flatMap(({ leg, gate }) => (gate && legs.has(leg) ? [gate.stageIndex] : []))
    if (stages.length > 0) await forgetGates(ctx.db, build.id, stages)
    // no administrator can have a fork's code run where steps are not isolated
    const state = await reopen(ctx, build, pipeline, ctx.actor.admin && !fork)
    if (state === 'waiting') await publishBuild(ctx, { ...build, state })
    else await advance(ctx, build.id)
    return null
  })

const by = ({ actor: { name, kind, id, limit } }: Ctx) => ({
  userCause: name,
  userId: kind === 'user' ? id : null,
  token: limit?.kind === 'token' ? { alias: limit.alias, permissions: [...limit.permissions] } : null,
})

/** Retries a build whose definition could not be read: the file of the same commit is read again. */
async function readAgain(ctx: Ctx, build: BuildRow, pipeline: StoredPipeline): Promise<null> {
  // nobody has yet seen what would run
  const state = await reopen(ctx, build, pipeline, false)
  await enqueue(ctx, definitionWanted, { buildId: build.id }, { key: `build ${build.id}` })
  await publishBuild(ctx, { ...build, state })
  return null
}

/** Reopens a build. A review that was passed allows one run, so it is required again. */
async function reopen(ctx: Ctx, build: BuildRow, { id: pipelineId, review }: StoredPipeline, byAdmin: boolean) {
  const state = review ? 'waiting' : 'queued'
  await reopenBuild(ctx.db, build.id, state, { ...by(ctx), byAdmin })
  if (review) {
    await insertReview(ctx.db, { buildId: build.id, pipelineId, review, cause: 'retry', by: ctx.actor.name })
    await announce(ctx, build.id, build.teamId, state)
  }
  return state
}

/** Sets the approvers of a build that was queued by a release that did not look up names. */
async function nameApprovers(
  ctx: Ctx,
  { id, teamId }: BuildRow,
  definition: Definition,
  { approvers }: StoredPipeline,
) {
  if (await hasApprovers(ctx.db, id)) return
  await setApprovers(ctx.db, id, (await findApprovers(ctx, teamId, definition, approvers)).approvers)
}

const isChosen = ({ name, state }: JobRow, from: From): boolean =>
  from === 'failed' ? state !== 'success' : name === from.job || state === 'not_built'
