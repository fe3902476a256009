import type { StepState } from '@gantry/contract/pipelines/states'
import type { Build, BuildImage, BuildJob, BuildStage, BuildSummary } from '@gantry/contract/pipelines/builds'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { z } from 'zod'
import { anyContains, countMatches, rowCount } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Lang } from '../../../kernel/context.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { sayReason } from '../../../kernel/phrase.ts'
import { withKeysFirst } from '../pipelines/key-order.ts'
import { maskedValues } from '../pipelines/parameters.ts'
import { attemptsOf, type JobAttempt, keptImages, keptSteps, tallyOf } from '../attempts/attempts.read.ts'
import { isWithheld } from '../jobs/conditions.ts'
import { isOfFork, MergeRequest } from './merge-request.store.ts'
import { decisionsOf, gatesOf } from '../jobs/gates.store.ts'
import { Problems } from '../definition-files/definition-files.store.ts'
import { saidProblem } from '../definition-files/definition-text.ts'
import { stageState } from './states.ts'
import { waitsOf } from './waits.read.ts'

export const summaries = (db: Db) =>
  db
    .selectFrom('build')
    .leftJoinLateral(
      (q) =>
        q
          .selectFrom('build_image')
          .whereRef('build_image.build_id', '=', 'build.id')
          .select(['build_image.id', 'build_image.image', 'build_image.tag'])
          .orderBy('build_image.id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select([
      'newest.id as imageId',
      sql<string>`coalesce(newest.tag, '')`.as('imageTag'),
      sql<string>`coalesce(newest.image || ':' || newest.tag, '')`.as('version'),
      'build.id as queueId',
      'build.pipeline_id as pipelineId',
      'build.number',
      'build.state',
      'build.cause',
      'build.user_cause as userCause',
      sql<string>`coalesce(build.retried_by, '')`.as('retriedBy'),
      'build.branch',
      isOfFork.as('fork'),
      'build.tag',
      'build.commit',
      'build.commit_message as commitMessage',
      'build.agent_name as agentName',
      'build.attempt',
      'build.reason',
      'build.pinned',
      'build.draft',
      'build.emptied_at as emptiedAt',
      'build.queued_at as queuedAt',
      'build.started_at as startedAt',
      'build.ended_at as endedAt',
      'build.earlier_seconds as earlierSeconds',
      'build.waited_seconds as waitedSeconds',
    ])
    .select((q) =>
      q
        .selectFrom('build_gate')
        .whereRef('build_gate.build_id', '=', 'build.id')
        .where('build_gate.state', '=', 'waiting')
        .select('opened_at')
        .limit(1)
        .$asScalar()
        .as('askedAt'),
    )
    .select((q) => [
      q
        .selectFrom('build_artifact')
        .whereRef('build_artifact.build_id', '=', 'build.id')
        .$call(rowCount)
        .as('artifactNum'),
      q
        .selectFrom('build_report')
        .whereRef('build_report.build_id', '=', 'build.id')
        .select(
          sql<{ total: number; failed: number; skipped: number } | null>`case when count(*) > 0 then
            jsonb_build_object('total', sum(total), 'failed', sum(failed), 'skipped', sum(skipped)) end`.as('tests'),
        )
        .$asScalar()
        .as('tests'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof summaries>['executeTakeFirstOrThrow']>>

export const summary = (lang: Lang, { reason, ...row }: Row): BuildSummary => ({
  ...row,
  message: sayReason(lang, reason),
})

const Parameters = z.record(z.string(), z.string())
const Matrix = z.record(z.string(), z.string())

/**
 * The build with this number, or the newest one; undefined if there is none. With `of`, its job is shown as that
 * attempt left it.
 */
export async function readBuild(
  db: Db,
  lang: Lang,
  pipelineId: number,
  number?: number,
  of?: JobAttempt,
): Promise<Build | undefined> {
  const row = await summaries(db)
    .select(['build.parameters', 'build.secret_parameters as secretParameters'])
    .select(['build.image', 'build.merge_request as mergeRequest'])
    .select(['build.definition_path', 'build.definition_commit', 'build.definition_problems'])
    .select(['build.logs_removed_at as logsRemovedAt', 'build.artifacts_removed_at as artifactsRemovedAt'])
    .select((q) =>
      q
        .exists(q.selectFrom('build_review').select('round').whereRef('build_id', '=', 'build.id'))
        .$castTo<boolean>()
        .as('reviewed'),
    )
    .select((q) =>
      q
        .selectFrom('build_annotation')
        .whereRef('build_annotation.build_id', '=', 'build.id')
        .$call(rowCount)
        .as('annotationNum'),
    )
    .select((q) =>
      q
        .selectFrom('pipeline')
        .whereRef('pipeline.id', '=', 'build.pipeline_id')
        .select(sql<string[]>`jsonb_path_query_array(pipeline.parameters, '$[*].name')`.as('names'))
        .$asScalar()
        .$notNull()
        .as('declared'),
    )
    .where('build.pipeline_id', '=', pipelineId)
    .$if(number !== undefined, (q) => q.where('build.number', '=', number ?? 0))
    .orderBy('build.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { parameters, declared, secretParameters, annotationNum, logsRemovedAt, artifactsRemovedAt, ...more } = row
  // jsonb does not keep the order of the pipeline's parameters
  const values = withKeysFirst(maskedValues(Parameters.parse(parameters), secretParameters), declared)
  const { definition_path: path, definition_commit: commit, definition_problems: problems, ...others } = more
  const { image, mergeRequest: request, ...rest } = others
  const mergeRequest = MergeRequest.nullable().parse(request)
  const attempts = await attemptsOf(db, lang, row.queueId)
  return {
    ...summary(lang, rest),
    image,
    mergeRequest,
    reviewed: row.reviewed,
    logsRemovedAt,
    artifactsRemovedAt,
    annotationNum,
    definitionFile:
      path === '' ? null : { path, commit, problems: Problems.parse(problems).map((one) => saidProblem(lang, one)) },
    parameters: values,
    waits: await waitsOf(db, row.queueId),
    stages: await stagesOf(db, lang, {
      buildId: row.queueId,
      fork: mergeRequest?.fork === true,
      filled: { parameters: values, secrets: secretParameters },
      attempts,
      of,
    }),
    attempts,
    images: await imagesOf(db, row.queueId, of),
    ...(of ? await tallyOf(db, of) : {}),
  }
}

/** A build's parameters as they are displayed, and the names of the secret ones. */
interface Filled {
  parameters: Record<string, string>
  secrets: string[]
}

async function stagesOf(
  db: Db,
  lang: Lang,
  {
    buildId,
    fork,
    filled,
    attempts,
    of,
  }: {
    buildId: number
    fork: boolean
    filled: Filled
    attempts: Build['attempts']
    of: JobAttempt | undefined
  },
): Promise<BuildStage[]> {
  const latest = await db
    .selectFrom('build_step')
    .selectAll()
    .where('build_id', '=', buildId)
    .orderBy('index')
    .execute()
  const kept = new Map((of ? await keptSteps(db, of) : []).map((step) => [step.index, step]))
  const steps = latest.map((step) => ({ ...step, ...kept.get(step.index) }))
  const selected = of && attempts.find(({ job, attempt }) => job === of.job && attempt === of.attempt)
  const jobs = await db
    .selectFrom('build_job')
    .select(['index', 'name', 'matrix', 'state', 'agent_name', 'attempt', 'reason', 'started_at', 'ended_at'])
    .where('build_id', '=', buildId)
    .where('name', '<>', '')
    .orderBy('index')
    .execute()
  const stages: BuildStage[] = []
  for (const step of steps) {
    const stage = (stages[step.stage_index] ??= { name: step.stage, state: 'pending', gate: null, jobs: [], steps: [] })
    stage.steps.push({
      index: step.index,
      job: step.job,
      name: step.name,
      type: step.type,
      state: step.state,
      exitCode: step.exit_code,
      message: sayReason(lang, isLeftOut(step, fork) ? leftOut : step.reason),
      startedAt: step.started_at,
      endedAt: step.ended_at,
      logLines: step.log_lines + (step.log_open ? 1 : 0),
      // if the attempt that is displayed ran the step itself, nothing was carried over
      passedIn: of?.job === step.job && step.passed_in === of.attempt ? null : step.passed_in,
    })
  }
  const stageOfJob = new Map(steps.map(({ job, stage_index }) => [job, stage_index]))
  for (const job of jobs)
    stages[stageOfJob.get(job.index) ?? -1]?.jobs.push({
      index: job.index,
      name: job.name,
      matrix: Matrix.parse(job.matrix),
      state: job.state,
      agentName: job.agent_name,
      attempt: job.attempt,
      message: sayReason(lang, job.reason),
      startedAt: job.started_at,
      endedAt: job.ended_at,
      ...(selected?.job === job.index ? attemptOfJob(selected) : {}),
    })
  await addGates(db, buildId, stages, filled)
  for (const stage of stages)
    stage.state = stageState(stage.jobs.length > 0 ? stage.jobs.map(asStep) : stage.steps.map((step) => step.state))
  return stages
}

const leftOut = { key: 'pipelines-step-of-fork', vars: {} }

/** Whether a step is left out because its build is of a fork's merge request. */
const isLeftOut = ({ type, state }: { type: string; state: StepState }, fork: boolean): boolean =>
  (state === 'pending' || state === 'not_built') && isWithheld(type, fork)

async function addGates(db: Db, buildId: number, stages: BuildStage[], { parameters, secrets }: Filled): Promise<void> {
  const gates = await gatesOf(db, buildId)
  const decisions = gates.length === 0 ? [] : await decisionsOf(db, buildId)
  for (const { stageIndex, mode, state, approval, openedAt, until } of gates) {
    const stage = stages[stageIndex]
    if (!stage) continue
    const { users, roles, count } = approval
    const names = approval.parameters.filter((name) => Object.hasOwn(parameters, name))
    stage.gate = {
      mode,
      state,
      users,
      roles,
      count,
      parameters: Object.fromEntries(names.map((name) => [name, parameters[name] ?? ''])),
      secrets: names.filter((name) => secrets.includes(name)),
      openedAt,
      until,
      decisions: decisions
        .filter((one) => one.stageIndex === stageIndex)
        .map(({ name, pass, reason, at, counts, parameters }) => ({ name, pass, reason, at, counts, parameters })),
      obstacle: '',
      fields: [],
      deploys: [],
    }
  }
}

const attemptOfJob = ({ job: _, ...attempt }: Build['attempts'][number]) => attempt

/** A job that waits for an agent has not begun. */
const asStep = ({ state }: BuildJob): StepState => (state === 'queued' ? 'pending' : state)

const imageRows = (db: Db) =>
  db
    .selectFrom('build_image')
    .innerJoin('build', 'build.id', 'build_image.build_id')
    .innerJoin('build_step', (join) =>
      join.onRef('build_step.build_id', '=', 'build_image.build_id').onRef('build_step.index', '=', 'build_image.step'),
    )
    .select([
      'build_image.id',
      'build.number as buildNumber',
      'build_step.name as step',
      'build_image.image',
      'build_image.tag',
      'build_image.digest',
      'build_image.size',
      'build_image.created_at as createdAt',
    ])

/** The images of a build, or of one attempt of one of its jobs. */
function imagesOf(db: Db, buildId: number, of: JobAttempt | undefined): Promise<BuildImage[]> {
  if (of && of.kept !== null) return keptImages(db, of)
  return imageRows(db)
    .where('build_image.build_id', '=', buildId)
    .$if(of !== undefined, (q) => q.where('build_step.job', '=', of?.job ?? 0))
    .execute()
}

export async function listImages(db: Db, pipelineId: number, keyword: string, at: Page): Promise<List<BuildImage>> {
  const of = imageRows(db)
    .where('build_image.pipeline_id', '=', pipelineId)
    .$if(keyword !== '', (q) =>
      q.where(anyContains(['build_image.image', 'build_image.tag', 'build_image.digest'], keyword)),
    )
  const items = await of.orderBy('build_image.id', 'desc').limit(at.limit).offset(at.offset).execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}
