import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AskedTerminal } from '@gantry/contract/agents/terminals'
import type { KeptBounds } from '../config.ts'
import type { Piped } from '../executors/piped.ts'
import type { ProcessExecutor } from '../executors/process.ts'
import { killCarriers, send } from '../executors/process-tree.ts'
import { messageOf, type Log } from '../log.ts'
import { masker } from '../mask.ts'
import { hiddenOf } from '../progress.ts'
import type { Reason, Work } from '../protocol.ts'
import { reason, StepFailure, withoutPaths } from '../reasons.ts'
import type { Slots } from '../slots.ts'
import type { KeptWorkspaces } from '../workspace/kept.ts'
import { removeRoom, type Workspace } from '../workspace/workspace.ts'
import { dial, type Frame, type Line, type Server } from './dial.ts'
import { cookieOf, terminalScript } from './script.ts'

/** Users' terminals, in a running step or in the workspace that a failed job has left. They end with the agent. */
export interface Terminals {
  /** `room`: the folder of the job, if it runs. */
  open: (request: AskedTerminal, room: Workspace | undefined) => void
}

export interface Given {
  server: Server
  dir: string
  executor: ProcessExecutor
  kept: KeptWorkspaces | undefined
  bounds: KeptBounds
  /** Slots for shells in kept workspaces. */
  slots: Slots
  log: Log
}

/** A shell that was opened. */
interface Opened {
  piped: Piped
  /** Secrets that came during the step. */
  hidden: string[]
  /** The reason why it ended with this code; null if it ended by itself. */
  why: (code: number) => Promise<Reason | null>
  close: () => Promise<void>
}

/** The most terminals of an agent at a time. */
const most = 20
/** Milliseconds for which output that may begin a secret is held back; after that a user is probably typing. */
const settleMs = 50
/** The longest time from the end of a step's first process until the step has ended. */
const settledMs = 1000
/** The server closes first, with the reason; after this time the agent does. */
const graceMs = 10_000

export function terminals(given: Given): Terminals {
  const { server, log } = given
  // left by an earlier agent process; no process runs there any more
  const rest = join(given.dir, 'terminals')
  removeRoom(rest, (cause) => log('warn', 'a rest of terminals was not removed', { error: messageOf(cause) }))
  const open = new Set<string>()

  async function serve(request: AskedTerminal, room: Workspace | undefined): Promise<void> {
    const line = await dial(server, request.id)
    if (line === undefined) return
    const refuse = (why: Reason): void => line.end({ type: 'exit', code: -1, reason: why })
    if (open.size > most) return refuse(reason('agents-terminal-many', { count: most }))
    let opened: Opened
    try {
      opened = await (request.step === null ? inKept(given, request) : inStep(given, request, request.step, room))
    } catch (cause) {
      if (!(cause instanceof StepFailure)) log('error', 'a terminal could not be opened', { error: messageOf(cause) })
      return refuse(
        cause instanceof StepFailure ? cause.reason : reason('agents-terminal-failed', { why: withoutPaths(cause) }),
      )
    }
    log('info', 'a terminal is open', { jobId: request.jobId, step: request.step })
    const late = setTimeout(() => void opened.close(), request.seconds * 1000 + graceMs)
    void line.closed.then(opened.close)
    try {
      line.hear((frame) => type(line, opened.piped, frame))
      await show(line, opened.piped, [...request.masked, ...opened.hidden])
      const code = await opened.piped.ended
      line.end({ type: 'exit', code, reason: await opened.why(code) })
    } finally {
      clearTimeout(late)
      await opened.close()
    }
  }

  return {
    open(request, room) {
      if (open.has(request.id)) return
      open.add(request.id)
      void serve(request, room)
        .catch((cause: unknown) => log('error', 'a terminal failed', { jobId: request.jobId, error: messageOf(cause) }))
        .then(() => open.delete(request.id))
    },
  }
}

function type(line: Line, { input, sizes }: Piped, frame: Frame): void {
  if (frame.type === 'resize') sizes.write(`${frame.columns} ${frame.rows}\n`)
  else if (!input.write(frame.data)) {
    line.pause()
    for (const event of ['drain', 'close']) input.once(event, line.resume)
  }
}

/** Sends the output with secrets masked as in a log, no faster than it is accepted. */
async function show(line: Line, { output, errors }: Piped, secrets: string[]): Promise<void> {
  const mask = masker(secrets)
  let timer: NodeJS.Timeout | undefined
  const tell = async (bytes: Buffer): Promise<void> => {
    if (bytes.length > 0) await line.send(bytes)
  }
  const all = async (from: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of from) {
      clearTimeout(timer)
      await tell(mask.push(chunk))
      clearTimeout(timer)
      timer = setTimeout(() => void tell(mask.end()), settleMs)
    }
  }
  await Promise.all([all(output as AsyncIterable<Buffer>), all(errors as AsyncIterable<Buffer>)]).catch(() => {})
  clearTimeout(timer)
  await tell(mask.end())
}

async function inStep({ executor }: Given, request: AskedTerminal, step: number, room?: Workspace): Promise<Opened> {
  const over = new StepFailure('agents-terminal-step-over')
  if (room === undefined) throw over
  const name = `terminal-${randomUUID()}`
  const script = terminalScript(request.id, '')
  const piped = await executor.enter({ room, step }, { shell: request.shell, name, script })
  if (piped === undefined) throw over
  let closing = false
  return {
    piped,
    hidden: hiddenOf(room, step),
    async why(code) {
      // when a step ends, the shell may be killed slightly earlier than the step's other processes
      const until = performance.now() + (code < 0 || code > 128 ? settledMs : 0)
      while (executor.runs({ room, step })) {
        if (performance.now() >= until) return null
        await sleep(20)
      }
      return reason('agents-terminal-step-ended')
    },
    async close() {
      if (closing) return
      closing = true
      await killCarriers(cookieOf(request.id))
      end(piped)
      rmSync(join(room.dir, 'fs/steps', String(step), name), { force: true })
    },
  }
}

async function inKept({ dir, executor, kept, bounds, slots, log }: Given, request: AskedTerminal): Promise<Opened> {
  const gone = new StepFailure('agents-terminal-workspace-gone', {
    count: bounds.count,
    hours: Math.round(bounds.ms / 3_600_000),
  })
  const { jobId, attempt, workspace, environment, shell } = request
  if (!kept || workspace === null) throw gone
  const slot = slots.take()
  if (slot === undefined) throw new StepFailure('agents-terminal-many', { count: most })
  let taken = false
  let close = (): Promise<void> => Promise.resolve()
  const lent = await kept.lend(workspace, slot.uid, () => {
    taken = true
    return close()
  })
  if (lent === undefined || lent === 'lent') {
    slots.free(slot)
    throw lent === 'lent' ? new StepFailure('agents-terminal-workspace-open') : gone
  }
  const work = { jobId, attempt } as Work
  let closed: Promise<void> | undefined
  let piped: Piped | undefined
  const place = join(dir, 'terminals', request.id)
  const remove = (): void =>
    removeRoom(place, (cause) => log('warn', 'a rest of a terminal was not removed', { error: messageOf(cause) }))
  const room = await executor.prepare(work, slot, place).catch((cause: unknown) => {
    lent.back()
    slots.free(slot)
    throw cause
  })
  const watch = executor.watch({ room: { ...room, dir: lent.work }, step: 0 }, () => void close())
  close = () =>
    (closed ??= (async () => {
      if (piped) {
        end(piped)
        await piped.ended
      }
      watch()
      await executor.cleanup(room)
      remove()
      lent.back()
      slots.free(slot)
    })().catch((cause: unknown) => log('error', 'a terminal was not removed', { jobId, error: messageOf(cause) })))
  try {
    const note = 'This is the workspace that the failed job has left, without .git and without its secrets.'
    const command = { step: 0, shell, script: terminalScript(request.id, note), environment }
    piped = await executor.open(room, command, lent.work)
  } catch (cause) {
    await close()
    throw cause
  }
  return { piped, hidden: [], why: async () => (taken ? reason('agents-terminal-workspace-taken') : null), close }
}

function end({ child }: Piped): void {
  if (child.exitCode === null && child.signalCode === null) send(-(child.pid ?? 0), 'SIGKILL')
}
