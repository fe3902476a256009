import type { Withheld } from '@gantry/contract/pipelines/builds'
import { registriesOfStep } from '@gantry/contract/pipelines/steps/image'
import type { Ctx } from '../../../kernel/context.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { repositoryForBuilds } from '../../artifact-repository/public.ts'
import { usableAmong } from '../../images/public.ts'
import { groupVariables } from '../groups/groups.store.ts'
import { isWithheld } from '../jobs/conditions.ts'
import { planOf } from '../jobs/plan.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { findBuild } from './builds.store.ts'
import { buildToRun } from './to-run.store.ts'

/** What the build of a fork's merge request is not given by the pipeline's present settings; null for other builds. */
export async function readWithheld(ctx: Ctx, key: PipelineKey, number: number): Promise<Withheld | null> {
  const { id, appId, teamId, variables: own } = await getPipeline(ctx, key)
  const build = mustExist(await findBuild(ctx.db, id, number))
  const { fork, document, secretParameters } = await buildToRun(ctx.db, build.id)
  if (!fork) return null
  const variables = [...(await groupVariables(ctx.db, appId)).variables, ...own]
  const secrets = [...variables.filter(({ secret }) => secret).map(({ name }) => name), ...secretParameters]
  const left = planOf(document.definition)
    .flatMap(({ steps }) => steps.map(({ step }) => step))
    .filter(({ type }) => isWithheld(type, fork))
  const registries = await usableAmong(ctx.db, teamId, left.flatMap(registriesOfStep))
  return {
    secrets: new Set(secrets).size,
    registries: registries.map(({ name }) => name).toSorted(),
    artifacts: (await repositoryForBuilds(ctx)) !== undefined,
    steps: [...new Set(left.map(({ name }) => name))],
  }
}
