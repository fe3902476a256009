import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutorName } from '@gantry/contract/pipelines/definition'
import { type Client, Refusal, version } from './client.ts'
import { type Log, messageOf } from './log.ts'
import type { Machine } from './registration/machine.ts'
import { type Claimed, pollSeconds, type Work } from './protocol.ts'
import { defect, reason } from './reasons.ts'
import type { Build, Host, LeftJob, Space } from './runner.ts'
import type { Slots } from './slots.ts'
import type { Terminals } from './terminals/terminals.ts'

export interface AgentOptions {
  host: Host
  client: Client
  slots: Slots
  /** Where there is less room than slots, now and then. */
  space?: Space
  isolated: boolean
  executors: ExecutorName[]
  /** Its own labels, beside those that the server gives it. */
  labels: string[]
  machine: () => Machine
  /** Empties workspaces and caches; called while no build is in work. */
  clean: () => Promise<void>
  /** Undefined: this agent opens none. */
  terminals?: Terminals
  log: Log
  /** Builds that an earlier life of the agent began. */
  left: LeftJob[]
}

export interface Agent {
  /** Builds in work. */
  running: () => number
  /** Asks for no more builds; those in work are left as they are. */
  stop: () => void
}

/** The wait after a change of the held builds, before a poll of its own reports it. */
const settleMs = 200

/** How often the server hears of the machine: its free disk changes. */
const machineMs = 60_000

/**
 * Asks for builds and runs them. One poll is open for all idle slots; when another slot becomes idle, a second poll asks for
 * that one at once, because a poll that may carry work is never given up. What is held is told by a poll that asks for
 * nothing: through it the server says within a moment that a build was stopped.
 */
export function startAgent(options: AgentOptions): Agent {
  const { host, client, slots, space, isolated, executors, log, left } = options
  const builds = new Map<number, Build>()
  const preparing = new Set<number>()
  const closing = new AbortController()
  /** Slots that open polls may still fill. */
  let promised = 0

  const holding = (): { jobId: number; attempt: number }[] =>
    [...builds.values()].map(({ work }) => ({ jobId: work.jobId, attempt: work.attempt }))

  function begin(build: Build): void {
    const { work, room } = build
    builds.set(work.jobId, build)
    void build.done.then(() => {
      if (builds.get(work.jobId) === build) builds.delete(work.jobId)
      slots.free(room.slot)
      ask()
      tell()
    })
  }

  let toldMachineAt = -Infinity
  let cleaned = false

  /** A server that was set back to an older version does not know of it. */
  let toldWaits = true

  function about(): Pick<Claimed, 'labels' | 'machine' | 'cleaned' | 'waits'> {
    const due = performance.now() - toldMachineAt > machineMs
    const waits = toldWaits ? (space?.waits() ?? '').slice(0, 1000) : ''
    return {
      labels: options.labels,
      ...(due && { machine: options.machine() }),
      ...(cleaned && { cleaned }),
      ...(waits !== '' && { waits }),
    }
  }

  async function clean(): Promise<void> {
    if (builds.size > 0 || preparing.size > 0) return
    await options.clean()
    cleaned = true
    log('info', 'workspaces and caches are empty')
  }

  async function claim(free: number, signal: AbortSignal): Promise<void> {
    const self = about()
    const asked = holding()
    const answer = await client.call(
      'claim',
      {
        body: {
          version,
          osType: osType(),
          executors,
          isolated,
          holding: asked,
          free,
          wait: pollSeconds,
          ...self,
        },
      },
      { signal, idleMs: (pollSeconds + 15) * 1000 },
    )
    if (self.machine) toldMachineAt = performance.now()
    if (self.cleaned) cleaned = false
    // by now another poll may have brought the next attempt, of which this answer does not speak
    const meant = (jobId: number): Build | undefined => {
      const build = builds.get(jobId)
      return asked.some((one) => one.jobId === jobId && one.attempt === build?.work.attempt) ? build : undefined
    }
    for (const jobId of answer.cancel) meant(jobId)?.stop('cancel')
    for (const jobId of answer.drop) meant(jobId)?.stop('drop')
    for (const work of answer.work) await accept(work)
    if (answer.clean) await clean()
    // a server that was set back to an older version does not know of them
    for (const one of answer.terminals ?? []) {
      const build = builds.get(one.jobId)
      options.terminals?.open(one, build?.work.attempt === one.attempt ? build.room : undefined)
    }
  }

  async function accept(work: Work): Promise<void> {
    // Two polls may return the same build, because the server repeats what it has not heard of. A newer attempt means
    // that the lease expired unnoticed.
    const before = builds.get(work.jobId)
    if (before?.work.attempt === work.attempt || preparing.has(work.jobId)) return
    preparing.add(work.jobId)
    before?.stop('drop')
    await before?.done
    const slot = slots.take()
    try {
      if (slot === undefined) return
      begin(host.begin(work, await host.prepare(work, slot)))
    } catch (cause) {
      if (slot !== undefined) slots.free(slot)
      log('error', 'a build could not be begun', { jobId: work.jobId, error: messageOf(cause) })
      await refuse(client, work, cause)
    } finally {
      preparing.delete(work.jobId)
    }
  }

  /** Asks for builds for every idle slot that no poll asks for yet. */
  function ask(): void {
    const free = Math.min(slots.idle, space?.most() ?? Infinity) - promised
    if (free <= 0 || closing.signal.aborted) return
    promised += free
    void poll(free, closing.signal).then(() => {
      promised -= free
      ask()
      tell()
    })
  }

  let telling: AbortController | undefined
  let told = ''

  /**
   * Keeps one poll open that asks for nothing and reports the held builds, or why there is no room for any; replacing it with a newer one loses nothing.
   */
  function tell(): void {
    const waits = space?.waits() ?? ''
    const now = JSON.stringify([holding(), waits])
    if (closing.signal.aborted || (now === told && telling !== undefined)) return
    told = now
    telling?.abort()
    telling = undefined
    if (builds.size === 0 && waits === '') return
    const current = new AbortController()
    telling = current
    const signal = AbortSignal.any([current.signal, closing.signal])
    void sleep(settleMs, undefined, { signal })
      .then(() => poll(0, signal))
      .catch(() => {})
      .then(() => {
        if (telling !== current) return
        telling = undefined
        tell()
      })
  }

  async function poll(free: number, signal: AbortSignal): Promise<void> {
    try {
      await claim(free, signal)
    } catch (cause) {
      if (signal.aborted) return
      log('warn', 'the server refuses this agent', { error: messageOf(cause) })
      if (cause instanceof Refusal && cause.status === 400) toldWaits = false
      await sleep(cause instanceof Refusal ? 5000 : 1000, undefined, { signal }).catch(() => {})
    }
  }

  for (const { room, begin: again } of left) {
    slots.retake(room.slot)
    begin(again())
  }
  ask()
  tell()
  space?.watch(() => {
    ask()
    tell()
  })

  return {
    running: () => builds.size,
    stop: () => closing.abort(),
  }
}

const osType = (): 'linux' | 'windows' | 'darwin' =>
  process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'darwin' : 'linux'

/** A build that could not even get a room: it fails with the cause, instead of waiting for its lease to run out. */
async function refuse(client: Client, work: Work, cause: unknown): Promise<void> {
  const full = (cause as NodeJS.ErrnoException).code === 'ENOSPC'
  await client
    .call('events', {
      params: { jobId: work.jobId },
      body: {
        attempt: work.attempt,
        first: 1,
        events: [
          {
            type: 'end',
            state: 'failed',
            logs: [],
            reason: full ? reason('agents-storage-full') : defect(cause).reason,
          },
        ],
      },
    })
    .catch(() => {})
}
