import type { List } from '@gantry/contract/paging'
import type { Review } from '@gantry/contract/pipelines/reviews'
import { brokenConstraint } from '../../../db/constraint.ts'
import { holds } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Page } from '../../../kernel/paging.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { findBuild, lockBuildById, requestCancel } from '../builds/builds.store.ts'
import { advance } from '../jobs/jobs.service.ts'
import { lockJobs } from '../jobs/jobs.store.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import {
  findReview,
  hasRole,
  insertVote,
  listReviews,
  setReview,
  type StoredReview,
  waitingReviews,
} from './reviews.store.ts'

/** Why the actor may not decide; undefined where they may. */
async function obstacleTo(ctx: Ctx, review: StoredReview): Promise<Fault | undefined> {
  const { number, state, requesterId, users, roles, votes, teamId } = review
  const { actor } = ctx
  if (state !== 'waiting') return new Fault('conflict', 'pipelines-review-over', { number })
  if (actor.kind !== 'user' || !(await holds(ctx, teamId, 'pipeline_review_operate')))
    return new Fault('forbidden', 'pipelines-review-not-you', { number })
  if (requesterId === actor.id) return new Fault('forbidden', 'pipelines-review-own', { number })
  if (votes.some(({ accountId }) => accountId === actor.id))
    return new Fault('conflict', 'pipelines-review-twice', { number })
  const isOpen = users.length === 0 && roles.length === 0
  if (isOpen || users.includes(actor.id) || (await hasRole(ctx.db, teamId, actor.id, roles))) return undefined
  return new Fault('forbidden', 'pipelines-review-not-you', { number })
}

export async function readReviews(
  ctx: Ctx,
  key: PipelineKey,
  filter: { state: string; number: number | undefined },
  at: Page,
): Promise<List<Review>> {
  const { id } = await getPipeline(ctx, key)
  const { items, ...list } = await listReviews(ctx.db, id, filter, at)
  return { ...list, items: await Promise.all(items.map((one) => shown(ctx, one))) }
}

async function shown(ctx: Ctx, stored: StoredReview): Promise<Review> {
  const { number, state, cause, requestedBy, requestedAt, branch, tag, needed } = stored
  const obstacle = await obstacleTo(ctx, stored)
  return {
    number,
    state,
    cause,
    requestedBy,
    requestedAt,
    branch,
    tag,
    needed,
    votes: stored.votes.map(({ name, pass, reason, at }) => ({ name, pass, reason, at })),
    obstacle: obstacle ? sayTo(ctx, obstacle) : '',
  }
}

/**
 * Passes or rejects a trigger. The first rejection ends the build; it begins once enough have passed it. Decisions of
 * one build are taken one after the other, as is its stop: the later one finds what the earlier one left.
 */
export const decide = (
  ctx: Ctx,
  key: PipelineKey,
  { pass, number: given, reason }: { pass: boolean; number?: number | undefined; reason: string },
): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const pipeline = await getPipeline(ctx, key)
    const number = given ?? (await onlyWaiting(ctx, pipeline.id))
    note(ctx, { object: `${pipeline.projectName} #${number}`, after: { pass, reason } })
    const build = await findBuild(ctx.db, pipeline.id, number)
    if (!build) throw new Fault('missing', 'resource-missing')
    await lockJobs(ctx.db, build.id)
    await lockBuildById(ctx.db, build.id)
    const review = await findReview(ctx.db, build.id)
    if (!review) throw new Fault('conflict', 'pipelines-review-none', { number })
    const obstacle = await obstacleTo(ctx, review)
    if (obstacle) throw obstacle
    await insertVote(ctx.db, build.id, { actor: ctx.actor, pass, reason }).catch(
      brokenConstraint('build_review_once', new Fault('conflict', 'pipelines-review-twice', { number })),
    )
    const passed = review.votes.filter((vote) => vote.pass).length + 1
    if (!pass) {
      await setReview(ctx.db, build.id, 'rejected')
      const key = reason === '' ? 'pipelines-review-rejected-by' : 'pipelines-review-rejected-because'
      await requestCancel(ctx.db, build.id, { key, vars: { name: ctx.actor.name, reason } })
      await advance(ctx, build.id)
    } else if (passed >= review.needed) {
      await setReview(ctx.db, build.id, 'passed')
      await advance(ctx, build.id)
    }
    return null
  })

async function onlyWaiting(ctx: Ctx, pipelineId: number): Promise<number> {
  const [first, ...others] = await waitingReviews(ctx.db, pipelineId)
  if (first === undefined) throw new Fault('conflict', 'pipelines-review-nothing')
  if (others.length > 0)
    throw new Fault('conflict', 'pipelines-review-which', { numbers: `#${[first, ...others].join(', #')}` })
  return first
}
