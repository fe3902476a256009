import type { AgentEvent } from '@gantry/contract/agents/events'
import { buildTopic } from '@gantry/contract/pipelines/topics'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { buildToRun } from '../builds/to-run.store.ts'
import { findBuildById, lockBuildById } from '../builds/builds.store.ts'
import { maxLosses, stepMayBecome } from '../builds/states.ts'
import { insertImage, setCommit, setStep, stepStates } from '../builds/steps.store.ts'
import { advance, startOver } from '../jobs/jobs.service.ts'
import { endJob, failedCode, lockJobs, putOutputs, repeatJobs, resumeOf } from '../jobs/jobs.store.ts'
import { workspaceGone } from '../jobs/passed.ts'
import { planOf } from '../jobs/plan.ts'
import { heldJob, mustHaveStep } from './held.service.ts'
import {
  buildsWithLostJobs,
  type LeaseKey,
  type HeldJob,
  lockJobsBeside,
  lostJobs,
  setLastEvent,
} from './leases.store.ts'

/** Events that change the build besides its job: the jobs and the build are locked before the job's own row. */
const changesBuild = ({ type }: AgentEvent): boolean => type === 'commit' || type === 'end'

/** Processes an agent's events, each once and in order. */
export const takeEvents = (
  ctx: Ctx,
  lease: LeaseKey,
  first: number,
  events: AgentEvent[],
): Promise<{ cancel: boolean; next: number }> =>
  inTx(ctx, async (ctx) => {
    if (events.some(changesBuild)) await lockJobsBeside(ctx.db, lease.jobId)
    const job: Reporting = await heldJob(ctx, lease)
    if (events.length === 0) return { cancel: job.cancelled, next: job.lastEvent + 1 }
    if (first > job.lastEvent + 1)
      throw new Fault('conflict', 'agents-event-gap', { expected: job.lastEvent + 1, got: first })
    const fresh = events.slice(job.lastEvent + 1 - first)
    for (const event of fresh) await takeEvent(ctx, job, event)
    const last = Math.max(job.lastEvent, first + events.length - 1)
    if (fresh.length > 0) await setLastEvent(ctx.db, job.jobId, last)
    return { cancel: job.cancelled, next: last + 1 }
  })

/** A job with its steps, which are read once for all events of a call. */
type Reporting = HeldJob & { steps?: Awaited<ReturnType<typeof stepStates>> | undefined }

const stepsOf = async (ctx: Ctx, job: Reporting) => (job.steps ??= await stepStates(ctx.db, job.buildId, job.index))

async function takeEvent(ctx: Ctx, job: Reporting, event: AgentEvent): Promise<void> {
  switch (event.type) {
    case 'step':
      return takeStep(ctx, job, event)
    case 'commit':
      await lockBuildById(ctx.db, job.buildId)
      await setCommit(ctx.db, job.buildId, event.commit, event.message)
      // other jobs may wait for the commit
      await advance(ctx, job.buildId)
      job.steps = undefined
      return
    case 'image': {
      const { type: _, ...image } = event
      await mustHaveStep(ctx, job, event.step)
      await insertImage(ctx.db, { buildId: job.buildId, pipelineId: job.pipelineId, ...image })
      return
    }
    case 'output': {
      const values = Object.entries(event.values)
      await mustHaveStep(ctx, job, event.step)
      if (values.length > 0) await putOutputs(ctx.db, job.buildId, event.step, values)
      return
    }
    case 'end':
      return takeEnd(ctx, job, event)
  }
}

async function takeStep(ctx: Ctx, job: Reporting, event: Extract<AgentEvent, { type: 'step' }>): Promise<void> {
  // steps of other jobs are ignored
  const step = (await stepsOf(ctx, job)).find((one) => one.index === event.step)
  // an agent that adopts a step reports its state again
  if (!step || step.state === event.state) return
  if (!stepMayBecome(step.state, event.state))
    throw new Fault('conflict', 'agents-step-state', { step: step.name, from: step.state, to: event.state })
  await setStep(ctx.db, job.buildId, event.step, {
    state: event.state,
    exitCode: event.exitCode ?? null,
    reason: event.reason ?? null,
  })
  step.state = event.state
  await publish(ctx, buildTopic, job, { step: event.step, stepState: event.state })
}

/**
 * Ends a job, but only once every log is complete: the agent reports the length of each, and missing bytes are refused.
 * A log may be longer, because requests may have been under way when the agent gave it up.
 */
async function takeEnd(ctx: Ctx, job: Reporting, event: Extract<AgentEvent, { type: 'end' }>): Promise<void> {
  const { buildId, index } = job
  const steps = await stepsOf(ctx, job)
  for (const log of event.logs) {
    const stored = steps.find((step) => step.index === log.step)?.logBytes ?? 0
    if (stored < log.bytes)
      throw new Fault('conflict', 'agents-log-incomplete', { step: log.step, stored, bytes: log.bytes })
  }
  const { state, reason = null } = event
  if (reason?.key === workspaceGone && !job.cancelled && (await resumeOf(ctx.db, buildId, index)).passed.length > 0)
    return startOver(ctx, job, reason)
  const again = await mayRetry(ctx, job, state)
  await endJob(ctx.db, job, { state, step: state === 'aborted' ? 'aborted' : 'failed', reason })
  if (again) await repeatJobs(ctx.db, buildId, [index], { state: 'queued', retriesLeft: job.retriesLeft - 1 })
  await advance(ctx, buildId)
}

async function mayRetry(
  ctx: Ctx,
  { buildId, index, retriesLeft, cancelled }: HeldJob,
  state: string,
): Promise<boolean> {
  if (state !== 'failed' || retriesLeft === 0 || cancelled) return false
  const { document } = await buildToRun(ctx.db, buildId)
  const codes = planOf(document.definition)[index]?.retries.exitCodes
  return codes === undefined || codes.includes((await failedCode(ctx.db, buildId, index)) ?? -1)
}

/**
 * Queues jobs again whose lease has expired, or fails them after the last loss. Safe to run concurrently on any
 * replica. Returns how many jobs there were.
 */
export async function collectLost(ctx: Ctx): Promise<number> {
  let count = 0
  for (const buildId of await buildsWithLostJobs(ctx.db))
    count += await inTx(ctx, async (ctx) => {
      await lockJobs(ctx.db, buildId)
      const lost = await lostJobs(ctx.db, buildId)
      const build = await findBuildById(ctx.db, buildId)
      for (const { index, attempt, losses, agentName } of lost) {
        const again = build?.cancelled === false && losses + 1 < maxLosses
        const state = build?.cancelled === true ? 'aborted' : 'failed'
        const reason = again
          ? { key: 'agents-lost-again', vars: { agent: agentName } }
          : { key: 'agents-lost', vars: { agent: agentName, attempts: attempt } }
        await endJob(ctx.db, { buildId, index }, { state, step: state, reason })
        if (again) await repeatJobs(ctx.db, buildId, [index], { state: 'queued', losses: losses + 1 })
      }
      if (lost.length > 0) await advance(ctx, buildId)
      return lost.length
    }).catch((error: unknown) => {
      // a build that cannot be advanced does not keep others from it
      ctx.log.error({ err: error, buildId }, 'lost jobs could not be collected')
      return 0
    })
  return count
}
