import type { QualityCheck } from '@gantry/contract/code-quality/results'
import type { AnalysisTask, SonarAccess } from '../../adapters/sonarqube/sonarqube.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Reason, reasonOf, sayInLog } from '../../kernel/phrase.ts'
import { type LeaseKey, heldStep, stepOfBuild } from '../pipelines/public.ts'
import { judge, metricNames, formatCheck } from './gate.ts'
import { beginResult, endResult, findResult, projectOf } from './results.store.ts'
import { sonarAccess } from './settings.service.ts'

/** The key of a pipeline's project, which stays the same when the pipeline is renamed. */
export const projectKeyOf = ({ uuid }: { uuid: string }): string => `gantry:${uuid}`

/** The URL at which users see a project. */
export const dashboardOf = (server: string, projectKey: string): string =>
  `${server}/dashboard?id=${encodeURIComponent(projectKey)}`

/** The property in which scanners pass a token; before release 10 it is the login. */
const tokenProperty = (version: string): string => (Number.parseInt(version, 10) < 10 ? 'sonar.login' : 'sonar.token')

async function jobAndStep(ctx: Ctx, lease: LeaseKey, index: number) {
  const job = await heldStep(ctx, lease, index)
  const step = await stepOfBuild(ctx.db, job.buildId, index)
  if (step?.type !== 'code-quality') throw new Fault('missing', 'resource-missing')
  return { job, step }
}

const tokenName = (job: { buildId: number; pipeline: string }, index: number): string =>
  `gantry-${job.pipeline}-${job.buildId}-${index}`

/** Creates the pipeline's project if needed, and issues the token with which a step of the build analyses it. */
export async function beginAnalysis(ctx: Ctx, lease: LeaseKey, index: number) {
  const { job } = await jobAndStep(ctx, lease, index)
  const cancel = job.cancelled
  const access = await sonarAccess(ctx)
  if (access === undefined) return { cancel, analysis: null, reason: { key: 'code-quality-none', vars: {} } }
  const project = await projectOf(ctx.db, job.pipelineId)
  const projectKey = projectKeyOf(project)
  const { sonar } = ctx.ports
  try {
    const version = await sonar.version(access, ctx.signal)
    const name = `${project.team} / ${project.group} / ${project.name}`
    await sonar.keepProject(access, { key: projectKey, name }, ctx.signal)
    const wanted = { name: tokenName({ ...job, pipeline: project.uuid }, index), projectKey }
    const { token, since } = await sonar.issueToken(access, wanted, ctx.signal)
    await beginResult(ctx.db, { buildId: job.buildId, step: index, attempt: job.attempt, server: access.url, since })
    const analysis = { url: access.url, token, tokenProperty: tokenProperty(version), projectKey }
    return { cancel, analysis, reason: null }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { cancel, analysis: null, reason: reasonOf(error) }
  }
}

interface Answer {
  cancel: boolean
  state: 'running' | 'success' | 'failed'
  log: string[]
  reason: Reason | null
}

/** The state of an analysis. A result is final, and the step's token is then revoked. */
export async function analysisResult(ctx: Ctx, lease: LeaseKey, index: number, taskId: string): Promise<Answer> {
  const { job, step } = await jobAndStep(ctx, lease, index)
  const cancel = job.cancelled
  const known = await findResult(ctx.db, job.buildId, index)
  const access = await sonarAccess(ctx)
  // the server was changed or removed while the step ran
  if (known === undefined || access?.url !== known.server)
    return { cancel, ...failed({ key: 'code-quality-none', vars: {} }) }
  const project = await projectOf(ctx.db, job.pipelineId)
  const projectKey = projectKeyOf(project)
  const url = dashboardOf(known.server, projectKey)
  if (known.passed !== null) return { cancel, ...outcome(known.checks, url) }
  try {
    const task = await ctx.ports.sonar.task(access, taskId, ctx.signal)
    // the step could name any task: an older analysis, or one of another project, says nothing about this build
    if (task === undefined || task.projectKey !== projectKey || Date.parse(task.submittedAt) < Date.parse(known.since))
      return { cancel, ...failed({ key: 'code-quality-foreign-analysis', vars: { url } }) }
    if (task.state === 'running') return { cancel, state: 'running', log: [], reason: null }
    const checks = await measured(ctx, access, { task, projectKey, step })
    await ctx.ports.sonar.revokeToken(access, tokenName({ ...job, pipeline: project.uuid }, index), ctx.signal)
    if (checks === undefined)
      return { cancel, ...failed({ key: 'code-quality-analysis-failed', vars: { text: task.error, url } }) }
    await endResult(ctx.db, job.buildId, index, checks)
    return { cancel, ...outcome(checks, url) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const reason = reasonOf(error)
    if (error.key === 'code-quality-silent') return { cancel, state: 'running', log: [], reason }
    return { cancel, ...failed(reason, [sayInLog(error)]) }
  }
}

const failed = (reason: Reason, log: string[] = []) => ({ state: 'failed' as const, log, reason })

interface Of {
  task: AnalysisTask
  projectKey: string
  step: { gate: Parameters<typeof judge>[0] }
}

async function measured(ctx: Ctx, access: SonarAccess, { task, projectKey, step }: Of) {
  if (task.state === 'failed') return undefined
  const wanted = { projectKey, analysis: task.analysis, metrics: metricNames }
  return judge(step.gate, await ctx.ports.sonar.measures(access, wanted, ctx.signal))
}

function outcome(checks: QualityCheck[], url: string) {
  const refused = checks.filter(({ passed }) => !passed)
  const log = [
    ...checks.map(
      ({ measure, value, limit }) => `${measure}: ${value ?? '–'}${limit === null ? '' : ` (limit ${limit})`}`,
    ),
    ...refused.map((check) => `Refused: ${formatCheck(check)}`),
    url,
  ]
  if (refused.length === 0) return { state: 'success' as const, log, reason: null }
  const vars = { problems: refused.map(formatCheck).join('; '), url }
  return failed({ key: 'code-quality-refused', vars }, log)
}
