import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { stepToken } from '../images/public.ts'
import { type LeaseKey, heldStep, stepOfBuild } from '../pipelines/public.ts'

/** For an image step of a build that the agent holds; limited to repositories of the build's team. */
export async function registryToken(ctx: Ctx, lease: LeaseKey, index: number) {
  const job = await heldStep(ctx, lease, index)
  const step = await stepOfBuild(ctx.db, job.buildId, index)
  const token =
    step?.type === 'image' || step?.type === 'copy'
      ? await stepToken(ctx, { id: job.buildId, ...job }, step)
      : undefined
  if (token === undefined) throw new Fault('missing', 'resource-missing')
  return { cancel: job.cancelled, token, seconds: leaseSeconds }
}
