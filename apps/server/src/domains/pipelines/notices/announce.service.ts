import type { BuildEvent } from '@gantry/contract/notifications/build-event'
import type { BuildState } from '@gantry/contract/pipelines/states'
import type { Ctx } from '../../../kernel/context.ts'
import { tellWebhooks } from '../../webhooks/public.ts'
import { contentOf } from './content.service.ts'
import { failedBefore, hasDeployed } from './announce.read.ts'
import { enqueueNotifications } from './tell.service.ts'

type Announced = 'success' | 'failed' | 'aborted' | 'waiting'

const announced: Partial<Record<BuildState, Announced>> = {
  success: 'success',
  failed: 'failed',
  aborted: 'aborted',
  waiting: 'waiting',
}

/** Notifies webhooks and members that a build has reached this state, in the transaction in which it does. */
export async function announce(ctx: Ctx, buildId: number, teamId: number, state: BuildState): Promise<void> {
  const event = announced[state]
  if (!event) return
  const events: BuildEvent[] = [`build.${event}`]
  if (event === 'success') {
    if (await failedBefore(ctx.db, buildId)) events.unshift('build.fixed')
    if (await hasDeployed(ctx.db, buildId)) events.unshift('build.deployed')
  }
  for (const name of events) await tellWebhooks(ctx, teamId, name, () => contentOf(ctx, buildId))
  await enqueueNotifications(ctx, teamId, buildId, events)
}
