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
  /** Limits the number of jobs further, where there may be fewer places than slots. */
  space?: Space
  isolated: boolean
  executors: ExecutorName[]
  /** The agent's own labels; the server may add others. */
  labels: string[]
  machine: () => Machine
  /** Empties workspaces and caches; called while no build runs. */
  clean: () => Promise<void>
  /** Undefined: this agent offers no terminals. */
  terminals?: Terminals
  log: Log
  /** Builds that an earlier agent process has started. */
  left: LeftJob[]
}

export interface Agent {
  /** The number of running builds. */
  running: () => number
  /** Requests no more builds; running ones continue. */
  stop: () => void
}

/** Milliseconds after a change of the running builds until a separate poll reports it. */
const settleMs = 200

/** Milliseconds between two reports about the machine, whose free disk changes. */
const machineMs = 60_000

/**
 * Requests builds and runs them. One poll is open for all idle slots. When another slot becomes idle, a second poll
 * requests a build for it at once, because a poll that may bring a build is never aborted. Another poll requests
 * nothing and reports the running builds: in its answer the server quickly reports that a build was stopped.
 */
export function startAgent(options: AgentOptions): Agent {
  const { host, client, slots, space, isolated, executors, log, left } = options
  const builds = new Map<number, Build>()
  const preparing = new Set<number>()
  const closing = new AbortController()
  /** The number of slots that open polls may still fill. */
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

  let machineSentAt = -Infinity
  let cleaned = false

  /** False if the server refuses the field: it was set back to an older version that does not know it. */
  let acceptsWaits = true

  function about(): Pick<Claimed, 'labels' | 'machine' | 'cleaned' | 'waits'> {
    const due = performance.now() - machineSentAt > machineMs
    const waits = acceptsWaits ? (space?.waits() ?? '').slice(0, 1000) : ''
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
    const jobs = holding()
    const answer = await client.call(
      'claim',
      {
        body: {
          version,
          osType: osType(),
          executors,
          isolated,
          holding: jobs,
          free,
          wait: pollSeconds,
          ...self,
        },
      },
      { signal, idleMs: (pollSeconds + 15) * 1000 },
    )
    if (self.machine) machineSentAt = performance.now()
    if (self.cleaned) cleaned = false
    // another poll may have brought the next attempt meanwhile, which this answer does not mean
    const meant = (jobId: number): Build | undefined => {
      const build = builds.get(jobId)
      return jobs.some((one) => one.jobId === jobId && one.attempt === build?.work.attempt) ? build : undefined
    }
    for (const jobId of answer.cancel) meant(jobId)?.stop('cancel')
    for (const jobId of answer.drop) meant(jobId)?.stop('drop')
    for (const work of answer.work) await accept(work)
    if (answer.clean) await clean()
    // a server that was set back to an older version does not send them
    for (const one of answer.terminals ?? []) {
      const build = builds.get(one.jobId)
      options.terminals?.open(one, build?.work.attempt === one.attempt ? build.room : undefined)
    }
  }

  async function accept(work: Work): Promise<void> {
    // Two polls may return the same build, because the server repeats a build until it is reported as held. A newer
    // attempt means that the lease has expired unnoticed.
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

  /** Requests builds for the idle slots that no open poll asks for. */
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
  let reported = ''

  /**
   * Keeps one poll open that requests nothing and reports the running builds, or why no more can run; replacing it
   * loses nothing.
   */
  function tell(): void {
    const waits = space?.waits() ?? ''
    const now = JSON.stringify([holding(), waits])
    if (closing.signal.aborted || (now === reported && telling !== undefined)) return
    reported = now
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
      if (cause instanceof Refusal && cause.status === 400) acceptsWaits = false
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

/** Fails a build whose folder could not be created, instead of letting its lease expire. */
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
