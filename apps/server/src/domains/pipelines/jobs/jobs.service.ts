import { type BuildState, isEnded } from '@gantry/contract/pipelines/states'
import { buildsTopic, buildTopic } from '@gantry/contract/pipelines/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { type BuildRow, endBuild, type StoredReason, lockBuildById, setBuildState } from '../builds/builds.store.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { buildToRun } from '../builds/to-run.store.ts'
import { notifyEnded } from '../builds/ended.service.ts'
import { announce } from '../notices/announce.service.ts'
import { enqueueIssueUpdates } from '../issues/issues.service.ts'
import { packLogs } from '../logs/logs.jobs.ts'
import { queued } from '../queue/queue.service.ts'
import { statusChanged } from '../statuses/statuses.queue.ts'
import { isUnread } from '../definition-files/definition-files.store.ts'
import { awaitsReview } from '../reviews/reviews.store.ts'
import { sendsStatuses } from '../statuses/statuses.store.ts'
import { buildEnded } from '../triggers/ended.queue.ts'
import { isFollowed } from '../triggers/triggers.store.ts'
import type { Facts } from './conditions.ts'
import { progressOf, type Gates } from './course.ts'
import { closeGates, forgetGates, gatesOf, openGate } from './gates.store.ts'
import {
  endJob,
  type JobRow,
  lockJobs,
  outputsOf,
  queueJobs,
  repeatJobs,
  skipJobs,
  stepsToResume,
} from './jobs.store.ts'
import { type BuildProgress, type Next, nextOf } from './next.ts'
import { planOf, type PlannedJob } from './plan.ts'

/** Publishes a build's state to its own page and to the team's lists. */
export async function publishState(
  ctx: Ctx,
  { pipelineId, number, teamId }: Pick<BuildRow, 'pipelineId' | 'teamId' | 'number'>,
  state: BuildState | 'deleted',
): Promise<void> {
  await publish(ctx, buildTopic, { pipelineId, number }, { state })
  await publish(ctx, buildsTopic, { teamId }, { pipelineId, number, state })
}

/** Publishes a change of a build, and queues what follows from it: decisions, commit statuses, other pipelines. */
export async function publishBuild(
  ctx: Ctx,
  build: Pick<BuildRow, 'id' | 'pipelineId' | 'teamId' | 'number' | 'state'>,
): Promise<void> {
  const { id, pipelineId, number, state, teamId } = build
  await publishState(ctx, build, state)
  if (state === 'waiting') await decisionsChanged(ctx, teamId)
  if (await sendsStatuses(ctx.db, pipelineId))
    await enqueue(ctx, statusChanged, { buildId: id }, { key: `build ${id}` })
  if (isEnded(state) && (await isFollowed(ctx.db, pipelineId))) await enqueue(ctx, buildEnded, { pipelineId, number })
}

/** When a build is being stopped, or no job is left to queue, no condition counts: the jobs' states are enough. */
const stopping = (jobs: JobRow[], { hasTurn, cancelled }: BuildRow): BuildProgress => ({
  hasTurn,
  cancelled,
  commitKnown: true,
  legs: [
    {
      gate: null,
      jobs: jobs.map(({ index, state }) => ({
        index,
        state,
        checksOut: false,
        runs: { afterSuccess: true, afterFailure: true },
      })),
    },
  ],
})

async function courseOfBuild(
  ctx: Ctx,
  build: BuildRow,
  jobs: JobRow[],
): Promise<{ course: BuildProgress; plan: PlannedJob[] }> {
  // with no job left to queue, do not parse the definition, which takes a while
  if (build.cancelled || jobs.every(({ state }) => state !== 'pending'))
    return { plan: [], course: stopping(jobs, build) }
  const { document, ...run } = await buildToRun(ctx.db, build.id)
  const facts: Facts = { ...run, outputs: await outputsOf(ctx.db, build.id) }
  const states = jobs.toSorted((a, b) => a.index - b.index).map(({ state }) => state)
  const plan = planOf(document.definition)
  const gated = plan.some(({ gate }) => gate !== null)
  const gates: Gates = new Map(
    (gated ? await gatesOf(ctx.db, build.id) : []).map(({ stageIndex, state }) => [
      stageIndex,
      state === 'passed' ? 'open' : state === 'waiting' ? 'waiting' : 'closed',
    ]),
  )
  const { hasTurn } = build
  const of = { hasTurn, cancelled: false, commitKnown: run.commit !== '', gates }
  return { plan, course: progressOf(plan, states, facts, of) }
}

/**
 * Advances a build after its jobs changed: queues or skips the next ones, or ends the build. Locks the jobs, then the
 * build.
 */
export async function advance(ctx: Ctx, buildId: number): Promise<void> {
  const jobs = await lockJobs(ctx.db, buildId)
  const build = await lockBuildById(ctx.db, buildId)
  if (!build || isEnded(build.state)) return
  if (build.state === 'waiting' && !build.cancelled && (await awaitsReview(ctx.db, buildId))) return
  // its jobs are planned once its definition has been read
  if (jobs.length === 0 && !build.cancelled && (await isUnread(ctx.db, buildId))) return
  const { course, plan } = await courseOfBuild(ctx, build, jobs)
  const next = nextOf(course)
  if (next.skip.length > 0) await skipJobs(ctx.db, buildId, next.skip)
  if (next.queue.length > 0) await queueJobs(ctx.db, buildId, next.queue)
  const gate = plan.find(({ leg }) => leg === next.waits)?.gate
  if (gate) await openGate(ctx.db, buildId, gate)
  if (isEnded(next.state)) await end(ctx, build, jobs, next)
  else if (next.state !== build.state) {
    await setBuildState(ctx.db, buildId, next.state)
    await announce(ctx, buildId, build.teamId, next.state)
  }
  await publishBuild(ctx, { ...build, state: next.state })
  if (build.state === 'waiting' && next.state !== 'waiting') await decisionsChanged(ctx, build.teamId)
  // a slot is free, a job waits for one, an exclusive build may start, or an agent has to be told to stop
  queued.wakeAfterCommit(ctx)
}

/**
 * Ends an attempt that cannot use the workspace of earlier stages. The next attempt runs all stages, so people are
 * asked again about the first one. The jobs are locked.
 */
export async function startOver(
  ctx: Ctx,
  job: { buildId: number; index: number },
  reason: StoredReason,
): Promise<void> {
  const { buildId, index } = job
  await endJob(ctx.db, job, { state: 'failed', step: 'failed', reason })
  await repeatJobs(ctx.db, buildId, [index], { state: 'pending' })
  const [first] = (await stepsToResume(ctx.db, buildId)).filter((step) => step.job === index)
  if (first) await forgetGates(ctx.db, buildId, [first.stageIndex])
  await advance(ctx, buildId)
}

/** Ends a build; its reason is that of the first job that failed, else of the first that was aborted. */
async function end(ctx: Ctx, build: BuildRow, jobs: JobRow[], { state }: Next): Promise<void> {
  const wrong = jobs.find((job) => job.state === 'failed') ?? jobs.find((job) => job.state === 'aborted')
  // who stopped or rejected it, or that nobody decided in time, is already stored as the reason
  const stopped = state === 'aborted' && (build.cancelled || !wrong)
  await closeGates(ctx.db, build.id)
  await endBuild(ctx.db, build.id, state, stopped ? undefined : (wrong?.reason ?? null))
  await packLogs(ctx, build.id)
  await notifyEnded(ctx, build.id, state)
  await announce(ctx, build.id, build.teamId, state)
  await enqueueIssueUpdates(ctx, build.id, state)
}

/** Ends a build without jobs because its definition could not be read. */
export async function failUnread(ctx: Ctx, buildId: number, reason: StoredReason): Promise<void> {
  const build = await lockBuildById(ctx.db, buildId)
  if (!build) return
  await endBuild(ctx.db, buildId, 'failed', reason)
  await notifyEnded(ctx, buildId, 'failed')
  await announce(ctx, buildId, build.teamId, 'failed')
  await publishBuild(ctx, { ...build, state: 'failed' })
  // another build of its pipeline may begin
  queued.wakeAfterCommit(ctx)
}
