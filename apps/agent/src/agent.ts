import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, Refusal, version } from './client.ts'
import { type Log, said } from './log.ts'
import { pollSeconds, type Work } from './protocol.ts'
import { defect, reason } from './reasons.ts'
import { type Bench, type Build, startBuild } from './runner.ts'
import type { Slots } from './slots.ts'
import type { Room } from './workspace.ts'

export interface AgentOptions {
  bench: Bench
  client: Client
  slots: Slots
  isolated: boolean
  log: Log
  /** Builds that an earlier life of the agent began. */
  left: { room: Room; work: Work }[]
}

export interface Agent {
  /** Builds in work. */
  running: () => number
  /** Asks for no more builds; those in work are left as they are. */
  stop: () => void
}

/** The wait after a change of the held builds, before a poll of its own reports it. */
const settleMs = 200

/**
 * Asks for builds and runs them. One poll is open for all idle slots; when another slot becomes idle, a second poll asks for
 * that one at once, because a poll that may carry work is never given up. What is held is told by a poll that asks for
 * nothing: through it the server says within a moment that a build was stopped.
 */
export function startAgent({ bench, client, slots, isolated, log, left }: AgentOptions): Agent {
  const builds = new Map<number, Build>()
  const preparing = new Set<number>()
  const closing = new AbortController()
  /** Slots that open polls may still fill. */
  let promised = 0

  const holding = (): { jobId: number; attempt: number }[] =>
    [...builds.values()].map(({ work }) => ({ jobId: work.jobId, attempt: work.attempt }))

  function begin(work: Work, room: Room): void {
    const build = startBuild(bench, work, room)
    builds.set(work.jobId, build)
    void build.done.then(() => {
      if (builds.get(work.jobId) === build) builds.delete(work.jobId)
      slots.free(room.slot)
      ask()
      tell()
    })
  }

  async function claim(free: number, signal: AbortSignal): Promise<void> {
    const answer = await client.call(
      'claim',
      {
        body: {
          version,
          osType: osType(),
          executors: ['process'],
          isolated,
          holding: holding(),
          free,
          wait: pollSeconds,
        },
      },
      { signal, idleMs: (pollSeconds + 15) * 1000 },
    )
    for (const jobId of answer.cancel) builds.get(jobId)?.stop('cancel')
    for (const jobId of answer.drop) builds.get(jobId)?.stop('drop')
    for (const work of answer.work) await accept(work)
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
      begin(work, await bench.executor.prepare(work, slot))
    } catch (cause) {
      if (slot !== undefined) slots.free(slot)
      log('error', 'a build could not be begun', { jobId: work.jobId, error: said(cause) })
      await refuse(client, work, cause)
    } finally {
      preparing.delete(work.jobId)
    }
  }

  /** Asks for builds for every idle slot that no poll asks for yet. */
  function ask(): void {
    const free = slots.idle - promised
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
   * Keeps one poll open that asks for nothing and reports the held builds; replacing it with a newer one loses nothing.
   */
  function tell(): void {
    const now = JSON.stringify(holding())
    if (closing.signal.aborted || (now === told && telling !== undefined)) return
    told = now
    telling?.abort()
    telling = undefined
    if (builds.size === 0) return
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
      log('warn', 'the server refuses this agent', { error: said(cause) })
      await sleep(cause instanceof Refusal ? 5000 : 1000, undefined, { signal }).catch(() => {})
    }
  }

  for (const { room, work } of left) {
    slots.retake(room.slot)
    begin(work, room)
  }
  ask()
  tell()

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
