import type { Ctx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { findAttempt, type JobAttempt } from './attempts.read.ts'

/** The attempt that a caller requests; undefined means the latest attempt of each job. */
export async function requestedAttempt(
  ctx: Ctx,
  pipelineId: number,
  number: number,
  { job, attempt }: { job: number; attempt?: number | undefined },
): Promise<JobAttempt | undefined> {
  if (attempt === undefined) return undefined
  return mustExist(await findAttempt(ctx.db, pipelineId, number, { job, attempt }))
}
