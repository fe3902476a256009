import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AskedTerminal } from '@gantry/contract/agents/terminals'
import type { KeptBounds } from '../config.ts'
import type { Piped } from '../executors/piped.ts'
import type { ProcessExecutor } from '../executors/process.ts'
import { messageOf, type Log } from '../log.ts'
import { hiddenOf } from '../progress.ts'
import type { Work } from '../protocol.ts'
import { reason, StepFailure } from '../reasons.ts'
import type { Slots } from '../slots.ts'
import type { KeptWorkspaces } from '../workspace/kept.ts'
import { removeRoom, type Workspace } from '../workspace/workspace.ts'
import { maxTerminals, type Opened, type Opening, type OpenShell } from './terminals.ts'

interface Given {
  dir: string
  executor: ProcessExecutor
  kept: KeptWorkspaces | undefined
  bounds: KeptBounds
  /** Slots for shells in kept workspaces. */
  slots: Slots
  log: Log
}

/** The longest time from the end of a step's first process until the step has ended; a container takes its time. */
const settledMs = 5000

/** Opens shells in steps and kept workspaces of this machine, in processes and containers. */
export function shellsOfMachine(given: Given): OpenShell {
  // left by an earlier agent process; no process runs there any more
  removeRoom(join(given.dir, 'terminals'), (cause) =>
    given.log('warn', 'a rest of terminals was not removed', { error: messageOf(cause) }),
  )
  return (request, room, opening) =>
    request.step === null ? inKept(given, request, opening) : inStep(given, request, request.step, room)
}

async function inStep({ executor }: Given, request: AskedTerminal, step: number, room?: Workspace): Promise<Opened> {
  const over = new StepFailure('agents-terminal-step-over')
  if (room === undefined) throw over
  const running = { room, step }
  const piped = await executor.enter(running, request.shell, { id: request.id, note: '' })
  if (piped === undefined) throw over
  let closing = false
  return {
    piped,
    hidden: hiddenOf(room, step),
    async why(code) {
      // when a step ends, the shell may be killed slightly earlier than the step's other processes
      const until = performance.now() + (code < 0 || code > 128 ? settledMs : 0)
      while (executor.runs(running)) {
        if (performance.now() >= until) return null
        await sleep(20)
      }
      return reason('agents-terminal-step-ended')
    },
    async close() {
      if (closing) return
      closing = true
      await executor.leave(running, request)
      piped.kill()
    },
  }
}

async function inKept(
  { dir, executor, kept, bounds, slots, log }: Given,
  request: AskedTerminal,
  opening: Opening,
): Promise<Opened> {
  const gone = new StepFailure('agents-terminal-workspace-gone', {
    count: bounds.count,
    hours: Math.round(bounds.ms / 3_600_000),
  })
  const { jobId, attempt, workspace, environment, shell, container } = request
  if (!kept || workspace === null) throw gone
  const slot = slots.take()
  if (slot === undefined) throw new StepFailure('agents-terminal-many', { count: maxTerminals })
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
      piped?.kill()
      await piped?.ended
      watch()
      await executor.cleanup(room)
      remove()
      lent.back()
      slots.free(slot)
    })().catch((cause: unknown) => log('error', 'a terminal was not removed', { jobId, error: messageOf(cause) })))
  try {
    const note = 'This is the workspace that the failed job has left, without .git and without its secrets.'
    const command = { step: 0, shell, environment, ...(container && { container }) }
    piped = await executor.open(room, command, lent.work, { id: request.id, note }, opening)
  } catch (cause) {
    await close()
    throw cause
  }
  return { piped, hidden: [], why: async () => (taken ? reason('agents-terminal-workspace-taken') : null), close }
}
