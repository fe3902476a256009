import type { Work } from '@gantry/contract/agents/work'
import type { Step } from '@gantry/contract/pipelines/definition'
import { isEnded } from '@gantry/contract/pipelines/states'
import { dockerfileOf, registriesOfStep } from '@gantry/contract/pipelines/steps/image'
import { type Ctx, inTx, scoped } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { reasonOf } from '../../../kernel/phrase.ts'
import { repositoryForBuilds } from '../../artifact-repository/public.ts'
import { imagesForJobs } from '../../build-images/public.ts'
import { dockerfilesOf } from '../../dockerfiles/public.ts'
import { inPrefix, registriesForBuild } from '../../images/public.ts'
import { groupVariables } from '../groups/groups.store.ts'
import { type Facts, holdsFor, isWithheld, resultOfStep, stepHolds } from '../jobs/conditions.ts'
import { resultCondition } from '../jobs/course.ts'
import { advance, publishBuild } from '../jobs/jobs.service.ts'
import { endJob, jobsOfBuild, lockJobs, outputsOf, resumeOf } from '../jobs/jobs.store.ts'
import { imagesOfJob, type PlannedJob, planOf } from '../jobs/plan.ts'
import { findPipeline } from '../pipelines/pipelines.store.ts'
import { openedRepository } from '../pipelines/repository.service.ts'
import { openedVariables, variablesFor } from '../pipelines/variables.ts'
import { claimedJob, type ClaimedJob, type Claimer, leaseJobs, undelivered } from '../queue/leases.store.ts'
import { queueSettings } from '../queue/queue.store.ts'
import { buildToRun } from './to-run.store.ts'

/** Leases queued jobs to an agent, with all it needs to run them. A job that cannot be run is replaced by the next. */
export async function leaseWork(ctx: Ctx, agent: Claimer, free: number): Promise<Work[]> {
  const work: Work[] = []
  for (;;) {
    const leased = await lease(ctx, agent, free - work.length)
    const made = await workOfAll(ctx, leased)
    work.push(...made)
    if (made.length === leased.length || ctx.signal.aborted) return work
  }
}

const lease = (ctx: Ctx, agent: Claimer, free: number): Promise<ClaimedJob[]> =>
  inTx(ctx, async (ctx) => {
    const { keptPlaces } = await queueSettings(ctx.db)
    const jobs = await leaseJobs(ctx.db, agent, free, keptPlaces)
    for (const job of jobs) await publishBuild(ctx, { ...job, id: job.buildId, state: 'building' })
    return jobs
  }).catch((error: unknown) => {
    // another agent took a build of the same exclusive pipeline at that moment: this agent claims again later
    if ((error as { constraint?: string }).constraint?.startsWith('build_exclusive')) return []
    throw error
  })

/** Work whose answer was lost, sent again in the same attempt. */
export const undeliveredWork = async (ctx: Ctx, agent: Claimer, holding: number[]): Promise<Work[]> =>
  workOfAll(ctx, await undelivered(ctx.db, agent.id, holding))

/** The work of leased jobs. A job whose work cannot be made fails with the reason, and the others go on. */
async function workOfAll(ctx: Ctx, leased: ClaimedJob[]): Promise<Work[]> {
  const made = leased.map((job) =>
    workOf(scoped(ctx), job).catch(async (error: unknown) => {
      await failUnmade(ctx, job, error).catch((error: unknown) =>
        // its lease expires, and it is leased again
        ctx.log.error({ err: error, jobId: job.jobId }, 'a job that cannot be put together could not be failed'),
      )
      return []
    }),
  )
  return (await Promise.all(made)).flat()
}

async function failUnmade(ctx: Ctx, claimed: ClaimedJob, error: unknown): Promise<void> {
  const { jobId, buildId, attempt } = claimed
  const isFault = error instanceof Fault
  if (!isFault) ctx.log.error({ err: error, jobId }, 'a job could not be put together')
  // an error of the database or the network, not of the job
  if (error instanceof Error && 'code' in error) return
  const reason = isFault ? reasonOf(error) : { key: 'pipelines-job-unmade', vars: { id: ctx.requestId } }
  await inTx(ctx, async (ctx) => {
    const job = (await lockJobs(ctx.db, buildId)).find((one) => one.id === jobId)
    if (job?.state !== 'building' || job.attempt !== attempt) return
    await endJob(ctx.db, claimed, { state: 'failed', step: 'failed', reason })
    await advance(ctx, buildId)
  })
}

/** What an agent was given, or would be given, to run a job. */
export const workOfJob = async (ctx: Ctx, jobId: number): Promise<Work> => workOf(ctx, await claimedJob(ctx.db, jobId))

/** The registries that its steps name, except steps that a fork's build leaves out. */
const registryIds = ({ steps }: PlannedJob, fork: boolean): number[] => [
  ...new Set(steps.flatMap(({ step }) => (isWithheld(step.type, fork) ? [] : registriesOfStep(step)))),
]

const dockerfileIds = ({ steps }: PlannedJob): number[] => [
  ...new Set(steps.flatMap(({ step }) => dockerfileOf(step) ?? [])),
]

/** A job's steps by stage; `placed` sets the repository that the team may push to. */
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
    holdsFor(around, facts) && stepHolds(step, facts)
      ? {
          result: resultOfStep(step, around) ?? 'success',
          outputs: [around?.output, step.when?.output].filter((output) => output !== undefined),
        }
      : null,
  )

/** The images of a job's containers by name, as far as the team still has them. */
async function imagesOf(ctx: Ctx, teamId: number, job: PlannedJob): Promise<Pick<Work, 'image' | 'services'>> {
  const { image, services } = job
  const ids = imagesOfJob(job)
  const known = new Map(
    ids.length === 0 ? [] : (await imagesForJobs(ctx.db, teamId, ids)).map((one) => [one.id, one.image]),
  )
  return {
    image: image === null ? null : (known.get(image) ?? null),
    services: services.map(({ port = null, ...service }) => ({
      ...service,
      port,
      image: known.get(service.image) ?? '',
    })),
  }
}

/** How steps reach the artifact repository; builds of a fork's merge request get no login. */
async function artifactsFor(
  ctx: Ctx,
  fork: boolean,
): Promise<Pick<ReturnType<typeof openedVariables>, 'environment' | 'secrets'>> {
  const repository = await repositoryForBuilds(ctx)
  if (!repository) return { environment: [], secrets: [] }
  const { url, userName, password } = repository
  const login = [
    { name: 'GANTRY_ARTIFACTS_USER', value: userName },
    { name: 'GANTRY_ARTIFACTS_PASSWORD', value: password },
  ]
  const environment = [{ name: 'GANTRY_ARTIFACTS_URL', value: url }, ...(fork ? [] : login)]
  return { environment, secrets: fork ? [] : [password] }
}

const variableOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')

async function workOf(ctx: Ctx, claimed: ClaimedJob): Promise<Work> {
  const { jobId, index, buildId, pipelineId, teamId, number, attempt, workspace } = claimed
  const resume =
    claimed.resume === null
      ? null
      : { workspace: workspace ?? claimed.resume, ...(await resumeOf(ctx.db, buildId, index)) }
  // independent reads go at once: whoever waits for the build waits for all of them
  const [pipeline, build] = await Promise.all([findPipeline(ctx.db, pipelineId), buildToRun(ctx.db, buildId)])
  if (!pipeline) throw new Error(`build ${buildId} has no pipeline`)
  const { document, parameters: given, secretParameters, changedPaths, ...run } = build
  const { branch, tag, commit, cause, image, mergeRequest, fork } = run
  const plan = planOf(document.definition)
  const job = plan[index]
  if (!job) throw new Error(`build ${buildId} has no job ${index}`)
  const alone = plan.length === 1
  const [rows, outputs, ofGroup, registries, repository, artifacts, images] = await Promise.all([
    alone ? [] : jobsOfBuild(ctx.db, buildId),
    alone && !resume?.passed.length ? new Map<string, string>() : outputsOf(ctx.db, buildId),
    groupVariables(ctx.db, pipeline.appId),
    registriesForBuild(ctx, teamId, registryIds(job, fork)),
    pipeline.repository && openedRepository(ctx, teamId, pipeline.repository),
    artifactsFor(ctx, fork),
    imagesOf(ctx, teamId, job),
  ])
  const own = alone ? { timeoutSeconds: run.timeoutSeconds } : rows.find((row) => row.index === index)
  const before = rows.filter((row) => (plan[row.index]?.leg ?? job.leg) < job.leg)
  const group = openedVariables(ctx, variablesFor(ofGroup.variables, run))
  const variables = openedVariables(ctx, variablesFor(pipeline.variables, run))
  const byPrefix = new Set(registries.filter(({ tokens }) => tokens).map((registry) => registry.id))
  const dockerfiles = dockerfileIds(job)
  const parameters = openedVariables(
    ctx,
    variablesFor(
      Object.entries(given).map(([name, value]) => ({ name, value, secret: secretParameters.includes(name) })),
      run,
    ),
  )
  return {
    jobId,
    buildId,
    attempt,
    pipelineId,
    pipelineName: pipeline.projectName,
    number,
    timeoutSeconds: own?.timeoutSeconds ?? run.timeoutSeconds,
    // a fork's commit is fetched by its hash, or from the target once it has been merged
    repository: repository && {
      ...repository,
      branch: mergeRequest?.fork ? mergeRequest.target : branch,
      tag,
      commit,
      fork,
    },
    executor: job.executor ?? 'process',
    ...images,
    firstStep: job.firstStep,
    stages: stagesOf(job, (step) =>
      (step.type === 'image' || step.type === 'copy') && byPrefix.has(step.registryId)
        ? { ...step, repository: inPrefix(teamId, step.repository) }
        : step,
    ),
    conditions: conditionsOf(job, { branch, tag, changedPaths, parameters: given, fork, outputs }),
    // a job that declares its own condition on the result is not affected by earlier failures
    failed: resultCondition(job) === undefined && before.some(({ state }) => isEnded(state) && state === 'failed'),
    outputs: Object.fromEntries(outputs),
    handsOn: job.handsOn,
    workspace,
    resume,
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
      { name: 'GANTRY_MERGE_REQUEST', value: mergeRequest ? String(mergeRequest.number) : '' },
      { name: 'GANTRY_MERGE_REQUEST_SOURCE', value: mergeRequest?.source ?? '' },
      { name: 'GANTRY_MERGE_REQUEST_TARGET', value: mergeRequest?.target ?? '' },
      // if empty, the agent sets the commit of the job's checkout
      { name: 'GANTRY_COMMIT', value: commit },
      { name: 'GANTRY_CAUSE', value: cause },
      { name: 'GANTRY_IMAGE', value: image },
      ...artifacts.environment,
      ...[...outputs].map(([name, value]) => ({ name: `GANTRY_OUTPUT_${variableOf(name)}`, value })),
    ],
    masked: [
      ...group.secrets,
      ...variables.secrets,
      ...parameters.secrets,
      ...artifacts.secrets,
      repository?.password ?? '',
      repository?.privateKey ?? '',
      ...registries.map((one) => one.password),
    ].filter((s) => s !== ''),
    registries,
    dockerfiles: dockerfiles.length === 0 ? [] : await dockerfilesOf(ctx.db, teamId, dockerfiles),
  }
}
