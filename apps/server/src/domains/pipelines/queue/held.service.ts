import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { isStepOf } from '../builds/steps.store.ts'
import { type LeaseKey, type HeldJob, lockHeld } from './leases.store.ts'

/** The job that the agent holds in this attempt, with its lease extended; throws 409 if the agent does not hold it. */
export async function heldJob(ctx: Ctx, lease: LeaseKey): Promise<HeldJob> {
  const job = await lockHeld(ctx.db, ctx.actor.id, lease)
  if (!job) throw new Fault('conflict', 'agents-attempt-over')
  return job
}

/** Refuses a step of another job of the same build. */
export async function mustHaveStep(ctx: Ctx, { buildId, index, jobId }: HeldJob, step: number): Promise<void> {
  if (!(await isStepOf(ctx.db, buildId, index, step)))
    throw new Fault('conflict', 'agents-step-foreign', { step, job: jobId })
}

/** Like heldJob, for one of its steps. */
export async function heldStep(ctx: Ctx, lease: LeaseKey, step: number): Promise<HeldJob> {
  const job = await heldJob(ctx, lease)
  await mustHaveStep(ctx, job, step)
  return job
}
