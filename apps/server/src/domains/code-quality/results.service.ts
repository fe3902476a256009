import type { idOrUuid } from '@gantry/contract/ids'
import type { QualityResult } from '@gantry/contract/code-quality/results'
import type { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import { getPipeline } from '../pipelines/public.ts'
import { dashboardOf, projectKeyOf } from './analysis.service.ts'
import { resultsOf } from './results.store.ts'
import { findSonar } from './settings.store.ts'

type Key = z.infer<typeof idOrUuid>

export async function readProjectKey(ctx: Ctx, pipeline: Key): Promise<{ projectKey: string; url: string }> {
  const projectKey = projectKeyOf(await getPipeline(ctx, pipeline))
  const server = (await findSonar(ctx.db))?.url ?? ''
  return { projectKey, url: server === '' ? '' : dashboardOf(server, projectKey) }
}

export async function readResults(ctx: Ctx, pipeline: Key, number: number): Promise<QualityResult[]> {
  const of = await getPipeline(ctx, pipeline)
  return (await resultsOf(ctx.db, of.id, number)).map(({ server, at, passed, ...row }) => ({
    ...row,
    passed: passed ?? false,
    url: dashboardOf(server, projectKeyOf(of)),
    at: at ?? '',
  }))
}
