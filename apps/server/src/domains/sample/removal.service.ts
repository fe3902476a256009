import type { Sample } from '@gantry/contract/sample/sample'
import { setTimeout as sleep } from 'node:timers/promises'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, type FaultKind } from '../../kernel/fault.ts'
import { removeImages, sandboxRegistry } from '../images/public.ts'
import { removeGroup, removePipeline, runningBuilds, stopBuild } from '../pipelines/public.ts'
import { removeProduct } from '../products/public.ts'
import { findStack, removeStack } from '../stacks/public.ts'
import { imageOf, names } from './definition.ts'
import { readSample } from './read-sample.ts'
import { deleteSample, findSample, type SampleRow, updateSample } from './sample.store.ts'

/** Marks the sample as being removed; `send` enqueues the rest, which waits for builds and the cluster. */
export async function removeSample(ctx: Ctx, teamId: number, send: (ctx: Ctx) => Promise<void>): Promise<Sample> {
  await inTx(ctx, async (ctx) => {
    const row = await findSample(ctx.db, teamId, { lock: true })
    if (!row) throw new Fault('missing', 'sample-none')
    note(ctx, { object: names.pipeline })
    await updateSample(ctx.db, teamId, { state: 'removing' })
    await send(ctx)
  })
  return readSample(ctx, teamId)
}

/** Tolerates that somebody else has removed a part, or put something of their own into it, so that it is kept. */
const unless =
  (...kinds: FaultKind[]) =>
  (error: unknown): void => {
    if (!(error instanceof Fault) || !kinds.includes(error.kind)) throw error
  }

/** Removes the next part. True once nothing is left; otherwise call it again, at any time and from any replica. */
async function removeNext(ctx: Ctx, row: SampleRow): Promise<boolean> {
  const { teamId, pipelineId, stackId, groupId, productId } = row
  const running = pipelineId === null ? [] : await runningBuilds(ctx.db, pipelineId)
  if (pipelineId !== null && running.length > 0) {
    for (const number of running) await stopBuild(ctx, pipelineId, number).catch(unless('missing', 'conflict'))
    return false
  }
  const stack = stackId === null ? undefined : await findStack(ctx.db, stackId)
  if (stack) {
    // without its cluster only the row is left
    const forget = ctx.config.sandboxKubeconfig === undefined
    if (stack.state !== 'deleting' || forget)
      await removeStack(ctx, teamId, stack.envId, stack.id, { forget }).catch(unless('missing', 'conflict'))
    return false
  }
  if (pipelineId !== null) await removePipeline(ctx, pipelineId).catch(unless('missing'))
  if (groupId !== null) await removeGroup(ctx, groupId).catch(unless('missing', 'conflict'))
  if (productId !== null) await removeProduct(ctx, teamId, productId).catch(unless('missing', 'conflict'))
  const registry = await sandboxRegistry(ctx.db)
  if (registry && ctx.config.sandboxRegistry !== undefined)
    await removeImages(ctx, teamId, registry.id, imageOf(teamId))
  await ctx.ports.repositories.remove(`${teamId}/hello.git`)
  await deleteSample(ctx.db, teamId)
  return true
}

const pollMs = 150

/** Removes a team's sample part by part. Throws when the time is over, so that the job is retried later. */
export async function finishRemoval(ctx: Ctx, teamId: number, withinMs = 60_000): Promise<void> {
  for (const until = Date.now() + withinMs; ;) {
    const row = await findSample(ctx.db, teamId)
    if (row?.state !== 'removing' || (await removeNext(ctx, row))) return
    if (Date.now() > until) throw new Error(`the sample of team ${teamId} is not removed yet`)
    await sleep(pollMs, undefined, { signal: ctx.signal })
  }
}
