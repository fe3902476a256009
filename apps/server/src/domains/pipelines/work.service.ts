import type { Work } from '@gantry/contract/agents/protocol'
import { type Definition, Definition as DefinitionSchema } from '@gantry/contract/pipelines/definition'
import { topics } from '@gantry/contract/push/topics'
import { z } from 'zod'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'
import { open } from '../../kernel/secrets.ts'
import { registriesForBuild } from '../images/public.ts'
import { type ClaimedBuild, type Claimer, leaseBuilds, undelivered } from './leases.store.ts'
import { findPipeline } from './pipelines.store.ts'
import { groupVariables } from './groups.store.ts'
import { openedVariables } from './variables.ts'

/** Leases queued builds to an agent, with all that it needs to run them. */
export async function leaseWork(ctx: Ctx, agent: Claimer, free: number): Promise<Work[]> {
  const leased = await inTx(ctx, async (ctx) => {
    const builds = await leaseBuilds(ctx.db, agent, free)
    for (const { pipelineId, number, teamId } of builds) {
      await emit(ctx, { topic: topics.build(pipelineId, number), teamId, content: { state: 'building' } })
      await emit(ctx, { topic: topics.builds(teamId), teamId, content: { pipelineId, number, state: 'building' } })
    }
    return builds
  }).catch((error: unknown) => {
    // two agents took exclusive builds of one pipeline at the same moment: this one asks again
    if ((error as { constraint?: string }).constraint === 'build_exclusive') return []
    throw error
  })
  return Promise.all(leased.map((build) => workOf(ctx, build)))
}

/** Leased by an answer that never arrived: given again, in the same attempt. */
export const undeliveredWork = async (ctx: Ctx, agent: Claimer, holding: number[]): Promise<Work[]> =>
  Promise.all((await undelivered(ctx.db, agent.id, holding)).map((build) => workOf(ctx, build)))

const Parameters = z.record(z.string(), z.string())

const registryIds = (definition: Definition): number[] => [
  ...new Set(
    definition.stages.flatMap((stage) =>
      stage.steps.flatMap((step) => (step.type === 'image' ? [step.registryId] : [])),
    ),
  ),
]

async function workOf(ctx: Ctx, { id, pipelineId, teamId, number, attempt }: ClaimedBuild): Promise<Work> {
  const pipeline = await findPipeline(ctx.db, pipelineId)
  if (!pipeline) throw new Error(`build ${id} has no pipeline`)
  const row = await ctx.db
    .selectFrom('build')
    .select(['definition', 'parameters', 'branch', 'timeout_seconds'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const definition = DefinitionSchema.parse(row.definition)
  const group = openedVariables(ctx, (await groupVariables(ctx.db, pipeline.groupId)).variables)
  const own = openedVariables(ctx, pipeline.variables)
  const registries = await registriesForBuild(ctx, teamId, registryIds(definition))
  const password = pipeline.repository?.password ? open(ctx, pipeline.repository.password) : ''
  const parameters = Object.entries(Parameters.parse(row.parameters)).map(([name, value]) => ({ name, value }))
  return {
    buildId: id,
    attempt,
    pipelineId,
    pipelineName: pipeline.name,
    number,
    timeoutSeconds: row.timeout_seconds,
    repository: pipeline.repository && {
      url: pipeline.repository.url,
      branch: row.branch,
      commit: '',
      username: pipeline.repository.username,
      password,
    },
    stages: definition.stages,
    environment: [
      ...group.environment,
      ...own.environment,
      ...parameters,
      { name: 'CI', value: 'true' },
      { name: 'GANTRY_PIPELINE', value: pipeline.name },
      { name: 'GANTRY_BUILD_NUMBER', value: String(number) },
      { name: 'GANTRY_BRANCH', value: row.branch },
    ],
    masked: [...group.secrets, ...own.secrets, password, ...registries.map((one) => one.password)].filter(
      (s) => s !== '',
    ),
    registries,
  }
}
