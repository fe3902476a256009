import type { Amount, Quota, quotas, TeamNamespace } from '@gantry/contract/quotas/quotas'
import type { z } from 'zod'
import { sorting } from '../../db/list.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { page } from '../../kernel/paging.ts'
import { firstFew } from '../../kernel/phrase.ts'
import { namespaceShares } from './namespaces.read.ts'
import { listQuotas, putQuota, type QuotaRow, quotaSorts, serialise, teamQuotas } from './quotas.store.ts'
import { excess, type Excess, resources } from './share.ts'
import { usedByTeams, usedIn } from './used.service.ts'

async function readQuota(ctx: Ctx, teamId: number, clusterId: string): Promise<QuotaRow> {
  const [quota] = await teamQuotas(ctx.db, teamId, clusterId)
  if (!quota) throw new Fault('missing', 'resource-missing')
  return quota
}

export async function quotaOn(ctx: Ctx, teamId: number, clusterId: string): Promise<Quota> {
  const quota = await readQuota(ctx, teamId, clusterId)
  const [live] = await usedByTeams(ctx, [quota])
  return { ...quota, used: live?.used ?? null }
}

export const quotasOf = async (ctx: Ctx, teamId: number): Promise<Quota[]> =>
  usedByTeams(ctx, await teamQuotas(ctx.db, teamId))

/** The quotas of all teams, whichever is chosen in the console. */
export async function allQuotas(ctx: Ctx, query: z.output<(typeof quotas.all)['query']>) {
  const { keyword, envUuid } = query
  const order = sorting<(typeof quotaSorts)[number]>(query.sort, quotaSorts)
  const found = await listQuotas(ctx.db, { keyword, envUuid, ...order }, page(query))
  return { ...found, items: await usedByTeams(ctx, found.items) }
}

export async function namespacesOfTeam(ctx: Ctx, teamId: number): Promise<TeamNamespace[]> {
  const shares = await namespaceShares(ctx.db, { teamIds: [teamId] })
  const used = await usedIn(ctx, shares)
  return shares.map((share) => ({
    name: share.namespace,
    envUuid: share.envUuid,
    envName: share.envName,
    stack: share.stack,
    hard: share.hard,
    used: used(share),
  }))
}

const figure = (value: number): string => (Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : '∞')

/** The variables of a phrase about exceeding a quota: wanted, taken, allowed, and how much to free. */
export const excessVars = (over: Excess) => ({
  wanted: figure(over.wanted),
  taken: figure(over.taken),
  hard: figure(over.hard),
  left: figure(Math.max(0, over.hard - over.taken)),
  free: figure(over.taken + over.wanted - over.hard),
})

const nothing = { cpu: 0, memory: 0 }

/**
 * A quota cannot be lower than the sum of the stacks' shares, or than current usage. A stack without a share could use
 * any amount of a limited resource, so each must get one first.
 */
export async function setQuota(ctx: Ctx, teamId: number, clusterId: string, hard: Amount): Promise<Quota> {
  // read before the lock, so that nobody waits for a cluster; pods that start meanwhile are within their stack's share
  const { used } = await quotaOn(ctx, teamId, clusterId)
  await inTx(ctx, async (ctx) => {
    await serialise(ctx.db, teamId, clusterId)
    const { team, envName, hard: before, allocated } = await readQuota(ctx, teamId, clusterId)
    note(ctx, { object: `${team.name}: ${envName}`, teamId, before, after: hard })
    const shares = await namespaceShares(ctx.db, { teamIds: [teamId], environment: clusterId })
    for (const resource of resources) {
      const without = shares.filter((share) => share.hard[resource] === null).map(({ stack }) => stack.name)
      if (hard[resource] !== null && without.length > 0)
        throw new Fault('conflict', `quotas-unshared-${resource}`, {
          hard: figure(hard[resource]),
          stacks: firstFew(without),
        })
    }
    const below = excess(hard, allocated, nothing)
    if (below) throw new Fault('conflict', `quotas-below-use-${below.resource}`, excessVars(below))
    const running = used && excess(hard, used, nothing)
    if (running) throw new Fault('conflict', `quotas-below-running-${running.resource}`, excessVars(running))
    await putQuota(ctx.db, teamId, clusterId, hard)
  })
  return quotaOn(ctx, teamId, clusterId)
}

/**
 * Checks, in the caller's transaction, that a share of a new stack or of `stackId` fits into the quota beside the
 * others'. Serialized per team and cluster, so that concurrent deployments never exceed it together: all shares, the
 * stack's own too, are read after locking.
 */
export async function mustFit(
  ctx: Ctx,
  { teamId, environment, stackId, wanted }: { teamId: number; environment: string; stackId?: number; wanted: Amount },
): Promise<void> {
  await serialise(ctx.db, teamId, environment)
  const { hard } = await readQuota(ctx, teamId, environment)
  const others = { ...nothing }
  for (const share of await namespaceShares(ctx.db, { teamIds: [teamId], environment })) {
    if (share.stack.id === stackId) continue
    others.cpu += share.hard.cpu ?? 0
    others.memory += share.hard.memory ?? 0
  }
  const over = excess(hard, others, wanted)
  if (!over) return
  throw Number.isFinite(over.wanted)
    ? new Fault('conflict', `quotas-exceeded-${over.resource}`, excessVars(over))
    : new Fault('invalid', `quotas-share-needed-${over.resource}`, excessVars(over))
}
