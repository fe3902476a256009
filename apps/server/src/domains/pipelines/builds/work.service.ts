import type { Work } from '@gantry/contract/agents/protocol'
import type { Step } from '@gantry/contract/pipelines/definition'
import { isEnded } from '@gantry/contract/pipelines/states'
import { type Ctx, inTx, scoped } from '../../../kernel/context.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { inPrefix, registriesForBuild } from '../../images/public.ts'
import { groupVariables } from '../groups/groups.store.ts'
import { type Facts, holdsFor, resultOfStep } from '../jobs/conditions.ts'
import { resultOfJob } from '../jobs/course.ts'
import { publishBuild } from '../jobs/jobs.service.ts'
import { jobsOfBuild, outputsOf } from '../jobs/jobs.store.ts'
import { type PlannedJob, planOf } from '../jobs/plan.ts'
import { findPipeline } from '../pipelines/pipelines.store.ts'
import { openedVariables } from '../pipelines/variables.ts'
import { type ClaimedJob, type Claimer, leaseJobs, undelivered } from '../queue/leases.store.ts'
import { queueSettings } from '../queue/queue.store.ts'
import { buildToRun } from './builds.store.ts'

/** Leases queued jobs to an agent, with all that it needs to run them. */
export async function leaseWork(ctx: Ctx, agent: Claimer, free: number): Promise<Work[]> {
  const leased = await inTx(ctx, async (ctx) => {
    const { keptPlaces } = await queueSettings(ctx.db)
    const jobs = await leaseJobs(ctx.db, agent, free, keptPlaces)
    for (const job of jobs) await publishBuild(ctx, { ...job, state: 'building' })
    return jobs
  }).catch((error: unknown) => {
    // two agents began exclusive builds of one pipeline at the same moment: this one asks again
    if ((error as { constraint?: string }).constraint?.startsWith('build_exclusive')) return []
    throw error
  })
  return Promise.all(leased.map((job) => workOf(scoped(ctx), job)))
}

/** Work whose answer was lost: given again, in the same attempt. */
export const undeliveredWork = async (ctx: Ctx, agent: Claimer, holding: number[]): Promise<Work[]> =>
  Promise.all((await undelivered(ctx.db, agent.id, holding)).map((job) => workOf(scoped(ctx), job)))

const registryIds = ({ steps }: PlannedJob): number[] => [
  ...new Set(steps.flatMap(({ step }) => (step.type === 'image' ? [step.registryId] : []))),
]

/** A job's steps by stage, each placed where its team may push. */
function stagesOf(job: PlannedJob, placed: (step: Step) => Step): Work['stages'] {
  const stages = new Map<number, Work['stages'][number]>()
  for (const { stage, stageIndex, step } of job.steps) {
    const known = stages.get(stageIndex) ?? { name: stage, steps: [] }
    known.steps.push(placed(step))
    stages.set(stageIndex, known)
  }
  return [...stages.values()]
}

/** What remains of the steps' conditions once the trigger is known. */
const conditionsOf = (job: PlannedJob, facts: Facts): Work['conditions'] =>
  job.steps.map(({ step, around }) =>
    holdsFor(around, facts) && holdsFor(step.when, facts)
      ? {
          result: resultOfStep(step, around) ?? 'success',
          outputs: [around?.output, step.when?.output].filter((output) => output !== undefined),
        }
      : null,
  )

const variableOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')

async function workOf(ctx: Ctx, claimed: ClaimedJob): Promise<Work> {
  const { jobId, index, buildId, pipelineId, teamId, number, attempt } = claimed
  const pipeline = await findPipeline(ctx.db, pipelineId)
  if (!pipeline) throw new Error(`build ${buildId} has no pipeline`)
  const { document, parameters: given, secretParameters, changedPaths, ...run } = await buildToRun(ctx.db, buildId)
  const { branch, tag, commit, cause, image } = run
  const plan = planOf(document.definition)
  const job = plan[index]
  if (!job) throw new Error(`build ${buildId} has no job ${index}`)
  const alone = plan.length === 1
  const rows = alone ? [] : await jobsOfBuild(ctx.db, buildId)
  const own = alone ? { timeoutSeconds: run.timeoutSeconds } : rows.find((row) => row.index === index)
  const outputs = alone ? new Map<string, string>() : await outputsOf(ctx.db, buildId)
  const before = rows.filter((row) => (plan[row.index]?.leg ?? job.leg) < job.leg)
  const group = openedVariables(ctx, (await groupVariables(ctx.db, pipeline.appId)).variables)
  const variables = openedVariables(ctx, pipeline.variables)
  const registries = await registriesForBuild(ctx, teamId, registryIds(job))
  const byPrefix = new Set(registries.filter(({ tokens }) => tokens).map((registry) => registry.id))
  const password = pipeline.repository?.password ? open(ctx, pipeline.repository.password) : ''
  const parameters = openedVariables(
    ctx,
    Object.entries(given).map(([name, value]) => ({ name, value, secret: secretParameters.includes(name) })),
  )
  return {
    jobId,
    buildId,
    attempt,
    pipelineId,
    pipelineName: pipeline.projectName,
    number,
    timeoutSeconds: own?.timeoutSeconds ?? run.timeoutSeconds,
    repository: pipeline.repository && {
      url: pipeline.repository.url,
      branch,
      tag,
      commit,
      username: pipeline.repository.username,
      password,
    },
    executor: job.executor ?? 'process',
    firstStep: job.firstStep,
    stages: stagesOf(job, (step) =>
      step.type === 'image' && byPrefix.has(step.registryId)
        ? { ...step, repository: inPrefix(teamId, step.repository) }
        : step,
    ),
    conditions: conditionsOf(job, { branch, tag, changedPaths, parameters: given, outputs }),
    // a job that runs because something failed is not itself in question
    failed: resultOfJob(job) === undefined && before.some(({ state }) => isEnded(state) && state === 'failed'),
    outputs: Object.fromEntries(outputs),
    handsOn: job.handsOn,
    takesFrom: before.filter(({ hands }) => hands).map((row) => row.index),
    environment: [
      ...group.environment,
      ...variables.environment,
      ...parameters.environment,
      ...Object.entries(job.matrix).map(([name, value]) => ({ name, value })),
      { name: 'CI', value: 'true' },
      { name: 'GANTRY_PIPELINE', value: pipeline.projectName },
      { name: 'GANTRY_BUILD_NUMBER', value: String(number) },
      { name: 'GANTRY_JOB', value: job.name },
      { name: 'GANTRY_BRANCH', value: branch },
      { name: 'GANTRY_TAG', value: tag },
      // the agent puts the commit of the job's checkout in the place of an empty one
      { name: 'GANTRY_COMMIT', value: commit },
      { name: 'GANTRY_CAUSE', value: cause },
      { name: 'GANTRY_IMAGE', value: image },
      ...[...outputs].map(([name, value]) => ({ name: `GANTRY_OUTPUT_${variableOf(name)}`, value })),
    ],
    masked: [
      ...group.secrets,
      ...variables.secrets,
      ...parameters.secrets,
      password,
      ...registries.map((one) => one.password),
    ].filter((s) => s !== ''),
    registries,
  }
}
