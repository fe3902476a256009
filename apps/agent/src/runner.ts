import { Refusal, type Client } from './client.ts'
import type { Executor } from './executors/executor.ts'
import { handOn, type HandOver, takeFiles } from './steps/hand-over.ts'
import type { KeptWorkspaces } from './workspace/kept.ts'
import { journal as openJournal, type Journal } from './journal.ts'
import { type LogStream, logStream } from './log-stream.ts'
import { messageOf, type Log } from './log.ts'
import { textMask } from './mask.ts'
import { shouldRun, outputsOf, readOutputs } from './outputs.ts'
import { type AgentEvent, type Reason, type Step, type Work } from './protocol.ts'
import {
  bytesOf,
  hiddenOf,
  makeStep,
  pastOf,
  reportOnce,
  logWriter,
  writeBytes,
  writeHidden,
  type Past,
} from './progress.ts'
import { defect, reason, StepFailure } from './reasons.ts'
import type { RunStep, StepContext } from './steps/step.ts'
import { Stop } from './stop.ts'
import { beginningOf, keepWorkspace } from './workspace/resume.ts'
import { continuedFrom, spoolOf, type Workspace, type Slot } from './workspace/workspace.ts'

/** The parts of the agent that builds use. */
export interface RunnerContext {
  client: Client
  executor: Executor
  log: Log
  ca: string | undefined
  outside: StepContext['outside']
  steps: Record<Step['type'], RunStep>
  beatMs: number
  /** How long a build belongs to this agent after the last answer of the server: slightly less than its lease. */
  leaseMs: number
  /** Whether logs are sent compressed, because the server is on another machine. */
  compressed: boolean
  /** Undefined: no workspace is kept for a retry. */
  kept?: KeptWorkspaces | undefined
}

export interface Build {
  work: Pick<Work, 'jobId' | 'attempt'>
  room: Workspace
  stop: (why: Stop['why']) => void
  /** Resolves when nothing is left to do or to report; never rejects. */
  done: Promise<void>
}

/** Runs jobs: in this process, or in other processes that it creates. */
export interface Host {
  prepare: (work: Work, slot: Slot) => Promise<Workspace>
  begin: (work: Work, room: Workspace) => Build
}

/** A job that an earlier agent process has started. */
export interface LeftJob {
  room: Workspace
  begin: () => Build
}

/** How many more jobs there is space for, where that changes by itself. */
export interface Space {
  most: () => number
  /** The reason why there is no space; '' while there is. */
  waits: () => string
  watch: (changed: () => void) => void
}

export function startBuild(bench: RunnerContext, work: Work, room: Workspace): Build {
  const stopping = new AbortController()
  const stop = (why: Stop['why']): void => {
    // 'drop' overrides the other two: a build that no longer belongs to this agent must not be reported
    if (!stopping.signal.aborted) stopping.abort(new Stop(why))
    if (why === 'drop') dropping.abort(new Stop('drop'))
  }
  const dropping = new AbortController()
  const done = runBuild(bench, work, room, { stop, stopping: stopping.signal, dropping: dropping.signal })
    .catch((cause: unknown) => {
      if (!dropping.signal.aborted)
        bench.log('error', 'a build was given up', { ...idOf(work), error: messageOf(cause) })
      stop('drop')
      return undefined
    })
    .then((events) => keepWorkspace(bench.kept, work, room, events ?? []))
    .catch((cause: unknown) =>
      bench.log('warn', 'a workspace was not kept', { ...idOf(work), error: messageOf(cause) }),
    )
    .then(() => bench.executor.cleanup(room))
    .catch((cause: unknown) => bench.log('error', 'a room was not removed', { ...idOf(work), error: messageOf(cause) }))
  return { work, room, stop, done }
}

const idOf = ({ jobId, attempt }: Work): { jobId: number; attempt: number } => ({ jobId, attempt })

interface Signals {
  stop: (why: Stop['why']) => void
  /** The build has to end; its end is still reported. */
  stopping: AbortSignal
  dropping: AbortSignal
}

/** Returns the events that were reported. */
async function runBuild(
  bench: RunnerContext,
  work: Work,
  room: Workspace,
  signals: Signals,
): Promise<readonly AgentEvent[]> {
  const { stop, dropping } = signals
  let answeredAt = performance.now()
  const onAnswer = (answer: { cancel: boolean }): void => {
    answeredAt = performance.now()
    if (answer.cancel) stop('cancel')
  }
  // without contact to the server the lease has expired by now, and another agent may have the build: no part of it may
  // continue
  const lease = setInterval(() => {
    if (performance.now() - answeredAt > bench.leaseMs) stop('drop')
  }, bench.leaseMs / 60)
  const journal = openJournal({
    room,
    client: bench.client,
    beatMs: bench.beatMs,
    signal: dropping,
    mask: (event) => withoutSecrets(event, work, room),
    onAnswer,
    failed: (cause) => {
      bench.log('warn', 'the server does not take a build’s events', { ...idOf(work), error: messageOf(cause) })
      stop('drop')
    },
  })
  const past = pastOf(journal.events)
  const began = past.beganAt ?? Date.now()
  const timer = setTimeout(() => stop('timeout'), Math.max(0, began + work.timeoutSeconds * 1000 - Date.now()))
  try {
    if (!past.ended) journal.add(await runSteps(bench, work, room, journal, past, { ...signals, onAnswer }))
    await Promise.race([journal.flushed(), aborted(dropping)])
    return journal.events
  } finally {
    clearTimeout(timer)
    clearInterval(lease)
    journal.stop()
  }
}

/** Masks a reason like a log, because it may contain a file's name or a system's answer. */
function withoutSecrets<E extends AgentEvent>(event: E, work: Work, room: Workspace): E {
  if (!('reason' in event) || event.reason === undefined) return event
  if (!Object.values(event.reason.vars ?? {}).some((value) => typeof value === 'string')) return event
  const mask = textMask([...work.masked, ...('step' in event ? hiddenOf(room, event.step) : [])])
  const vars = Object.entries(event.reason.vars ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? mask(value).slice(0, 4000) : value,
  ])
  return { ...event, reason: { ...event.reason, vars: Object.fromEntries(vars) as Reason['vars'] } }
}

async function runSteps(
  bench: RunnerContext,
  work: Work,
  room: Workspace,
  journal: Journal,
  past: Past,
  signals: Signals & { onAnswer: StepContext['onAnswer'] },
): Promise<AgentEvent> {
  const { stopping } = signals
  const steps = work.stages.flatMap((stage) => stage.steps)
  const passed = work.resume?.passed ?? []
  const from = continuedFrom(room)
  if (passed.length > 0 && from === undefined && !stopping.aborted) {
    const why = reason('agents-workspace-gone', { attempt: work.attempt - 1 })
    return { type: 'end', state: 'failed', reason: why, logs: [] }
  }
  const logs = steps.map((_, at) => ({ step: work.firstStep + at, bytes: bytesOf(room, work.firstStep + at) }))
  const hands = {
    ...bench,
    work,
    room,
    onAnswer: signals.onAnswer,
    signal: AbortSignal.any([stopping, signals.dropping]),
  }
  let failed: Reason | undefined
  // a dropped job is not reported any more
  const caught = (cause: unknown): Reason => {
    if (signals.dropping.aborted || isOver(cause)) throw cause
    return failureOf(cause, 'step').reason
  }
  // a workspace that was continued contains them already, as the steps left them
  if (past.states.size === 0 && passed.length === 0)
    await takeFiles(hands).catch((cause: unknown) => {
      failed = caught(cause)
    })
  const began = failed === undefined
  let note = past.states.size === 0 ? beginningOf(work, from) : ''
  for (const [at, step] of steps.entries()) {
    const index = work.firstStep + at
    if (passed.includes(index)) continue
    const known = past.states.get(index)
    if (known !== undefined && known.state !== 'building') {
      if (known.state === 'failed') failed ??= known.reason ?? reason('agents-step-lost')
      continue
    }
    const outputs = outputsOf(work, journal)
    const due = began && shouldRun(work, at, work.failed || failed !== undefined, outputs)
    if (known === undefined && (stopping.aborted || !due)) {
      journal.add({ type: 'step', step: index, state: 'not_built', at: Date.now() })
      continue
    }
    if (known === undefined) journal.add({ type: 'step', step: index, state: 'building', at: Date.now() })
    const one = { step, index, known, outputs, signals, note }
    note = ''
    const { bytes, ...result } = await runStep(bench, work, room, journal, one)
      .then((ended) => withOutputs(ended, work, room, journal, index))
      // the step could not even begin: its folder or its log failed
      .catch((cause: unknown) => ({ state: 'failed' as const, reason: caught(cause), bytes: 0 }))
    logs[at] = { step: index, bytes }
    if (result.state === 'failed') failed ??= result.reason
    journal.add({ type: 'step', step: index, at: Date.now(), ...result })
  }
  if (failed === undefined && !stopping.aborted)
    for (const { step, bytes } of await keepCaches(bench, hands, steps)) logs[step - work.firstStep] = { step, bytes }
  if (failed === undefined && !stopping.aborted)
    await handOn(hands).catch((cause: unknown) => {
      failed = caught(cause)
    })
  const stopped = stopping.aborted ? stopReason(stopping.reason, work) : undefined
  const end = { type: 'end', logs: logs.filter(({ bytes }) => bytes > 0) } as const
  if (stopped !== undefined) return { ...end, ...stopped }
  if (failed !== undefined) return { ...end, state: 'failed', reason: failed }
  return { ...end, state: 'success' }
}

/**
 * Stores the files of a successful job's cache steps, and reports it in their logs; returns the new lengths of these
 * logs. Failures do not affect the job, which has succeeded.
 */
async function keepCaches(
  bench: RunnerContext,
  hands: HandOver,
  steps: readonly Step[],
): Promise<{ step: number; bytes: number }[]> {
  const { room, work, signal, onAnswer } = hands
  const logs: { step: number; bytes: number }[] = []
  for (const [at, step] of steps.entries()) {
    const index = work.firstStep + at
    if (step.type !== 'cache' || signal.aborted) continue
    const { keepFiles, keyToKeep } = await import('./steps/cache.ts')
    const key = keyToKeep(room, index)
    if (key === undefined) continue
    const masked = [...work.masked, ...hiddenOf(room, index)]
    const { client, compressed } = bench
    const stream = logStream({ room, step: index, masked, client, compressed, signal, onAnswer, failed: () => {} })
    const say = logWriter(spoolOf(room, index), true)
    try {
      await keepFiles(hands, { step, index, key, say })
    } catch (cause) {
      if (signal.aborted || isOver(cause)) stream.stop()
      if (isOver(cause)) throw cause
      if (!signal.aborted) say(`Not cached: ${cause instanceof Refusal ? cause.text : messageOf(cause)}`)
    }
    const bytes = await stream.end().catch(() => bytesOf(room, index))
    writeBytes(room, index, bytes)
    logs.push({ step: index, bytes })
  }
  return logs
}

/** Reports a step's outputs for later steps, before its own end. */
async function withOutputs<E extends Outcome>(
  ended: E,
  work: Work,
  room: Workspace,
  journal: Journal,
  step: number,
): Promise<E> {
  try {
    const values = await readOutputs(room, step, [...work.masked, ...hiddenOf(room, step)])
    if (values.length > 0) reportOnce(journal, { type: 'output', step, values: Object.fromEntries(values) })
    return ended
  } catch (cause) {
    if (ended.state !== 'success') return ended
    return { ...ended, state: 'failed', reason: failureOf(cause, 'step').reason }
  }
}

interface OneStep {
  step: Step
  index: number
  known: { at: number } | undefined
  outputs: ReadonlyMap<string, string>
  signals: Signals & { onAnswer: StepContext['onAnswer'] }
  /** A line at the beginning of its log; '' for none. */
  note: string
}

type Outcome = { state: 'success' | 'failed' | 'aborted'; exitCode?: number; reason?: Reason }

async function runStep(
  bench: RunnerContext,
  work: Work,
  room: Workspace,
  journal: Journal,
  one: OneStep,
): Promise<Outcome & { bytes: number }> {
  const { step, index, known, outputs, signals } = one
  const adopted = known !== undefined
  const halt = new AbortController()
  makeStep(room, index)
  let mask: StepContext['mask'] | undefined
  if (one.note !== '') logWriter(spoolOf(room, index), true)(one.note)
  const stream = logStream({
    room,
    step: index,
    masked: [...work.masked, ...hiddenOf(room, index)],
    client: bench.client,
    compressed: bench.compressed,
    signal: signals.dropping,
    onAnswer: signals.onAnswer,
    failed: (cause) => {
      if (isOver(cause)) signals.stop('drop')
      else halt.abort(failureOf(cause, 'log'))
    },
  })
  const signal = AbortSignal.any([signals.stopping, signals.dropping, halt.signal])
  const limit = timeLimit(step, known?.at ?? Date.now(), halt)
  const outcome: Outcome = await bench.steps[step.type]({
    step,
    index,
    outputs,
    work,
    room,
    adopted,
    signal,
    say: logWriter(spoolOf(room, index), adopted),
    hide(secrets) {
      writeHidden(room, index, secrets)
      stream.hide(secrets)
      mask = undefined
    },
    mask: (text) => (mask ??= textMask([...work.masked, ...hiddenOf(room, index)]))(text),
    report: (event) => reportOnce(journal, event),
    reported: () => Promise.race([journal.flushed(), aborted(signal)]).then(() => signal.throwIfAborted()),
    onAnswer: signals.onAnswer,
    client: bench.client,
    executor: bench.executor,
    ca: bench.ca,
    outside: bench.outside,
    log: bench.log,
  })
    .catch((cause: unknown): Outcome => {
      if (isOver(cause)) signals.stop('drop')
      signals.dropping.throwIfAborted()
      const why: unknown = signal.aborted ? signal.reason : cause
      if (why instanceof Stop) return stopReason(why, work)
      const failure = failureOf(why, 'step')
      if (failure.reason.key === 'agents-defect')
        bench.log('error', 'a step failed in a way that nobody foresaw', {
          ...idOf(work),
          step: index,
          error: messageOf(why),
        })
      return { state: 'failed', reason: failure.reason }
    })
    .finally(() => clearTimeout(limit))
  const patience = giveUpLater(stream, signals.stopping, bench.leaseMs / 2)
  const ended = await stream
    .end()
    .then((bytes) => ({ bytes, outcome }))
    .catch((cause: unknown) => {
      signals.dropping.throwIfAborted()
      if (isOver(cause)) throw cause
      const bytes = stream.acknowledged()
      if (signals.stopping.aborted) return { bytes, outcome: stopReason(signals.stopping.reason, work) }
      return { bytes, outcome: { state: 'failed', reason: failureOf(cause, 'log').reason } as const }
    })
    .finally(patience)
  writeBytes(room, index, ended.bytes)
  return { ...ended.outcome, bytes: ended.bytes }
}

/** Ends a step at its own time limit, which is counted from its start, even if an earlier agent process started it. */
function timeLimit(step: Step, startedAt: number, halt: AbortController): NodeJS.Timeout | undefined {
  if (!('timeoutMinutes' in step) || step.timeoutMinutes === undefined) return undefined
  const minutes = step.timeoutMinutes
  const left = Math.max(0, startedAt + minutes * 60_000 - Date.now())
  return setTimeout(() => halt.abort(new StepFailure('agents-step-timed-out', { minutes })), left)
}

/** Keeps a log that the server does not accept from holding a stopped build's slot. Returns how to cancel it. */
function giveUpLater(stream: LogStream, stopping: AbortSignal, afterMs: number): () => void {
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    timer = setTimeout(() => stream.stop(), afterMs)
  }
  if (stopping.aborted) begin()
  else stopping.addEventListener('abort', begin, { once: true })
  return () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', begin)
  }
}

/** Whether the attempt is over, so that the server accepts no more about it. */
const isOver = (cause: unknown): boolean =>
  cause instanceof Refusal && ((cause.status === 409 && cause.key === 'agents-attempt-over') || cause.status === 404)

function failureOf(cause: unknown, what: 'log' | 'step'): StepFailure {
  if (cause instanceof StepFailure) return cause
  if (cause instanceof Refusal) {
    if (cause.status === 507) return new StepFailure('agents-server-storage-full')
    if (cause.status === 413 && what === 'log') return new StepFailure('agents-log-too-long')
    return new StepFailure('agents-server-refused', { text: cause.text === '' ? cause.key : cause.text })
  }
  if ((cause as NodeJS.ErrnoException | null)?.code === 'ENOSPC') return new StepFailure('agents-storage-full')
  return defect(cause)
}

function stopReason(why: unknown, work: Work): { state: 'failed' | 'aborted'; reason: Reason } {
  return why instanceof Stop && why.why === 'timeout'
    ? { state: 'failed', reason: reason('agents-build-timed-out', { minutes: Math.ceil(work.timeoutSeconds / 60) }) }
    : { state: 'aborted', reason: reason('agents-stopped') }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true })))
