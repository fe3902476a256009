import { addressKey } from '../kernel/address-key.ts'
import { Fault } from '../kernel/fault.ts'

/** So many calls at once, and so many a second in the long run. For one person's browser with several tabs that is plenty. */
const known = { burst: 400, perSecond: 60 }
/** Visitors share addresses behind a company's proxy. */
const unknown = { burst: 120, perSecond: 10 }

/** More callers than one replica serves at a time; the longest unseen is forgotten. */
const remembered = 20_000

interface Bucket {
  left: number
  at: number
}

/**
 * Bounds each caller on this replica: what must be counted exactly and over all replicas (failed logins) counts in the
 * database instead. Answers a function that throws 429 where the caller has used up what it has.
 */
export function callLimiter(now: () => number = Date.now): (caller: { id: number; ip: string }) => void {
  const buckets = new Map<string, Bucket>()
  return ({ id, ip }) => {
    const { burst, perSecond } = id > 0 ? known : unknown
    const key = id > 0 ? `u${id}` : addressKey(ip)
    const bucket = buckets.get(key) ?? { left: burst, at: now() }
    bucket.left = Math.min(burst, bucket.left + ((now() - bucket.at) / 1000) * perSecond)
    bucket.at = now()
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > remembered)
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest)
        break
      }
    if (bucket.left < 1)
      throw new Fault('tooMany', 'rate-limited', { seconds: Math.ceil((1 - bucket.left) / perSecond) })
    bucket.left -= 1
  }
}

/** Calls that are worked on at once. Beyond it they would only wait for the database's few connections. */
const maxRunning = 400
/** An event loop that is this late serves nobody by taking more. */
const maxLagMs = 1_000

export interface Pressure {
  /** Throws 503 where taking one more call would slow all. Answers what to call when the call is done. */
  enter: (call: string) => () => void
  /** The longest block of the event loop in the last second, and what was worked on in that second. */
  last: () => { blockedMs: number; calls: string[] }
  /** Told after each second. */
  watch: (watcher: (second: { blockedMs: number; calls: string[] }) => void) => void
  close: () => void
}

const tickMs = 20

export function openPressure(limit = maxRunning): Pressure {
  // not perf_hooks' own monitor: what blocks between its reset and its next tick is in none of its figures
  let ticked = performance.now()
  let longest = 0
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - ticked - tickMs)
    ticked = now
  }
  const ticking = setInterval(tick, tickMs)
  ticking.unref()
  const running = new Map<symbol, string>()
  let recent = new Set<string>()
  let second = { blockedMs: 0, calls: [] as string[] }
  const watchers: ((second: { blockedMs: number; calls: string[] }) => void)[] = []
  const sampling = setInterval(() => {
    // a block that ends as the second does belongs to it, with its calls
    tick()
    second = { blockedMs: Math.round(longest), calls: [...new Set([...recent, ...running.values()])] }
    recent = new Set()
    longest = 0
    for (const watcher of watchers) watcher(second)
  }, 1_000)
  sampling.unref()
  return {
    enter: (call) => {
      if (running.size >= limit || second.blockedMs > maxLagMs)
        throw new Fault('unavailable', 'server-busy', { seconds: 2 })
      const key = Symbol(call)
      running.set(key, call)
      recent.add(call)
      return () => running.delete(key)
    },
    last: () => second,
    watch: (watcher) => void watchers.push(watcher),
    close: () => {
      clearInterval(sampling)
      clearInterval(ticking)
    },
  }
}
