import { mask } from '@gantry/contract/validators'
import type { Ctx } from '../../../kernel/context.ts'
import { masker, shortestSearched } from '../../../kernel/secrets/masking.ts'
import { groupVariables } from '../groups/groups.store.ts'
import type { StoredPipeline } from '../pipelines/pipelines.store.ts'
import { openedVariables } from '../pipelines/variables.ts'
import { workOfJob } from './work.service.ts'

/** Whatever is told of a build is masked as its logs are: of weak and of short secrets too. */
function maskOf(secrets: readonly string[]): (text: string) => string {
  const hide = masker(secrets, 0)
  const short = secrets.filter((secret) => secret !== '' && secret.length < shortestSearched)
  return (text) => short.reduce((shown, secret) => shown.replaceAll(secret, mask), hide(text))
}

/** Masks what the steps of a job have told in files. */
export const maskOfJob = async (ctx: Ctx, jobId: number): Promise<(text: string) => string> =>
  maskOf((await workOfJob(ctx, jobId)).masked)

/** Masks what is told of a pipeline's builds where no job is concerned. */
export async function maskOfPipeline(
  ctx: Ctx,
  { appId, variables }: Pick<StoredPipeline, 'appId' | 'variables'>,
): Promise<(text: string) => string> {
  const group = await groupVariables(ctx.db, appId)
  return maskOf(openedVariables(ctx, [...group.variables, ...variables]).secrets)
}
