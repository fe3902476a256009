import type { Definition } from '@gantry/contract/pipelines/definition'
import { type BuildState, isEnded, type JobState } from '@gantry/contract/pipelines/states'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { imagesOfJob, type PlannedJob } from '../jobs/plan.ts'
import type { Approvers } from '../reviews/approvers.ts'
import { isOfFork, type MergeRequest } from './merge-request.store.ts'

export interface NewBuild {
  pipelineId: number
  /** The pipeline's revision; null if the build's row has the stages. */
  revision: number | null
  draft: boolean
  /** The path of the definition in the build's commit; empty if the build has its definition already. */
  definitionPath: string
  /** The build whose step started this one. */
  parentId: number | null
  teamId: number
  cause: string
  userCause: string
  /** Null if no user triggered it. */
  userId: number | null
  /** Other accounts that caused it. */
  requesters: number[]
  /** The approvers that its definition names; null until the definition has been read. */
  approvers: Approvers | null
  /** The API token that the user used. */
  token: { alias: string; permissions: string[] } | null
  byAdmin: boolean
  branch: string
  tag: string
  /** Empty if the first checkout determines it. */
  commit: string
  mergeRequest: MergeRequest | null
  image: string
  /** Null if unknown. */
  changedPaths: string[] | null
  /** By name; secret values are sealed. */
  parameters: Record<string, string>
  secretParameters: string[]
  definition: Definition
  state: BuildState
  jobs: { plan: PlannedJob; state: JobState }[]
  timeoutSeconds: number
  agentLabels: string[]
  exclusive: boolean
  /** Of builds in the same lane, one runs at a time; null for no lane. */
  lane: string | null
  idempotencyKey: string | null
}

export interface Queued {
  id: number
  number: number
}

export const findByKey = (db: Db, pipelineId: number, key: string): Promise<Queued | undefined> =>
  db
    .selectFrom('build')
    .select(['id', 'number'])
    .where('pipeline_id', '=', pipelineId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

/** The rows of a build's jobs and steps, in their order. */
function rowsOf(build: Pick<NewBuild, 'agentLabels' | 'timeoutSeconds'>, planned: NewBuild['jobs']) {
  const jobs = planned.map(({ plan, state }) => ({
    name: plan.name,
    matrix: plan.matrix,
    state,
    labels: [...new Set([...build.agentLabels, ...plan.labels])],
    os_type: plan.osType,
    executor: plan.executor,
    images: imagesOfJob(plan),
    keeps_workspace: plan.keepsWorkspace,
    resumes: new Set(plan.steps.map(({ stageIndex }) => stageIndex)).size > 1,
    timeout_seconds: plan.timeoutMinutes === undefined ? build.timeoutSeconds : plan.timeoutMinutes * 60,
    retries_left: plan.retries.count,
  }))
  const steps = planned.flatMap(({ plan, state }, job) =>
    plan.steps.map(({ stage, stageIndex, step }) => ({
      job,
      stage,
      stage_index: stageIndex,
      name: step.name,
      type: step.type,
      state: state === 'not_built' ? state : 'pending',
    })),
  )
  return { jobs, steps }
}

type Rows = ReturnType<typeof rowsOf>

const insertJobsAndSteps = (jobs: Rows['jobs'], steps: Rows['steps']) => sql`jobs as (
      insert into build_job (build_id, index, name, matrix, pipeline_id, team_id, by_admin, queued_at, ready_at, state, ended_at,
        labels, os_type, executor, images, workspace, resume, timeout_seconds, retries_left)
      select queued.id, (job.ordinality - 1)::int, job.value ->> 'name', job.value -> 'matrix', pipeline_id, team_id,
        by_admin, queued_at, case when job.value ->> 'state' = 'queued' then queued_at end, job.value ->> 'state',
        case when job.value ->> 'state' = 'not_built' then queued_at end,
        array(select jsonb_array_elements_text(job.value -> 'labels')), job.value ->> 'os_type',
        job.value ->> 'executor', array(select jsonb_array_elements_text(job.value -> 'images')::int),
        case when (job.value ->> 'keeps_workspace')::boolean then gen_random_uuid() end,
        case when (job.value ->> 'resumes')::boolean then gen_random_uuid() end,
        (job.value ->> 'timeout_seconds')::int, (job.value ->> 'retries_left')::int
      from queued, jsonb_array_elements(${jsonb(jobs)}) with ordinality as job
    ), stepped as (
      insert into build_step (build_id, index, job, stage, stage_index, name, type, state)
      select queued.id, step.ordinality - 1, (step.value ->> 'job')::int, step.value ->> 'stage',
        (step.value ->> 'stage_index')::int, step.value ->> 'name', step.value ->> 'type', step.value ->> 'state'
      from queued, jsonb_array_elements(${jsonb(steps)}) with ordinality as step
    )`

/**
 * Increments the pipeline's build number and inserts a build with its jobs and steps, in one statement and so one round
 * trip. Undefined if the pipeline has been deleted meanwhile.
 */
export async function insertBuild(db: Db, build: NewBuild): Promise<Queued | undefined> {
  const { jobs, steps } = rowsOf(build, build.jobs)
  const { rows } = await sql<Queued>`
    with numbered as (
      update pipeline set next_number = next_number + 1 where id = ${build.pipelineId} returning next_number - 1 as number
    ), queued as (
      insert into build (pipeline_id, team_id, number, state, ended_at, cause, user_cause, user_id, requesters,
        approvers, token_alias, token_permissions, by_admin, revision, branch, tag, commit, merge_request, image, changed_paths, parameters,
        secret_parameters, definition, definition_path, draft, parent_id, timeout_seconds, agent_labels, exclusive, lane, idempotency_key)
      select ${build.pipelineId}::int, ${build.teamId}::int, number, ${build.state}::text,
        case when ${isEnded(build.state)}::boolean then now() end, ${build.cause}::text, ${build.userCause}::text,
        ${build.userId}::int, ${build.requesters}::int[], ${build.approvers && jsonb(build.approvers)}, ${build.token?.alias ?? null}::text, ${build.token?.permissions ?? null}::text[],
        ${build.byAdmin}::boolean,
        (select revision from pipeline_revision where pipeline_id = ${build.pipelineId} and revision = ${build.revision}::int),
        ${build.branch}::text, ${build.tag}::text, ${build.commit}::text,
        ${build.mergeRequest && jsonb(build.mergeRequest)}, ${build.image}::text, ${build.changedPaths}::text[],
        ${jsonb(build.parameters)}, ${build.secretParameters}::text[], ${jsonb(build.definition)}, ${build.definitionPath}::text, ${build.draft}::boolean, ${build.parentId}::int, ${build.timeoutSeconds}::int,
        ${build.agentLabels}::text[], ${build.exclusive}::boolean, ${build.lane}::text, ${build.idempotencyKey}::text
      from numbered
      returning id, number, queued_at, pipeline_id, team_id, by_admin
    ), ${insertJobsAndSteps(jobs, steps)}
    select id, number from queued`.execute(db)
  return rows[0]
}

/** The fork's merge request that a commit belongs to, if the pipeline knows the commit from forks only. */
export async function forkOfCommit(db: Db, pipelineId: number, commit: string): Promise<MergeRequest | null> {
  const row = await db
    .selectFrom('build')
    .select(sql<MergeRequest | null>`(array_agg(merge_request order by id desc))[1]`.as('mergeRequest'))
    .select(sql<boolean | null>`bool_and(${isOfFork})`.as('fork'))
    .where('pipeline_id', '=', pipelineId)
    .where('commit', '=', commit)
    .executeTakeFirst()
  return row?.fork === true ? row.mergeRequest : null
}

/** Inserts the jobs of a build whose definition has been read, none of them queued yet. */
export async function insertJobs(db: Db, buildId: number, plan: readonly PlannedJob[]): Promise<void> {
  const build = await db
    .selectFrom('build')
    .select(['agent_labels as agentLabels', 'timeout_seconds as timeoutSeconds'])
    .where('id', '=', buildId)
    .executeTakeFirstOrThrow()
  const { jobs, steps } = rowsOf(
    build,
    plan.map((one) => ({ plan: one, state: 'pending' })),
  )
  const queued = sql`select id, queued_at, pipeline_id, team_id, by_admin from build where id = ${buildId}`
  await sql`with queued as (${queued}), ${insertJobsAndSteps(jobs, steps)} select`.execute(db)
}

/** The number of a team's builds that wait for an agent or for people. */
export const countWaiting = async (db: Db, teamId: number): Promise<number> =>
  (
    await db
      .selectFrom('build')
      .where('team_id', '=', teamId)
      .where('ended_at', 'is', null)
      .where('state', 'in', ['queued', 'waiting'])
      .select((n) => n.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n
