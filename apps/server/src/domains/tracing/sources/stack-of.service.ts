import type { Ctx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { findStackByName, type StackRow } from '../../stacks/public.ts'

/** The team's stack of this name on a cluster. */
export async function stackOf(
  ctx: Ctx,
  { teamId, envId, stackName }: { teamId: number; envId: string; stackName: string },
): Promise<StackRow> {
  return mustExist(await findStackByName(ctx.db, teamId, envId, stackName))
}
