import { decisionsTopic } from '@gantry/contract/decisions/topics'
import type { Ctx } from '../../kernel/context.ts'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { tellDeciders } from './decisions.queue.ts'
import { isAnyoneMailed } from './decisions.store.ts'

/**
 * Publishes that something of a team, or with null of the installation, waits for a decision or no longer does. Called
 * in the transaction of the change.
 */
export async function decisionsChanged(ctx: Ctx, teamId: number | null): Promise<void> {
  await publish(ctx, decisionsTopic, { scope: teamId ?? 'all' }, { changed: 'decisions' })
  if (await isAnyoneMailed(ctx.db, teamId)) await enqueue(ctx, tellDeciders, { teamId }, { key: `${teamId ?? 'all'}` })
}
