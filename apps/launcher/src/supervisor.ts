import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { initialLifecycle, next, type Command, type Occurrence } from './lifecycle.ts'

export interface Part {
  name: string
  /** The product cannot run without this part: see lifecycle.ts. */
  mustStart: boolean
  /** Called for each start; first clears away what is left of the previous one. */
  spawn: () => Promise<ChildProcess>
  isReady: (pid: number) => Promise<boolean>
  askWith: NodeJS.Signals
  /** How long the part may take to end once it was asked to. */
  graceMs: number
  killWith: NodeJS.Signals
}

export interface Supervised {
  name: string
  start: () => void
  /** Resolves when the part is up for the first time; rejects if it gave up before. */
  up: Promise<void>
  /** Resolves when the part has ended, by itself or killed. Nothing is started after this call. */
  stop: () => Promise<void>
  /** Kills the part without asking it to end first, and without waiting. */
  kill: () => void
}

export class GaveUp extends Error {}

const steadyMs = 30_000
const pollMs = 25

/** Keeps one part running. `report` gets a line for each event that the owner may want to know. */
export const supervise = (part: Part, report: (line: string) => void): Supervised => {
  let state = initialLifecycle
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const up = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  // a part that is stopped before it was up gives up without anybody who waits for it
  up.promise.catch(() => undefined)

  const occur = (occurrence: Occurrence): void => {
    const [after, command] = next(state, occurrence, part.mustStart)
    if (after.phase !== state.phase) clearTimeout(timer)
    state = after
    if (command) obey(command)
  }

  const obey = (command: Command): void => {
    switch (command.do) {
      case 'spawn':
        void spawn()
        return
      case 'pause':
        timer = setTimeout(() => occur('pause-over'), command.ms)
        return
      case 'ask-to-end':
        // undefined while it is being spawned: spawn() then sends the signal
        child?.kill(part.askWith)
        timer = setTimeout(() => child?.kill(part.killWith), part.graceMs)
        return
      case 'ended':
        ended.resolve()
        return
      case 'give-up':
        ended.resolve()
        up.reject(new GaveUp(part.name))
    }
  }

  const over = (code: number | null, reason: string): void => {
    child = undefined
    const willPause = state.phase === 'starting' || state.phase === 'up'
    occur(code === null ? 'killed' : 'left')
    if (willPause && state.phase === 'pausing') report(`${part.name} ended (${reason}); it is started again.`)
  }

  const spawn = async (): Promise<void> => {
    let made: ChildProcess
    try {
      made = await part.spawn()
    } catch (error) {
      return over(null, (error as Error).message)
    }
    child = made
    made.once('error', (error) => {
      if (made.pid === undefined) over(null, error.message)
    })
    made.once('exit', (code, signal) => over(code, signal ?? `exit code ${code}`))
    if (state.phase === 'stopping') made.kill(part.askWith)
    await untilReady(made)
  }

  const untilReady = async (made: ChildProcess): Promise<void> => {
    const isStarting = () => state.phase === 'starting' && child === made
    while (made.pid !== undefined && isStarting()) {
      if (await part.isReady(made.pid)) {
        if (!isStarting()) return
        if (state.everUp) report(`${part.name} is back.`)
        occur('ready')
        timer = setTimeout(() => occur('steady'), steadyMs)
        up.resolve()
        return
      }
      await sleep(pollMs)
    }
  }

  return {
    name: part.name,
    start: () => occur('start'),
    up: up.promise,
    stop: async () => {
      if (state.phase === 'down') return
      occur('stop')
      await ended.promise
    },
    kill: () => {
      child?.kill(part.killWith)
    },
  }
}
