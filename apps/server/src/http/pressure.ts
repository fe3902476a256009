import { Fault } from '../kernel/fault.ts'

/** Calls processed at once. Beyond it they would only wait for the database's few connections. */
const maxRunning = 400
/** An event loop that lags this much gains nothing from more calls. */
const maxLagMs = 1_000

export interface Pressure {
  /** Throws 503 where one more call would slow down all. Returns a function to call when the call is done. */
  enter: (call: string) => () => void
  /** The longest block of the event loop in the last second, and the calls that ran in that second. */
  last: () => { blockedMs: number; calls: string[] }
  /** Called after each second. */
  watch: (watcher: (second: { blockedMs: number; calls: string[] }) => void) => void
  /** Does work that is known to block the event loop while nobody waits, so that it does not count. */
  apart: (work: () => void) => void
  close: () => void
}

const tickMs = 20
const secondMs = 1_000

export function openPressure(limit = maxRunning, lagMs = maxLagMs): Pressure {
  // perf_hooks' own monitor misses blocks between its reset and its next tick
  let ticked = performance.now()
  let longest = 0
  /** Set only while calls arrive: only then does a block delay anybody, and an idle server wakes once a second. */
  let ticking: NodeJS.Timeout | undefined
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - ticked - (ticking ? tickMs : secondMs))
    ticked = now
  }
  const running = new Map<symbol, string>()
  let recent = new Set<string>()
  let second = { blockedMs: 0, calls: [] as string[] }
  const watchers: ((second: { blockedMs: number; calls: string[] }) => void)[] = []
  const sampling = setInterval(() => {
    // a block that lasts until the end of the second counts to that second, with its calls
    tick()
    if (recent.size === 0) {
      clearInterval(ticking)
      ticking = undefined
    }
    second = { blockedMs: Math.round(longest), calls: [...new Set([...recent, ...running.values()])] }
    recent = new Set()
    longest = 0
    for (const watcher of watchers) watcher(second)
  }, secondMs)
  sampling.unref()
  return {
    enter: (call) => {
      if (running.size >= limit || second.blockedMs > lagMs)
        throw new Fault('unavailable', 'server-busy', { seconds: 2 })
      if (!ticking) {
        ticked = performance.now()
        ticking = setInterval(tick, tickMs).unref()
      }
      const key = Symbol(call)
      running.set(key, call)
      recent.add(call)
      return () => running.delete(key)
    },
    last: () => second,
    watch: (watcher) => void watchers.push(watcher),
    apart: (work) => {
      tick()
      work()
      ticked = performance.now()
    },
    close: () => {
      clearInterval(sampling)
      clearInterval(ticking)
    },
  }
}
