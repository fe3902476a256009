import { databaseNow } from '../../../db/clock.ts'
import { isEnded } from '@gantry/contract/pipelines/states'
import type { z } from 'zod'
import { type Ctx, scoped } from '../../../kernel/context.ts'
import { type Job, job, scheduled } from '../../../kernel/jobs/jobs.ts'
import { slotsAfter } from '../../../kernel/cron.ts'
import { requestersOf } from '../reviews/deciders.ts'
import { buildEnded } from './ended.queue.ts'
import { fireAlone, skip } from './fire.service.ts'
import {
  dueTriggers,
  followedBuild,
  followersOf,
  forgetOccasions,
  setNextSlot,
  type StoredTrigger,
} from './triggers.store.ts'

/** How many schedules one run handles; the next run, a few seconds later, handles the others. */
const portion = 200

/**
 * Fires the schedules whose slot has come by the database's clock. All slots that passed while no server ran fire once.
 * May run on several replicas at once: a slot starts one build.
 */
export async function fireDue(ctx: Ctx): Promise<void> {
  for (const trigger of await dueTriggers(ctx.db, portion)) {
    const own = scoped(ctx)
    // a failing one is tried again and does not delay others
    await fireSlot(own, trigger).catch((error: unknown) =>
      own.log.error({ err: error, trigger: trigger.id }, 'a schedule could not be fired'),
    )
  }
}

async function fireSlot(ctx: Ctx, trigger: StoredTrigger): Promise<void> {
  const { id, rule, nextAt } = trigger
  if (rule.kind !== 'schedule' || nextAt === null) return
  const slot = new Date(nextAt)
  await fireAlone(
    ctx,
    trigger,
    { delivery: `slot ${slot.toISOString()}`, event: `schedule ${rule.cron}` },
    { cause: 'schedule', branch: rule.branch },
  )
  const now = await databaseNow(ctx.db)
  const [next] = slotsAfter(rule, now > slot ? now : slot)
  await setNextSlot(ctx.db, id, nextAt, next)
}

/** Fires the triggers that follow a pipeline whose build has ended. */
export async function fireFollowers(
  ctx: Ctx,
  { pipelineId, number }: z.infer<typeof buildEnded.schema>,
): Promise<void> {
  const build = await followedBuild(ctx.db, pipelineId, number)
  if (!build || !isEnded(build.state)) return
  const occasion = { delivery: `build ${build.id}`, event: `${build.name} #${number}` }
  for (const trigger of await followersOf(ctx.db, pipelineId)) {
    const { rule } = trigger
    if (rule.kind !== 'pipeline' || (rule.on === 'success' && build.state !== 'success')) continue
    if (build.fork) await skip(scoped(ctx), trigger, occasion, { key: 'pipelines-trigger-after-fork', vars: {} })
    else await fireAlone(scoped(ctx), trigger, occasion, { cause: 'pipeline', requesters: requestersOf(build) })
  }
}

const schedules = scheduled({
  name: 'pipelines-fire-schedules',
  every: 10,
  run: fireDue,
})

const followers = job({ ...buildEnded, run: fireFollowers })

const retention = scheduled({
  name: 'pipelines-forget-trigger-events',
  every: '17 3 * * *',
  async run(ctx) {
    await forgetOccasions(ctx.db)
  },
})

export const jobs: Job[] = [schedules, followers, retention]
