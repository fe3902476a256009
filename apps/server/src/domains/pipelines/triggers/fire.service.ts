import { triggersTopic } from '@gantry/contract/pipelines/topics'
import type { TriggerOutcome } from '@gantry/contract/pipelines/triggers'
import { accountsHolding } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Actor, type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import { type Trigger, triggerBuild } from '../builds/builds.service.ts'
import {
  claimDelivery,
  noteOccasion,
  type Occasion,
  setStarted,
  startedBy,
  type StoredTrigger,
} from './triggers.store.ts'

export interface Fired {
  outcome: TriggerOutcome
  number: number | null
  queueId: number | null
  reason: Reason | null
}

/** Records the outcome of a delivery that started nothing. */
async function noted(ctx: Ctx, { id, pipelineId }: StoredTrigger, ...given: Noted): Promise<void> {
  await noteOccasion(ctx.db, id, ...given)
  await publish(ctx, triggersTopic, { pipelineId })
}
type Noted = Parameters<typeof noteOccasion> extends [unknown, unknown, ...infer Rest] ? Rest : never

/** For each of a pipeline's triggers, the user who saved it, or the reason why that user may not start builds. */
export async function saversOf(ctx: Ctx, triggers: readonly StoredTrigger[]): Promise<(Actor | Fault)[]> {
  const [first] = triggers
  if (!first) return []
  const ids = triggers.flatMap(({ saver }) => (saver ? [saver.id] : []))
  const able = await accountsHolding(ctx.db, ids, first.teamId, 'pipeline_build_execute')
  return triggers.map(({ saver, savedBy }) => {
    if (!saver) return new Fault('forbidden', 'pipelines-trigger-saver-gone', { name: savedBy })
    return able.has(saver.id) ? saver : new Fault('forbidden', 'pipelines-trigger-saver-may-not', { name: savedBy })
  })
}

/**
 * Starts a build for the user who saved the trigger, with their present permissions. A delivery starts one build,
 * however often and on however many replicas it arrives; a constraint ensures this. A refusal is recorded and thrown.
 */
export async function fire(
  ctx: Ctx,
  trigger: StoredTrigger,
  occasion: Occasion,
  build: Omit<Trigger, 'parameters' | 'idempotencyKey'>,
): Promise<Fired> {
  try {
    const [actor] = await saversOf(ctx, [trigger])
    if (actor === undefined || actor instanceof Fault) throw actor
    return await inTx({ ...ctx, actor }, async (ctx) => {
      const claimed = await claimDelivery(ctx.db, trigger.id, occasion)
      if (claimed === undefined) return await firedBefore(ctx, trigger, occasion)
      const { parameters } = trigger
      const started = await triggerBuild(ctx, trigger.pipelineId, { ...build, parameters })
      await setStarted(ctx.db, claimed, started)
      await publish(ctx, triggersTopic, { pipelineId: trigger.pipelineId })
      return { outcome: 'started', ...started, reason: occasion.unknown ?? null }
    })
  } catch (error) {
    if (error instanceof Fault && error.status < 500) await noted(ctx, trigger, occasion, 'refused', reasonOf(error))
    throw error
  } finally {
    note(ctx, { object: trigger.pipelineName, teamId: trigger.teamId })
  }
}

async function firedBefore(ctx: Ctx, { id }: StoredTrigger, { delivery }: Occasion): Promise<Fired> {
  const { number = null, queueId = null } = (await startedBy(ctx.db, id, delivery)) ?? {}
  return { outcome: 'duplicate', number, queueId, reason: { key: 'pipelines-trigger-duplicate', vars: {} } }
}

/** Records that a delivery does not match the trigger, and why. */
export async function skip(ctx: Ctx, trigger: StoredTrigger, occasion: Occasion, reason: Reason): Promise<Fired> {
  await noted(ctx, trigger, occasion, 'skipped', reason)
  note(ctx, { object: trigger.pipelineName, teamId: trigger.teamId })
  return { outcome: 'skipped', number: null, queueId: null, reason }
}

/** Records why a delivery is not trusted, and throws it. */
export async function refuse(ctx: Ctx, trigger: StoredTrigger, occasion: Occasion, fault: Fault): Promise<never> {
  await noted(ctx, trigger, occasion, 'refused', reasonOf(fault))
  note(ctx, { object: trigger.pipelineName, teamId: trigger.teamId })
  throw fault
}

/** Fires a trigger without a caller: a refusal is only recorded. */
export async function fireAlone(...given: Parameters<typeof fire>): Promise<void> {
  await fire(...given).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.status >= 500) throw error
  })
}
