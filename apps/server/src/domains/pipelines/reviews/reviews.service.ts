import type { List } from '@gantry/contract/paging'
import type { Review } from '@gantry/contract/pipelines/reviews'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import type { Page } from '../../../kernel/paging.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { findBuild, lockBuildById, requestCancel } from '../builds/builds.store.ts'
import { advance, publishState } from '../jobs/jobs.service.ts'
import { lockJobs } from '../jobs/jobs.store.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { deciderOf, obstacleOf, type Question, requestersOf, reviewersOf, whoMay } from './deciders.ts'
import { decisionEvent, reviewAfter } from './decision-states.ts'
import {
  findReview,
  insertVote,
  listReviews,
  namesOf,
  setReview,
  type StoredReview,
  waitingReviews,
} from './reviews.store.ts'

const mayDecide = 'pipeline_review_operate'

/** The actor as a reviewer in a team, and who may review instead; both are read once for any number of reviews. */
async function reviewingIn(ctx: Ctx, teamId: number) {
  const known = new Map<string, Promise<string>>()
  return {
    decider: await deciderOf(ctx, teamId, mayDecide),
    others({ users, roles }: StoredReview): Promise<string> {
      const key = JSON.stringify([users, roles])
      const found =
        known.get(key) ??
        namesOf(ctx.db, teamId, { users, roles }).then((names) => whoMay(ctx, teamId, mayDecide, names))
      known.set(key, found)
      return found
    },
  }
}
type Reviewing = Awaited<ReturnType<typeof reviewingIn>>

/** Why the actor may not decide; undefined if they may. */
async function obstacleTo(review: StoredReview, { decider, others }: Reviewing): Promise<Fault | undefined> {
  const { number, state, votes } = review
  const question: Question = {
    waits: state === 'waiting',
    named: reviewersOf(review),
    requesters: requestersOf(review),
    decided: votes.map(({ accountId }) => accountId),
  }
  if (review.fork && question.waits) return new Fault('forbidden', 'pipelines-review-fork', { number })
  const obstacle = obstacleOf(question, decider)
  switch (obstacle) {
    case undefined:
      return undefined
    case 'over':
    case 'twice':
      return new Fault('conflict', `pipelines-review-${obstacle}`, { number })
    case 'own':
      return new Fault('forbidden', 'pipelines-review-own', { number })
    case 'lacking':
    case 'unnamed': {
      return new Fault('forbidden', 'pipelines-review-not-you', { number, who: (await others(review)) || '–' })
    }
  }
}

export async function readReviews(
  ctx: Ctx,
  key: PipelineKey,
  filter: { state: string; number: number | undefined },
  at: Page,
): Promise<List<Review>> {
  const { id } = await getPipeline(ctx, key)
  const { items, ...list } = await listReviews(ctx.db, id, filter, at)
  const [first] = items
  if (first === undefined) return { ...list, items: [] }
  const reviewing = await reviewingIn(ctx, first.teamId)
  return { ...list, items: await Promise.all(items.map((one) => toReview(ctx, one, reviewing))) }
}

async function toReview(ctx: Ctx, stored: StoredReview, reviewing: Reviewing): Promise<Review> {
  const { number, round, state, cause, requestedBy, requestedAt, branch, tag, needed, fork } = stored
  const obstacle = await obstacleTo(stored, reviewing)
  return {
    number,
    round,
    state,
    cause,
    requestedBy,
    requestedAt,
    branch,
    tag,
    needed,
    votes: stored.votes.map(({ name, pass, reason, at }) => ({ name, pass, reason, at })),
    obstacle: obstacle ? sayTo(ctx, obstacle) : '',
    fork,
  }
}

/**
 * Records a decision about a trigger. The first rejection ends the build; it begins once enough reviewers have passed
 * it. Decisions about a build and its stop are serialized, so that each finds the result of the one before.
 */
export const decide = (
  ctx: Ctx,
  key: PipelineKey,
  { pass, number: given, reason }: { pass: boolean; number?: number | undefined; reason: string },
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    const number = given ?? (await onlyWaiting(ctx, pipeline.id))
    const action = pass ? 'build.approve' : 'build.reject'
    note(ctx, { action, object: `${pipeline.projectName} #${number}`, after: { pass, reason } })
    const build = mustExist(await findBuild(ctx.db, pipeline.id, number))
    await lockJobs(ctx.db, build.id)
    await lockBuildById(ctx.db, build.id)
    const review = await findReview(ctx.db, build.id)
    if (!review) throw new Fault('conflict', 'pipelines-review-none', { number })
    const obstacle = await obstacleTo(review, await reviewingIn(ctx, review.teamId))
    if (obstacle) throw obstacle
    await insertVote(ctx.db, review, { actor: ctx.actor, pass, reason }).catch(
      brokenConstraint('build_review_once', new Fault('conflict', 'pipelines-review-twice', { number })),
    )
    const event = decisionEvent(pass, review.votes.filter((vote) => vote.pass).length, review.needed)
    await setReview(ctx.db, review, reviewAfter.waiting[event])
    if (event === 'reject') {
      const key = reason === '' ? 'pipelines-review-rejected-by' : 'pipelines-review-rejected-because'
      await requestCancel(ctx.db, build.id, { key, vars: { name: ctx.actor.name, reason } })
    }
    if (event === 'pass') {
      await publishState(ctx, build, build.state)
      await decisionsChanged(ctx, build.teamId)
    } else await advance(ctx, build.id)
    return null
  })

/** Approves a fork's build. Anyone who may start builds may do this, even the user who saved the trigger. */
export const passFork = (ctx: Ctx, key: PipelineKey, number: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    note(ctx, { object: `${pipeline.projectName} #${number}` })
    const build = mustExist(await findBuild(ctx.db, pipeline.id, number))
    await lockJobs(ctx.db, build.id)
    await lockBuildById(ctx.db, build.id)
    const review = await findReview(ctx.db, build.id)
    if (!review?.fork) throw new Fault('conflict', 'pipelines-review-none', { number })
    if (review.state !== 'waiting') throw new Fault('conflict', 'pipelines-review-over', { number })
    await insertVote(ctx.db, review, { actor: ctx.actor, pass: true, reason: '' })
    await setReview(ctx.db, review, reviewAfter.waiting.lastPass)
    await advance(ctx, build.id)
    return null
  })

async function onlyWaiting(ctx: Ctx, pipelineId: number): Promise<number> {
  const [first, ...others] = await waitingReviews(ctx.db, pipelineId)
  if (first === undefined) throw new Fault('conflict', 'pipelines-review-nothing')
  if (others.length > 0)
    throw new Fault('conflict', 'pipelines-review-which', { numbers: `#${[first, ...others].join(', #')}` })
  return first
}
