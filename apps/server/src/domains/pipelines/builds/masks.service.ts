import { mask } from '@gantry/contract/validators'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { masker, shortestSearched } from '../../../kernel/secrets/masking.ts'
import { groupVariables } from '../groups/groups.store.ts'
import type { StoredPipeline } from '../pipelines/pipelines.store.ts'
import { openedVariables } from '../pipelines/variables.ts'
import { heldStep } from '../queue/held.service.ts'
import type { LeaseKey } from '../queue/leases.store.ts'
import { workOfJob } from './work.service.ts'

/** Texts of a build are masked like its logs, but weak and short secrets too. */
function maskOf(secrets: readonly string[]): (text: string) => string {
  const hide = masker(secrets, 0)
  const short = secrets.filter((secret) => secret !== '' && secret.length < shortestSearched)
  return (text) => short.reduce((masked, secret) => masked.replaceAll(secret, mask), hide(text))
}

/** Masks what an agent sends in a file of a step; refuses a step that it does not hold before reading the file. */
export async function maskOfStep(ctx: Ctx, lease: LeaseKey, step: number): Promise<(text: string) => string> {
  await inTx(ctx, (ctx) => heldStep(ctx, lease, step))
  return maskOf((await workOfJob(ctx, lease.jobId)).masked)
}

/** Masks texts about a pipeline's builds that do not come from a job. */
export async function maskOfPipeline(
  ctx: Ctx,
  { appId, variables }: Pick<StoredPipeline, 'appId' | 'variables'>,
): Promise<(text: string) => string> {
  const group = await groupVariables(ctx.db, appId)
  return maskOf(openedVariables(ctx, [...group.variables, ...variables]).secrets)
}
