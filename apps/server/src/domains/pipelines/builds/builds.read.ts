import type { StepState } from '@gantry/contract/pipelines/states'
import type {
  Artifact,
  Build,
  BuildImage,
  BuildJob,
  BuildStage,
  BuildSummary,
  TestCase,
} from '@gantry/contract/pipelines/builds'
import type { List } from '@gantry/contract/paging'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { anyContains, countMatches } from '../../../db/list.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import type { Lang } from '../../../kernel/context.ts'
import { listed, type Page } from '../../../kernel/paging.ts'
import { sayReason } from '../../../kernel/phrase.ts'
import { maskedValues } from '../pipelines/parameters.ts'
import { decisionsOf, gatesOf } from '../jobs/gates.store.ts'
import { stageState } from './states.ts'

type Db = Kysely<Tables>

const summaries = (db: Db) =>
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
      'build.branch',
      'build.tag',
      'build.commit',
      'build.commit_message as commitMessage',
      'build.agent_name as agentName',
      'build.attempt',
      'build.reason',
      'build.queued_at as queuedAt',
      'build.started_at as startedAt',
      'build.ended_at as endedAt',
    ])
    .select((q) => [
      q
        .selectFrom('build_artifact')
        .whereRef('build_artifact.build_id', '=', 'build.id')
        .select((n) => n.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
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

const summary = (lang: Lang, { reason, ...row }: Row): BuildSummary => ({ ...row, message: sayReason(lang, reason) })

export async function listBuilds(
  db: Db,
  lang: Lang,
  pipelineId: number,
  filter: { state: string; keyword: string },
  at: Page,
): Promise<List<BuildSummary>> {
  const of = summaries(db)
    .where('build.pipeline_id', '=', pipelineId)
    .$if(filter.state !== '' && filter.state !== 'all', (q) => q.where(sql<boolean>`build.state = ${filter.state}`))
    .$if(filter.keyword !== '', (q) =>
      q.where(
        anyContains(
          ['build.branch', 'build.tag', 'build.commit', 'build.commit_message', 'build.user_cause'],
          filter.keyword,
        ),
      ),
    )
  const items = await of.orderBy('build.number', 'desc').limit(at.limit).offset(at.offset).execute()
  return listed(
    items.map((row) => summary(lang, row)),
    await countMatches(db, of.clearSelect()),
    at,
  )
}

const Parameters = z.record(z.string(), z.string())
const Matrix = z.record(z.string(), z.string())

/** The build with this number, or the newest without one; undefined where there is none. */
export async function readBuild(db: Db, lang: Lang, pipelineId: number, number?: number): Promise<Build | undefined> {
  const row = await summaries(db)
    .select(['build.parameters', 'build.secret_parameters as secretParameters'])
    .where('build.pipeline_id', '=', pipelineId)
    .$if(number !== undefined, (q) => q.where('build.number', '=', number ?? 0))
    .orderBy('build.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { parameters, secretParameters, ...rest } = row
  return {
    ...summary(lang, rest),
    parameters: maskedValues(Parameters.parse(parameters), secretParameters),
    stages: await stagesOf(db, lang, row.queueId, Parameters.parse(parameters)),
    images: await imageRows(db).where('build_image.build_id', '=', row.queueId).execute(),
  }
}

async function stagesOf(
  db: Db,
  lang: Lang,
  buildId: number,
  parameters: Record<string, string>,
): Promise<BuildStage[]> {
  const steps = await db.selectFrom('build_step').selectAll().where('build_id', '=', buildId).orderBy('index').execute()
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
      message: sayReason(lang, step.reason),
      startedAt: step.started_at,
      endedAt: step.ended_at,
      logLines: step.log_lines + (step.log_open ? 1 : 0),
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
    })
  await addGates(db, buildId, stages, parameters)
  for (const stage of stages)
    stage.state = stageState(stage.jobs.length > 0 ? stage.jobs.map(asStep) : stage.steps.map((step) => step.state))
  return stages
}

async function addGates(
  db: Db,
  buildId: number,
  stages: BuildStage[],
  parameters: Record<string, string>,
): Promise<void> {
  const gates = await gatesOf(db, buildId)
  const decisions = gates.length === 0 ? [] : await decisionsOf(db, buildId)
  for (const { stageIndex, mode, state, approval, openedAt, until } of gates) {
    const stage = stages[stageIndex]
    if (!stage) continue
    const { users, roles, count } = approval
    const asked = Object.fromEntries(approval.parameters.map((name) => [name, parameters[name] ?? '']))
    const made = decisions
      .filter((one) => one.stageIndex === stageIndex)
      .map(({ name, pass, at }) => ({ name, pass, at }))
    stage.gate = { mode, state, users, roles, count, parameters: asked, openedAt, until, decisions: made }
  }
}

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

export async function listImages(db: Db, pipelineId: number, keyword: string, at: Page): Promise<List<BuildImage>> {
  const of = imageRows(db)
    .where('build_image.pipeline_id', '=', pipelineId)
    .$if(keyword !== '', (q) =>
      q.where(anyContains(['build_image.image', 'build_image.tag', 'build_image.digest'], keyword)),
    )
  const items = await of.orderBy('build_image.id', 'desc').limit(at.limit).offset(at.offset).execute()
  return listed(items, await countMatches(db, of.clearSelect()), at)
}

export const listArtifacts = (db: Db, pipelineId: number, number: number): Promise<z.infer<typeof Artifact>[]> =>
  artifactRows(db)
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .orderBy('build_artifact.path')
    .execute()

export const findArtifact = (db: Db, pipelineId: number, number: number, id: number) =>
  artifactRows(db)
    .select('build_artifact.blob')
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .where('build_artifact.id', '=', id)
    .executeTakeFirst()

const artifactRows = (db: Db) =>
  db
    .selectFrom('build_artifact')
    .innerJoin('build', 'build.id', 'build_artifact.build_id')
    .innerJoin('build_step', (join) =>
      join
        .onRef('build_step.build_id', '=', 'build_artifact.build_id')
        .onRef('build_step.index', '=', 'build_artifact.step'),
    )
    .select([
      'build_artifact.id',
      'build_artifact.path',
      'build_artifact.size',
      'build_artifact.sha256',
      'build_step.name as step',
      'build_artifact.created_at as createdAt',
    ])

/** Failures first, then in the order of the reports. */
export async function listTests(
  db: Db,
  pipelineId: number,
  number: number,
  filter: { state: string; keyword: string },
  at: Page,
): Promise<List<z.infer<typeof TestCase>>> {
  const of = db
    .selectFrom('build_test_case')
    .innerJoin('build', 'build.id', 'build_test_case.build_id')
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .$if(filter.state !== '' && filter.state !== 'all', (q) =>
      q.where(sql<boolean>`build_test_case.state = ${filter.state}`),
    )
    .$if(filter.keyword !== '', (q) =>
      q.where(sql<boolean>`strpos(lower(suite || ' ' || name), lower(${filter.keyword})) > 0`),
    )
  const items = await of
    .select(['suite', 'name', 'build_test_case.state', 'seconds', 'message'])
    .orderBy(sql`build_test_case.state in ('failed', 'error') desc`)
    .orderBy('step')
    .orderBy('path')
    .orderBy('position')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const { total } = await of.select((n) => n.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return listed(items, total, at)
}
