import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { stepToken } from '../images/public.ts'
import { type Held, heldBuild, stepOfBuild } from '../pipelines/public.ts'

/** For an image step of a build that the agent holds, limited to its team's repositories. */
export async function registryToken(ctx: Ctx, held: Held, index: number) {
  const build = await heldBuild(ctx, held)
  const step = await stepOfBuild(ctx.db, build.id, index)
  const token = step?.type === 'image' ? await stepToken(ctx, build, step) : undefined
  if (token === undefined) throw new Fault('missing', 'resource-missing')
  return { cancel: build.cancelled, token, seconds: leaseSeconds }
}
