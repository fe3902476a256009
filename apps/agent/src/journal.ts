import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, type Client } from './client.ts'
import type { AgentEvent } from './protocol.ts'
import { attempt, type Workspace } from './workspace/workspace.ts'

/**
 * The events of a build, in order. Each event is stored in the build's folder before it is sent, so that a restarted
 * agent continues with the same numbers; the server ignores events that it has seen already.
 */
export interface Journal {
  /** All events so far, including those of an earlier agent process. */
  readonly events: readonly AgentEvent[]
  add: (event: AgentEvent) => void
  /** Resolves when the server has acknowledged everything that was added. */
  flushed: () => Promise<void>
  stop: () => void
}

export interface JournalOptions {
  room: Workspace
  client: Client
  /** The longest time between two calls about the build, whose lease depends on them. */
  beatMs: number
  signal: AbortSignal
  /** Masks the texts of an event. */
  mask: (event: AgentEvent) => AgentEvent
  /** Called with every answer of the server about this build, including answers to other calls. */
  onAnswer: (answer: { cancel: boolean }) => void
  failed: (cause: unknown) => void
}

const batch = 500

/** The start of a step is reported after this time: if the step has ended by then, one call reports both. */
const gatherMs = 15

export function journal({ room, client, beatMs, signal, mask, onAnswer, failed }: JournalOptions): Journal {
  const file = join(room.dir, 'events')
  const events: AgentEvent[] = readEvents(file)
  let acknowledged = 0
  let stopped = false
  let wake = (): void => {}
  let waiting: (() => void)[] = []

  async function send(): Promise<void> {
    let restarted = 0
    // a new build has nothing to report yet; an adopted one needs its lease extended
    if (events.length === 0) await pause()
    for (;;) {
      if (stopped) return
      const some = events.slice(acknowledged, acknowledged + batch)
      try {
        const answer = await client.call(
          'events',
          {
            params: { jobId: room.jobId },
            body: { attempt: room.attempt, first: acknowledged + 1, events: some },
          },
          { signal },
        )
        acknowledged += some.length
        onAnswer(answer)
      } catch (cause) {
        // a server that was restored to an older state lacks events, so it gets all of them again
        if (!(cause instanceof Refusal) || cause.status !== 409 || cause.key === 'agents-attempt-over') throw cause
        if (acknowledged === 0 || ++restarted > 3) throw cause
        acknowledged = 0
      }
      if (acknowledged < events.length) continue
      for (const done of waiting) done()
      waiting = []
      await pause()
    }
  }

  async function pause(): Promise<void> {
    const beat = new AbortController()
    wake = () => beat.abort()
    await sleep(beatMs, undefined, { signal: beat.signal }).catch(() => {})
  }

  send().catch((cause: unknown) => {
    if (!stopped && !signal.aborted) failed(cause)
  })

  return {
    events,
    add(given) {
      const event = mask(given)
      // on a full disk the build must still end properly; the event would only be missing after a restart of the agent
      attempt(() => appendFileSync(file, `${JSON.stringify(event)}\n`, { mode: 0o600 }))
      events.push(event)
      if (event.type === 'step' && event.state === 'building') setTimeout(() => wake(), gatherMs)
      else wake()
    },
    flushed: () => (acknowledged >= events.length ? Promise.resolve() : new Promise((done) => waiting.push(done))),
    stop() {
      stopped = true
      wake()
    },
  }
}

/** Skips the last line if it is incomplete because the agent was killed: it was never sent. */
function readEvents(file: string): AgentEvent[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  const lines = text.split('\n')
  lines.pop()
  return lines.map((line) => JSON.parse(line) as AgentEvent)
}
