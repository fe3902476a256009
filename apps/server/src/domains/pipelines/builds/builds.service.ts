import type { Definition } from '@gantry/contract/pipelines/definition'
import { type BuildCause, isEnded, type JobState } from '@gantry/contract/pipelines/states'
import { note } from '../../../kernel/audit.ts'
import { type Actor, type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { say } from '../../../kernel/phrase.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { definitionWanted } from '../definition-files/definition-files.queue.ts'
import { findApprovers } from '../reviews/approvers.service.ts'
import { requestersOf } from '../reviews/deciders.ts'
import { insertReview, type NewReview } from '../reviews/reviews.store.ts'
import { announce } from '../notices/announce.service.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { queued } from '../queue/queue.service.ts'
import { parametersOfBuild } from '../pipelines/parameters.ts'
import type { Facts } from '../jobs/conditions.ts'
import { progressOf } from '../jobs/course.ts'
import { abortOlder, laneOf } from '../queue/lanes.service.ts'
import { openGate } from '../jobs/gates.store.ts'
import { advance, publishBuild, publishState } from '../jobs/jobs.service.ts'
import { lockJobs } from '../jobs/jobs.store.ts'
import { type Next, nextOf } from '../jobs/next.ts'
import { planOf } from '../jobs/plan.ts'
import { mustBeAbleToRun } from '../lint/lint.service.ts'
import {
  type BuildRow,
  discardBuilds,
  findBuild,
  findBuildById,
  lockBuildById,
  lockBuilds,
  requestCancel,
  unendedBuildsOf,
} from './builds.store.ts'
import { countWaiting, findByKey, forkOfCommit, insertBuild, type Queued } from './insert.store.ts'
import type { MergeRequest } from './merge-request.store.ts'
import { triggererOf } from './to-run.store.ts'

/** How many builds of a team may be queued or waiting; another one is refused with 429. */
const queueCap = 500

const weekSeconds = 7 * 24 * 3600

export interface Trigger {
  cause: BuildCause
  /** At most one of branch and tag; without either, the branch of the pipeline's settings. */
  branch?: string | undefined
  tag?: string | undefined
  /** Without it, the build's first checkout determines the commit. */
  commit?: string | undefined
  mergeRequest?: MergeRequest | undefined
  /** Whether a fork's merge request waits until somebody approves it. */
  waits?: boolean | undefined
  parameters?: Record<string, string> | undefined
  /** The image, with its tag or digest, whose new version triggers the build. */
  image?: string | undefined
  idempotencyKey?: string | undefined
  /** The build whose step starts this one. */
  parentId?: number | undefined
  /** Other accounts that caused it, besides the actor: who pushed, or who requested the build that it follows. */
  requesters?: number[] | undefined
  /** Replaces the pipeline's stages. */
  draft?: Definition | undefined
  /** The files that the push or merge request changed, if known. */
  changedPaths?: string[] | undefined
}

const stateOf = ({ queue, skip }: Next, index: number): JobState =>
  queue.includes(index) ? 'queued' : skip.includes(index) ? 'not_built' : 'pending'

const answer = ({ id, number }: Queued) => ({ number, queueId: id })

/** No job of a build is queued before its trigger has passed its review. */
const untilReviewed: Next = { state: 'waiting', queue: [], skip: [], waits: null }

/** Anyone who may start builds may approve a fork's. */
const ofFork: NewReview = { users: [], roles: [], count: 1, fork: true }

/** A build whose definition is in its repository has no jobs until the file has been read. */
const untilRead: Next = { ...untilReviewed, state: 'queued' }

/**
 * Queues a build for the actor of `ctx`, with their permissions; for triggers without a user, that is the user who
 * saved the trigger. One idempotency key queues one build, however often it is sent.
 */
export const triggerBuild = (ctx: Ctx, key: PipelineKey, { idempotencyKey, ...trigger }: Trigger) =>
  inTx(ctx, async (ctx) => {
    // the first of several calls with one key locks the pipeline; the others then find the build that it queued
    const pipeline = await getPipeline(ctx, key, { lock: idempotencyKey !== undefined })
    note(ctx, { object: pipeline.projectName })
    // the definition is read from the build's commit after this call, because no call waits for a repository
    const file = trigger.draft ? null : pipeline.definitionFile
    const definition = file ? { stages: [] } : (trigger.draft ?? pipeline.definition)
    if (!file && definition.stages.length === 0)
      throw new Fault('conflict', 'pipelines-without-stages', { name: pipeline.projectName })
    const before = idempotencyKey === undefined ? undefined : await findByKey(ctx.db, pipeline.id, idempotencyKey)
    if (before) return answer(before)
    const waiting = await countWaiting(ctx.db, pipeline.teamId)
    if (waiting >= queueCap) throw new Fault('tooMany', 'pipelines-queue-full', { count: waiting })
    const { parameters, secrets } = parametersOfBuild(ctx, pipeline.parameters, trigger.parameters ?? {})
    const { tag = '', commit = '', changedPaths = null } = trigger
    const branch = trigger.branch || (tag === '' ? (pipeline.repository?.branch ?? '') : '')
    // a fork's commit is not trusted more when it is run again manually
    const named = commit !== '' && trigger.cause !== 'webhook'
    const mergeRequest = trigger.mergeRequest ?? (named ? await forkOfCommit(ctx.db, pipeline.id, commit) : null)
    const fork = mergeRequest?.fork === true
    const plan = planOf(definition)
    const outputs = new Map<string, string>()
    const facts: Facts = { branch: fork ? '' : branch, tag, changedPaths, parameters, fork, outputs }
    if (!file) await mustBeAbleToRun(ctx, pipeline, definition, facts)
    const begin = { hasTurn: false, cancelled: false, commitKnown: commit !== '', gates: new Map() }
    const review: NewReview | null = pipeline.review ?? (fork && trigger.waits ? ofFork : null)
    const next = review ? untilReviewed : file ? untilRead : nextOf(progressOf(plan, [], facts, begin))
    const { limit } = ctx.actor
    const parent = trigger.parentId === undefined ? undefined : await findBuildById(ctx.db, trigger.parentId)
    // approvers of a draft were already checked; a definition saved by an earlier release may name nobody
    const found = file ? null : await findApprovers(ctx, pipeline.teamId, definition, pipeline.approvers)
    const byHand = trigger.cause === 'manual' || trigger.cause === 'params'
    const build = await insertBuild(ctx.db, {
      pipelineId: pipeline.id,
      teamId: pipeline.teamId,
      cause: trigger.cause,
      userCause: ctx.actor.name,
      userId: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      requesters: trigger.requesters ?? (parent ? requestersOf(parent) : []),
      approvers: found?.approvers ?? null,
      token: limit?.kind === 'token' ? { alias: limit.alias, permissions: [...limit.permissions] } : null,
      // the author of a push decides what runs, and no administrator has seen it
      byAdmin:
        (ctx.actor.admin && !fork && (file ? byHand : trigger.cause !== 'webhook')) || ctx.actor.kind === 'system',
      revision: trigger.draft || file ? null : pipeline.revision,
      draft: trigger.draft !== undefined,
      definitionPath: file?.path ?? '',
      parentId: trigger.parentId ?? null,
      branch,
      tag,
      commit,
      mergeRequest,
      image: trigger.image ?? '',
      changedPaths,
      parameters,
      secretParameters: secrets,
      definition,
      state: next.state,
      jobs: plan.map((one, index) => ({ plan: one, state: stateOf(next, index) })),
      timeoutSeconds: pipeline.timeoutMinutes === 0 ? weekSeconds : pipeline.timeoutMinutes * 60,
      agentLabels: pipeline.agentLabels,
      exclusive: !pipeline.concurrent,
      lane: laneOf(pipeline),
      idempotencyKey: idempotencyKey ?? null,
    })
    if (!build) throw new Fault('missing', 'resource-missing')
    const { id: pipelineId } = pipeline
    const asking = { cause: trigger.cause, by: ctx.actor.name }
    if (review) await insertReview(ctx.db, { buildId: build.id, pipelineId, review, ...asking })
    // if the build begins with a gate, it opens once the trigger has passed its review
    const gate = plan.find(({ leg }) => leg === next.waits)?.gate
    if (gate) await openGate(ctx.db, build.id, gate)
    if (file) await enqueue(ctx, definitionWanted, { buildId: build.id }, { key: `build ${build.id}` })
    await publishBuild(ctx, { ...build, pipelineId: pipeline.id, teamId: pipeline.teamId, state: next.state })
    await announce(ctx, build.id, pipeline.teamId, next.state)
    if (pipeline.concurrency.newestOnly)
      await abortOlder(ctx, pipeline.id, { ...build, branch, tag, request: fork ? mergeRequest.number : null })
    queued.wakeAfterCommit(ctx)
    return answer(build)
  })

const stoppedBy = (ctx: Ctx) => ({ key: 'pipelines-stopped-by', vars: { name: ctx.actor.name } })

/** Does not start waiting jobs, and tells the agents of running ones to stop. Without running jobs, ends at once. */
async function abort(
  ctx: Ctx,
  { id, number }: BuildRow,
  may: (build: BuildRow) => void = () => undefined,
): Promise<void> {
  await lockJobs(ctx.db, id)
  const build = mustExist(await lockBuildById(ctx.db, id))
  may(build)
  if (isEnded(build.state))
    throw new Fault('conflict', 'stop-fail-build', { number, error: say(ctx.lang, `state-${build.state}`) })
  if (build.cancelled) throw new Fault('conflict', 'pipelines-stopping-already', { number })
  await requestCancel(ctx.db, id, stoppedBy(ctx))
  await advance(ctx, id)
}

export const stopBuild = (ctx: Ctx, key: PipelineKey, number: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: `${pipeline.projectName} #${number}` })
    const build = mustExist(await findBuild(ctx.db, pipeline.id, number))
    await abort(ctx, build)
    return null
  })

/** Stops the unended builds of users who are about to be deleted. */
export async function stopBuildsOf(ctx: Ctx, userIds: number[]): Promise<void> {
  for (const { id } of await unendedBuildsOf(ctx.db, userIds)) {
    await lockJobs(ctx.db, id)
    const build = await lockBuildById(ctx.db, id)
    if (!build || build.cancelled || isEnded(build.state)) continue
    await requestCancel(ctx.db, id, stoppedBy(ctx))
    await advance(ctx, id)
  }
}

export const cancelQueued = (ctx: Ctx, key: PipelineKey, queueId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    const build = await findBuildById(ctx.db, queueId)
    if (!build || build.pipelineId !== pipeline.id) throw new Fault('missing', 'resource-missing')
    note(ctx, { object: `${pipeline.projectName} #${build.number}` })
    await abort(ctx, build, ({ state, number }) => {
      if (state !== 'queued') throw new Fault('conflict', 'pipelines-not-queued', { number })
    })
    return null
  })

/** Deletes ended builds: all of those given, or none. */
export const removeBuilds = (ctx: Ctx, key: PipelineKey, numbers: number[]): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: `${pipeline.projectName} #${numbers.slice(0, 20).join(', #')}` })
    const found = await lockBuilds(ctx.db, pipeline.id, numbers)
    if (found.length !== new Set(numbers).size) throw new Fault('missing', 'resource-missing')
    const running = found.find((build) => !isEnded(build.state))
    if (running) throw new Fault('conflict', 'pipelines-build-not-ended', { number: running.number })
    const pinned = found.find((build) => build.pinned)
    if (pinned) throw new Fault('conflict', 'pipelines-build-pinned', { number: pinned.number })
    await discardBuilds(
      ctx.db,
      pipeline.id,
      found.map((build) => build.id),
    )
    for (const build of found) await publishState(ctx, build, 'deleted')
    await sweepBlobs(ctx)
    return null
  })

/** The actor of a build, with present permissions: who retried it last, else who triggered it or saved its trigger. */
export async function actorOfBuild(ctx: Ctx, buildId: number): Promise<Actor> {
  const { name, actor } = await triggererOf(ctx.db, buildId)
  if (actor === null) throw new Fault('forbidden', 'pipelines-triggerer-gone', { name })
  return actor
}
