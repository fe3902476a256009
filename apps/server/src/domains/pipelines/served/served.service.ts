import type { Step } from '@gantry/contract/pipelines/definition'
import { isEnded } from '@gantry/contract/pipelines/states'
import { pipelineDepth } from '@gantry/contract/pipelines/steps/served'
import { mustHold } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { reasonOf, sayInLog } from '../../../kernel/phrase.ts'
import { actorOfBuild, triggerBuild } from '../builds/builds.service.ts'
import { findBuildById } from '../builds/builds.store.ts'
import { findByKey } from '../builds/insert.store.ts'
import { stepOfBuild } from '../builds/to-run.store.ts'
import { findPipeline } from '../pipelines/pipelines.store.ts'
import { heldStep } from '../queue/held.service.ts'
import type { LeaseKey } from '../queue/leases.store.ts'
import type { Answer, Done } from './answer.ts'
import { sendMails } from './mail.service.ts'
import { isReleaseStep, releaseOfStep } from './releases.service.ts'
import { ancestorsOf } from './served.store.ts'

type Texts = Record<string, string>

/**
 * Runs a step on the server. The agent that holds the job calls this until the step ends: a refusal fails the step, and
 * after any other error the agent calls again.
 */
export async function serveStep(
  ctx: Ctx,
  lease: LeaseKey,
  index: number,
  { texts, masked }: { texts: Texts; masked: readonly string[] },
): Promise<Answer> {
  const job = await heldStep(ctx, lease, index)
  const step = await stepOfBuild(ctx.db, job.buildId, index)
  const { cancelled: cancel } = job
  try {
    if (step?.type === 'http') return { cancel, ...(await callUrl(ctx, step, texts)) }
    if (step?.type === 'mail') return { cancel, ...(await sendMails(ctx, { ...job, ...lease, index }, step, texts)) }
    if (step && isReleaseStep(step))
      return { cancel, ...(await releaseOfStep(ctx, { ...job, ...lease, index }, step, texts, masked)) }
    if (step?.type === 'pipeline')
      return { cancel, ...(await startPipeline(ctx, { ...job, ...lease, index }, step, texts)) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const line = `refused: ${sayInLog(error)}`
    return { cancel, state: 'failed', log: [line], reason: reasonOf(error), outputs: {} }
  }
  throw new Fault('missing', 'resource-missing')
}

/** How much of an answer is read; below, how much of it the log shows. */
const answerBytes = 1024 * 1024
const maxLines = 50
const maxLineLength = 2000

async function callUrl(ctx: Ctx, step: Extract<Step, { type: 'http' }>, texts: Texts): Promise<Done> {
  const { method, statuses, timeoutSeconds } = step
  const url = texts['url'] ?? step.url
  const body = texts['body'] ?? step.body
  if (!URL.canParse(url)) throw new Fault('invalid', 'step-http-url')
  const answer = await ctx.ports.outbound.requestText({
    url,
    method,
    headers: Object.fromEntries(step.headers.map(({ name, value }, at) => [name, texts[`headers.${at}`] ?? value])),
    ...(body === '' || method === 'GET' || method === 'HEAD' ? {} : { body }),
    timeout: timeoutSeconds * 1000,
    maxBytes: answerBytes,
    redirect: 'manual',
    signal: ctx.signal,
  })
  const { status } = answer
  const lines = answer.text
    .split(/\r?\n/)
    .slice(0, maxLines)
    .map((line) => line.slice(0, maxLineLength))
  const passed = statuses.length === 0 ? status >= 200 && status < 300 : statuses.includes(status)
  return {
    state: passed ? 'success' : 'failed',
    log: [`${method} answered ${status}`, ...lines.filter((line) => line !== '')],
    reason: passed ? null : { key: 'agents-http-status', vars: { status } },
    outputs: { STATUS: String(status) },
  }
}

interface Of extends LeaseKey {
  buildId: number
  teamId: number
  index: number
}

async function startPipeline(
  ctx: Ctx,
  { buildId, teamId, index, attempt }: Of,
  { pipelineId, branch, wait }: Extract<Step, { type: 'pipeline' }>,
  parameters: Texts,
): Promise<Done> {
  const target = await findPipeline(ctx.db, pipelineId)
  if (target?.teamId !== teamId) throw new Fault('missing', 'pipelines-step-pipeline-gone')
  const name = target.projectName
  // so that a repeated call finds the same build
  const idempotencyKey = `build ${buildId} step ${index} attempt ${attempt}`
  const known = await findByKey(ctx.db, pipelineId, idempotencyKey)
  if (!known) {
    await refuseCircle(ctx, buildId, pipelineId, name)
    const actor = await actorOfBuild(ctx, buildId)
    await mustHold({ db: ctx.db, actor }, teamId, 'pipeline_build_execute')
    const of = { ...(branch === '' ? {} : { branch }), parameters, parentId: buildId }
    await triggerBuild({ ...ctx, actor }, pipelineId, { cause: 'pipeline', ...of, idempotencyKey })
  }
  const started = known ?? (await findByKey(ctx.db, pipelineId, idempotencyKey))
  const build = mustExist(started && (await findBuildById(ctx.db, started.id)))
  const { number, state } = build
  const outputs = { NUMBER: String(number), STATE: state }
  if (!wait) return { state: 'success', log: [`started ${name} #${number}`], reason: null, outputs }
  const log = [`${name} #${number} is ${state}`]
  if (!isEnded(state)) return { state: 'running', log, reason: null, outputs: {} }
  if (state === 'success') return { state: 'success', log, reason: null, outputs }
  return { state: 'failed', log, reason: { key: 'agents-pipeline-failed', vars: { name, number } }, outputs }
}

/** Refuses to start a pipeline that the build descends from, and a chain that is too long. */
async function refuseCircle(ctx: Ctx, buildId: number, pipelineId: number, name: string): Promise<void> {
  const ancestors = await ancestorsOf(ctx.db, buildId)
  const way = [...ancestors.map((one) => one.name).toReversed(), name].join(' → ')
  if (ancestors.some((one) => one.pipelineId === pipelineId))
    throw new Fault('conflict', 'pipelines-step-circle', { way })
  if (ancestors.length >= pipelineDepth)
    throw new Fault('conflict', 'pipelines-step-too-deep', { way, most: pipelineDepth })
}
