import type { AgentTells } from '@gantry/tunnel/frames'
import { type Log, messageOf } from '../log.ts'
import { type Link, RefusedError } from './link.ts'

export interface Links {
  /** Reports to every connection, to present and future ones. */
  tell: (report: AgentTells) => void
  /** Opens no more connections, lets running streams finish for this time, and closes. */
  stop: (withinMs: number) => Promise<void>
}

interface Options {
  open: (onReplicas: (count: number) => void) => Promise<Link>
  log: Log
  random?: () => number
}

const longest = 30_000
/** A connection that ends sooner is a failure: a server that hangs up at once must not be called every second. */
const steadyMs = 10_000

/** From 0.5 to 30 s, half of it random, so that the agents of many clusters do not all reconnect at once. */
export const restAfter = (failures: number, random: number): number =>
  Math.min(longest, 1000 * 2 ** Math.min(failures - 1, 10)) * (0.5 + random / 2)

/**
 * Keeps one connection to each replica of the server. All have one address, so it opens one after another until each
 * has answered; a second connection to a replica is closed, and retried after growing pauses.
 */
export function keepLinks({ open, log, random = Math.random }: Options): Links {
  const links = new Map<string, Link>()
  let replicas = 1
  const stop = new AbortController()
  let wake = () => {}
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const forever = (): Promise<void> => new Promise((resolve) => (wake = resolve))
  const onReplicas = (count: number) => {
    if (count !== replicas) log('info', 'the server has another number of replicas', { replicas: count })
    replicas = count
    wake()
  }

  /** Consecutive attempts that reached no new replica. */
  let vain = 0
  let trouble = false
  async function attempt(): Promise<void> {
    const before = vain
    try {
      const link = await open(onReplicas)
      const began = Date.now()
      if (stop.signal.aborted || links.has(link.replica)) {
        link.close('double')
        vain += 1
        return
      }
      vain = 0
      trouble = false
      links.set(link.replica, link)
      log('info', 'connected', { replica: link.replica, connections: links.size, replicas })
      void link.ended.then(({ reason, refused }) => {
        links.delete(link.replica)
        vain = refused ? 6 : Date.now() - began < steadyMs ? before + 1 : 1
        if (!stop.signal.aborted)
          log('warn', 'a connection ended', { replica: link.replica, reason, connections: links.size })
        if (links.size === 0) wake()
      })
    } catch (error) {
      // a refused token becomes valid only when somebody changes it, so the pause is long
      vain = error instanceof RefusedError ? 6 : vain + 1
      if (!trouble) log('warn', 'the server cannot be reached', { error: messageOf(error) })
      trouble = true
    }
  }

  const running = (async () => {
    while (!stop.signal.aborted) {
      if (links.size >= replicas) {
        await Promise.race([forever(), ...[...links.values()].map(({ ended }) => ended)])
        continue
      }
      if (vain > 0) await rest(restAfter(vain, random()))
      if (!stop.signal.aborted) await attempt()
    }
  })()

  return {
    tell: (report) => links.forEach((link) => link.tell(report)),
    stop: async (withinMs) => {
      stop.abort()
      wake()
      const until = Date.now() + withinMs
      while (Date.now() < until && [...links.values()].some((link) => link.streams() > 0))
        await new Promise((later) => setTimeout(later, 100))
      const all = [...links.values()]
      for (const link of all) link.close('the agent ends')
      await Promise.race([
        Promise.all([running, ...all.map(({ ended }) => ended)]),
        new Promise((later) => setTimeout(later, 2500)),
      ])
    },
  }
}
