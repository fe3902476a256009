import type { ReleasePlan } from '@gantry/contract/blueprints/releases'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sayTo } from '../../../kernel/phrase.ts'

/** Rolls the preview's transaction back and carries its result out. */
class Preview extends Error {
  readonly seen: ReleasePlan
  constructor(seen: ReleasePlan) {
    super('preview')
    this.seen = seen
  }
}

/** Makes all changes in a transaction and rolls it back, so that a preview meets every refusal of the real change. */
export async function preview(
  ctx: Ctx,
  plan: ReleasePlan,
  act: (ctx: Ctx) => Promise<{ cpu: number; memory: number }>,
) {
  try {
    return await inTx({ ...ctx, note: {} }, async (ctx): Promise<ReleasePlan> => {
      const after = await act(ctx)
      throw new Preview({ ...plan, share: { ...plan.share, after } })
    })
  } catch (error) {
    if (error instanceof Preview) return error.seen
    if (error instanceof Fault && error.kind !== 'missing') return { ...plan, refusals: [sayTo(ctx, error)] }
    throw error
  }
}
