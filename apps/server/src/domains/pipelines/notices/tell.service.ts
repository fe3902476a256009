import { pathOfBuild } from '../builds/path.ts'
import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import type { Channel, NotificationRule } from '@gantry/contract/notifications/rules'
import type { Tone } from '@gantry/contract/notifications/notifications'
import { z } from 'zod'
import { membersHolding } from '../../../identity/access.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import type { Queue } from '../../../kernel/jobs/queue.ts'
import { notify } from '../../notifications/public.ts'
import { sendMail } from '../../settings/public.ts'
import { tellReceivers } from '../../alarms/public.ts'
import { gatesOf } from '../jobs/gates.store.ts'
import { isNamed, type Named, requestersOf, reviewersOf } from '../reviews/deciders.ts'
import { findReview } from '../reviews/reviews.store.ts'
import { anyGlob } from '../triggers/globs.ts'
import { contentOf } from './content.service.ts'
import {
  deleteOldDue,
  insertDue,
  rulesFor,
  takeDue,
  buildForNotification,
  type ToldBuild,
  waitingDue,
} from './notices.store.ts'

/** Woken by each build that members are to be notified of. */
export const notifyMembers: Queue = { name: 'pipelines-tell-members', schema: z.object({}) }

/**
 * Stores a notification about a build if a rule of its team is for one of these events, of which the most important is
 * first. Runs in the transaction of the event; the recipients are determined later.
 */
export async function enqueueNotifications(
  ctx: Ctx,
  teamId: number,
  buildId: number,
  events: BuildEvent[],
): Promise<void> {
  if (await insertDue(ctx.db, teamId, buildId, events)) await enqueue(ctx, notifyMembers, {}, { key: 'now' })
}

const tones: Record<BuildEvent, Tone> = {
  'build.failed': 'bad',
  'build.fixed': 'ok',
  'build.deployed': 'ok',
  'build.success': 'ok',
  'build.aborted': 'warn',
  'build.waiting': 'warn',
}

/** The members who may decide about a waiting build: reviewers of its trigger, or approvers of its next stage. */
async function decidersOf(ctx: Ctx, { id, teamId, ...build }: ToldBuild): Promise<number[]> {
  const deciders = async (permission: PermissionKey, named: Named | null, requesters: readonly number[]) =>
    (await membersHolding(ctx.db, teamId, permission))
      .filter((one) => isNamed(named, one) && !requesters.includes(one.id))
      .map((one) => one.id)
  const requesters = requestersOf({ ...build, userId: build.triggererId })
  const review = await findReview(ctx.db, id)
  if (review?.state === 'waiting')
    return review.fork
      ? deciders('pipeline_build_execute', null, [])
      : deciders('pipeline_review_operate', reviewersOf(review), requesters)
  const gate = (await gatesOf(ctx.db, id)).find(({ state }) => state === 'waiting')
  if (!gate) return []
  return gate.mode === 'manual'
    ? deciders('pipeline_build_execute', gate.named, [])
    : deciders('pipeline_review_operate', gate.named, requesters)
}

/** The members who may see builds. Only they are notified, even if others may decide. */
type Viewers = Awaited<ReturnType<typeof membersHolding>>

/** The members whom a rule names. */
const namedBy = (rule: NotificationRule, viewers: Viewers, triggerer: number | null, deciders: readonly number[]) =>
  viewers.filter(
    ({ id, roleId }) =>
      rule.users.includes(id) ||
      (roleId !== null && rule.roles.includes(roleId)) ||
      (rule.triggerer && id === triggerer) ||
      (rule.deciders && deciders.includes(id)),
  )

/** The recipients of each channel, each with the most important event that a rule has for them. */
async function recipients(ctx: Ctx, build: ToldBuild, events: BuildEvent[]) {
  const byChannel: Record<Channel | 'methods', Map<number, BuildEvent>> = {
    bell: new Map(),
    mail: new Map(),
    methods: new Map(),
  }
  const rules = (await rulesFor(ctx.db, build, events)).filter(({ branches }) =>
    anyGlob(branches)(build.tag || (build.fork ? '' : build.branch)),
  )
  if (rules.length === 0) return byChannel
  const viewers = await membersHolding(ctx.db, build.teamId, 'pipeline_build_view')
  const deciders = events.includes('build.waiting') ? await decidersOf(ctx, build) : []
  for (const event of events)
    for (const rule of rules.filter((one) => one.events.includes(event))) {
      for (const id of rule.methods) if (!byChannel.methods.has(id)) byChannel.methods.set(id, event)
      for (const { id } of namedBy(rule, viewers, build.userId, event === 'build.waiting' ? deciders : []))
        for (const channel of rule.channels) if (!byChannel[channel].has(id)) byChannel[channel].set(id, event)
    }
  return byChannel
}

async function tell(ctx: Ctx, dueId: number): Promise<void> {
  const due = await takeDue(ctx.db, dueId)
  if (!due) return
  const build = await buildForNotification(ctx.db, due.buildId)
  const { bell, mail, methods } = await recipients(ctx, build, due.events)
  const { teamId, groupId, pipelineId, number, pipeline, team, by } = build
  for (const event of due.events)
    await notify(
      ctx,
      [...bell].filter(([, one]) => one === event).map(([id]) => id),
      {
        kind: 'build',
        tone: tones[event],
        text: { key: `notifications-build-${event.slice('build.'.length)}`, vars: { pipeline, number } },
        teamId,
        permission: 'pipeline_build_view',
        target: {
          route: 'cd-build-info',
          params: { team_id: teamId, pipeline_group_id: groupId, pipeline_id: pipelineId, build_number: number },
        },
        // the user who triggered it was already notified of its end
        once: true,
      },
    )
  const path = pathOfBuild({ teamId, groupId, pipelineId, number })
  const vars = { pipeline, number, team, by, ref: build.tag || build.branch || '–' }
  for (const [event, some] of Map.groupBy(methods, ([, event]) => event))
    await tellReceivers(
      ctx,
      teamId,
      some.map(([id]) => id),
      event,
      await contentOf(ctx, due.buildId),
    )
  for (const [to, event] of mail) await sendMail(ctx, { to, template: event, vars, key: `${dueId}`, path })
}

/** Sends due notifications, each in its own transaction. A failed one is tried again in the next runs, for a day. */
export async function tellDue(ctx: Ctx): Promise<void> {
  await deleteOldDue(ctx.db)
  for (const id of await waitingDue(ctx.db)) {
    if (ctx.signal.aborted) return
    await inTx(ctx, (ctx) => tell(ctx, id)).catch((error: unknown) => {
      ctx.log.error({ err: error, notification: id }, 'members could not be told of a build')
    })
  }
}
