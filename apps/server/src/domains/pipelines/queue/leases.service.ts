import type { AgentEvent } from '@gantry/contract/agents/protocol'
import { buildTopic } from '@gantry/contract/pipelines/topics'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { endBuild } from '../builds/builds.store.ts'
import { heldBuild, publishBuild } from '../builds/builds.service.ts'
import { packLogs } from '../logs/logs.jobs.ts'
import { maxAttempts, stepMayBecome } from '../builds/states.ts'
import {
  type Held,
  type HeldBuild,
  insertImage,
  lockLost,
  requeue,
  setCommit,
  setLastEvent,
  setStep,
  stepStates,
} from './leases.store.ts'
import { queued } from './queue.service.ts'

/** Processes an agent's events, each once and in order. */
export const takeEvents = (ctx: Ctx, held: Held, first: number, events: AgentEvent[]): Promise<{ cancel: boolean }> =>
  inTx(ctx, async (ctx) => {
    const build = await heldBuild(ctx, held)
    if (events.length === 0) return { cancel: build.cancelled }
    if (first > build.lastEvent + 1)
      throw new Fault('conflict', 'agents-event-gap', { expected: build.lastEvent + 1, got: first })
    const fresh = events.slice(build.lastEvent + 1 - first)
    for (const event of fresh) await takeEvent(ctx, build, event)
    if (fresh.length > 0) await setLastEvent(ctx.db, build.id, first + events.length - 1)
    return { cancel: build.cancelled }
  })

async function takeEvent(ctx: Ctx, build: HeldBuild, event: AgentEvent): Promise<void> {
  switch (event.type) {
    case 'step':
      return takeStep(ctx, build, event)
    case 'commit':
      await setCommit(ctx.db, build.id, event.commit, event.message)
      return
    case 'image': {
      const { step, image, tag, digest, size, registryId } = event
      await insertImage(ctx.db, {
        buildId: build.id,
        pipelineId: build.pipelineId,
        step,
        image,
        tag,
        digest,
        size,
        registryId,
      })
      return
    }
    case 'end':
      return takeEnd(ctx, build, event)
  }
}

async function takeStep(ctx: Ctx, build: HeldBuild, event: Extract<AgentEvent, { type: 'step' }>): Promise<void> {
  const step = (await stepStates(ctx.db, build.id)).find((one) => one.index === event.step)
  // an adopted step is reported again in the same state
  if (!step || step.state === event.state) return
  if (!stepMayBecome(step.state, event.state))
    throw new Fault('conflict', 'agents-step-state', { step: step.name, from: step.state, to: event.state })
  await setStep(ctx.db, build.id, event.step, {
    state: event.state,
    exitCode: event.exitCode ?? null,
    reason: event.reason ?? null,
  })
  await publish(ctx, buildTopic, build, { step: event.step, stepState: event.state })
}

/**
 * A build ends only when every log is complete: the agent reports the length of each, and missing bytes are named. A
 * log may be longer: requests may have been under way when the agent gave the log up.
 */
async function takeEnd(ctx: Ctx, build: HeldBuild, event: Extract<AgentEvent, { type: 'end' }>): Promise<void> {
  const steps = await stepStates(ctx.db, build.id)
  for (const log of event.logs) {
    const stored = steps.find((step) => step.index === log.step)?.logBytes ?? 0
    if (stored < log.bytes)
      throw new Fault('conflict', 'agents-log-incomplete', { step: log.step, stored, bytes: log.bytes })
  }
  const { state } = event
  const told = { state, step: state === 'aborted' ? ('aborted' as const) : ('failed' as const) }
  // the agent knows that it was stopped; who stopped it is stored already
  const stopped = build.cancelled && state === 'aborted'
  await endBuild(ctx.db, build.id, stopped ? told : { ...told, reason: event.reason ?? null })
  await packLogs(ctx, build.id)
  await publishBuild(ctx, { ...build, state })
  // a slot is free again, and an exclusive build may start
  queued.wakeAfterCommit(ctx)
}

/**
 * Builds whose lease expired without a report: queued again, or failed after the last attempt. Safe to run on any
 * replica at any time.
 */
export const collectLost = (ctx: Ctx): Promise<number> =>
  inTx(ctx, async (ctx) => {
    const lost = await lockLost(ctx.db)
    for (const build of lost) {
      const again = !build.cancelled && build.attempt < maxAttempts
      if (again) await requeue(ctx.db, build.id)
      else {
        await endBuild(ctx.db, build.id, {
          state: build.cancelled ? 'aborted' : 'failed',
          step: build.cancelled ? 'aborted' : 'failed',
          reason: { key: 'agents-lost', vars: { agent: build.agentName, attempts: build.attempt } },
        })
        await packLogs(ctx, build.id)
      }
      await publishBuild(ctx, { ...build, state: again ? 'queued' : build.cancelled ? 'aborted' : 'failed' })
    }
    if (lost.length > 0) queued.wakeAfterCommit(ctx)
    return lost.length
  })
