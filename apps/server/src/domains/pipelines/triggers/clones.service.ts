import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../kernel/context.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { newHookSecret } from './forges/delivery.ts'
import { insertTrigger, listTriggers } from './triggers.store.ts'

interface Place {
  id: number
  teamId: number
}

/** Clones a pipeline's triggers. They are disabled, belong to the user who cloned, and have new secrets. */
export async function cloneTriggers(ctx: Ctx, source: Place, clone: Place): Promise<void> {
  for (const { rule, parameters } of await listTriggers(ctx.db, source.id)) {
    if (rule.kind === 'pipeline' && source.teamId !== clone.teamId) continue
    await insertTrigger(ctx.db, {
      pipelineId: clone.id,
      enabled: false,
      rule,
      parameters,
      saver: ctx.actor,
      nextAt: null,
      secret: rule.kind === 'webhook' ? seal(ctx, newHookSecret(randomBytes(32))) : null,
    })
  }
}
