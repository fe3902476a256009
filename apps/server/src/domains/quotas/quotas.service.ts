import type { Amount, Quota } from '@gantry/contract/quotas/quotas'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { putQuota, serialise, teamQuotas } from './quotas.store.ts'
import { excess, type Excess } from './share.ts'

export async function quotaOn(ctx: Ctx, teamId: number, environment: string): Promise<Quota> {
  const [quota] = await teamQuotas(ctx.db, teamId, environment)
  if (!quota) throw new Fault('missing', 'resource-missing')
  return quota
}

const figure = (value: number): string => (Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : '∞')

/** The values of a phrase about a quota: what is wanted, taken, allowed, and how much to free. */
export const excessVars = (over: Excess) => ({
  wanted: figure(over.wanted),
  taken: figure(over.taken),
  hard: figure(over.hard),
  left: figure(Math.max(0, over.hard - over.taken)),
  free: figure(over.taken + over.wanted - over.hard),
})

/** Never below what the team's stacks have. */
export const setQuota = (ctx: Ctx, teamId: number, environment: string, hard: Amount): Promise<Quota> =>
  inTx(ctx, async (ctx) => {
    await serialise(ctx.db, teamId, environment)
    const before = await quotaOn(ctx, teamId, environment)
    note(ctx, { object: before.envName, teamId, before: before.hard, after: hard })
    const over = excess(hard, before.allocated, { cpu: 0, memory: 0 })
    if (over) throw new Fault('conflict', `quotas-below-use-${over.resource}`, excessVars(over))
    await putQuota(ctx.db, teamId, environment, hard)
    return quotaOn(ctx, teamId, environment)
  })

/**
 * Inside the caller's transaction: whether a stack may have this share, beside `mine`, what the same stack has at present. Decided
 * one after another for a team on a cluster, so that two deployments at once never exceed it together.
 */
export async function mustFit(
  ctx: Ctx,
  { teamId, environment, mine, wanted }: { teamId: number; environment: string; mine: Amount; wanted: Amount },
): Promise<void> {
  await serialise(ctx.db, teamId, environment)
  const { hard, allocated } = await quotaOn(ctx, teamId, environment)
  const others = { cpu: allocated.cpu - (mine.cpu ?? 0), memory: allocated.memory - (mine.memory ?? 0) }
  const over = excess(hard, others, wanted)
  if (!over) return
  throw Number.isFinite(over.wanted)
    ? new Fault('conflict', `quotas-exceeded-${over.resource}`, excessVars(over))
    : new Fault('invalid', `quotas-share-needed-${over.resource}`, excessVars(over))
}
