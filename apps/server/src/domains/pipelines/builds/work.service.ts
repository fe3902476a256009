import type { Work } from '@gantry/contract/agents/protocol'
import type { Definition } from '@gantry/contract/pipelines/definition'
import { type Ctx, inTx, scoped } from '../../../kernel/context.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { inPrefix, registriesForBuild } from '../../images/public.ts'
import { publishBuild } from './builds.service.ts'
import { buildToRun } from './builds.store.ts'
import { type ClaimedBuild, type Claimer, leaseBuilds, undelivered } from '../queue/leases.store.ts'
import { findPipeline } from '../pipelines/pipelines.store.ts'
import { queueSettings } from '../queue/queue.store.ts'
import { groupVariables } from '../groups/groups.store.ts'
import { openedVariables } from '../pipelines/variables.ts'

/** Leases queued builds to an agent, with all that it needs to run them. */
export async function leaseWork(ctx: Ctx, agent: Claimer, free: number): Promise<Work[]> {
  const leased = await inTx(ctx, async (ctx) => {
    const { keptPlaces } = await queueSettings(ctx.db)
    const builds = await leaseBuilds(ctx.db, agent, free, keptPlaces)
    for (const build of builds) await publishBuild(ctx, { ...build, state: 'building' })
    return builds
  }).catch((error: unknown) => {
    // two agents claimed exclusive builds of one pipeline at the same moment: this one asks again
    if ((error as { constraint?: string }).constraint === 'build_exclusive') return []
    throw error
  })
  return Promise.all(leased.map((build) => workOf(scoped(ctx), build)))
}

/** Work whose answer was lost: given again, in the same attempt. */
export const undeliveredWork = async (ctx: Ctx, agent: Claimer, holding: number[]): Promise<Work[]> =>
  Promise.all((await undelivered(ctx.db, agent.id, holding)).map((build) => workOf(scoped(ctx), build)))

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
  const {
    document,
    parameters: given,
    secretParameters,
    branch,
    tag,
    commit,
    timeoutSeconds,
    cause,
    image,
  } = await buildToRun(ctx.db, id)
  const group = openedVariables(ctx, (await groupVariables(ctx.db, pipeline.appId)).variables)
  const own = openedVariables(ctx, pipeline.variables)
  const registries = await registriesForBuild(ctx, teamId, registryIds(document.definition))
  const byPrefix = new Set(registries.filter(({ tokens }) => tokens).map((registry) => registry.id))
  const placed = (stages: Definition['stages']): Definition['stages'] =>
    stages.map((stage) => ({
      ...stage,
      steps: stage.steps.map((step) =>
        step.type === 'image' && byPrefix.has(step.registryId)
          ? { ...step, repository: inPrefix(teamId, step.repository) }
          : step,
      ),
    }))
  const password = pipeline.repository?.password ? open(ctx, pipeline.repository.password) : ''
  const parameters = openedVariables(
    ctx,
    Object.entries(given).map(([name, value]) => ({ name, value, secret: secretParameters.includes(name) })),
  )
  return {
    buildId: id,
    attempt,
    pipelineId,
    pipelineName: pipeline.projectName,
    number,
    timeoutSeconds,
    repository: pipeline.repository && {
      url: pipeline.repository.url,
      branch,
      tag,
      commit,
      username: pipeline.repository.username,
      password,
    },
    stages: placed(document.definition.stages),
    environment: [
      ...group.environment,
      ...own.environment,
      ...parameters.environment,
      { name: 'CI', value: 'true' },
      { name: 'GANTRY_PIPELINE', value: pipeline.projectName },
      { name: 'GANTRY_BUILD_NUMBER', value: String(number) },
      { name: 'GANTRY_BRANCH', value: branch },
      { name: 'GANTRY_TAG', value: tag },
      // the agent puts the commit of the job's checkout in the place of an empty one
      { name: 'GANTRY_COMMIT', value: commit },
      { name: 'GANTRY_CAUSE', value: cause },
      { name: 'GANTRY_IMAGE', value: image },
    ],
    masked: [
      ...group.secrets,
      ...own.secrets,
      ...parameters.secrets,
      password,
      ...registries.map((one) => one.password),
    ].filter((s) => s !== ''),
    registries,
  }
}
