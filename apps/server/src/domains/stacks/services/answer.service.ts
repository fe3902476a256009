import type { ServiceDetail } from '@gantry/contract/stacks/services'
import type { Ctx } from '../../../kernel/context.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { readService } from './live.service.ts'
import type { Change } from './change.ts'
import { applyChanges, getService } from './services.service.ts'

/** The stack of a service of the team in that environment, or 404. */
export const stackOf = async (ctx: Ctx, { teamId, envId, id }: { teamId: number; envId: string; id: number }) =>
  (await getService(ctx, teamId, envId, id)).stack

/** Makes a change and returns the changed service, without waiting for the cluster. */
export async function changed(ctx: Ctx, stack: StackRow, change: Change): Promise<ServiceDetail> {
  const [id = 0] = await applyChanges(ctx, stack, [change])
  return readService(ctx, stack, id, 0)
}
