import { setTimeout as sleep } from 'node:timers/promises'
import { addressKey } from '../kernel/counters.ts'
import { Fault } from '../kernel/fault.ts'
import { anonymous, type Caller } from '../identity/sessions.ts'
import { keyedSemaphore } from '../kernel/keyed-semaphore.ts'

interface Allowance {
  burst: number
  perSecond: number
}

/** So many calls at once, and so many a second in the long run. For one person's browser with several tabs that is plenty. */
const known: Allowance = { burst: 400, perSecond: 60 }
/** Visitors share addresses behind a company's proxy. */
const unknown: Allowance = { burst: 120, perSecond: 10 }
/** Tokens that an address has looked up for calls that are refused all the same: each costs the database a question. */
const wasted: Allowance = { burst: 600, perSecond: 50 }

/** More callers than one replica serves at a time; the longest unseen is forgotten. */
const remembered = 20_000

interface Bucket {
  left: number
  at: number
}

/** Answers a caller's bucket, filled up to this moment. */
function openBuckets(now: () => number): (key: string, allowance: Allowance) => Bucket {
  const buckets = new Map<string, Bucket>()
  return (key, { burst, perSecond }) => {
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
    return bucket
  }
}

function take(bucket: Bucket, { perSecond }: Allowance): void {
  if (bucket.left < 1) throw new Fault('tooMany', 'rate-limited', { seconds: Math.ceil((1 - bucket.left) / perSecond) })
  bucket.left -= 1
}

interface Counted {
  id: number
  ip: string
}

/** Who is unknown is the address; what a caller's share is kept under. */
export const shareOf = ({ id, ip }: Counted): string => (id > 0 ? `u${id}` : addressKey(ip))

export interface CallLimiter {
  /** Counts a call; throws 429 where the caller has used up what it has. */
  call: (caller: Counted) => void
  /** Counts a body that was read as the calls that its work amounts to; those that follow may then be refused. */
  body: (caller: Counted, bytes: number) => void
}

/** A body of so many bytes is as much work as another call. */
const callBytes = 8 * 1024

/**
 * Bounds each caller on this replica: what must be counted exactly and over all replicas (failed logins) counts in the
 * database instead.
 */
export function callLimiter(now: () => number = Date.now): CallLimiter {
  const bucketOf = openBuckets(now)
  const own = (caller: Counted) => {
    const allowance = caller.id > 0 ? known : unknown
    return { allowance, bucket: bucketOf(shareOf(caller), allowance) }
  }
  return {
    call: (caller) => {
      const { bucket, allowance } = own(caller)
      take(bucket, allowance)
    },
    body: (caller, bytes) => void (own(caller).bucket.left -= Math.floor(bytes / callBytes)),
  }
}

/** Who has used up an allowance and does not wait is made to: for a few seconds, that many who ask at once do not come back at once. */
const patienceMs = () => 1_000 + 2_000 * Math.random()

/** Holds a 429 back before it is thrown on: whoever asks again at once would cost the others more than one who was served. */
export async function refuseSlowly(error: unknown, signal: AbortSignal): Promise<never> {
  if (error instanceof Fault && error.key === 'rate-limited')
    await sleep(patienceMs(), undefined, { signal }).catch(() => undefined)
  throw error
}

/**
 * Looks up who calls and counts the call as theirs; who shows a token that is not good counts as the address. An address
 * that has too many tokens looked up for calls that are refused is refused before.
 */
export function callerCounter({ call }: Pick<CallLimiter, 'call'>, now: () => number = Date.now) {
  const bucketOf = openBuckets(now)
  return async (ip: string, showsToken: boolean, find: () => Promise<Caller>): Promise<Caller> => {
    const lookups = bucketOf(addressKey(ip), wasted)
    if (showsToken) take(lookups, wasted)
    const [found] = await Promise.allSettled([find()])
    const { actor } = found.status === 'fulfilled' ? found.value : anonymous
    const known = actor.kind !== 'anonymous'
    // Who is known has an allowance of their own: what they ask beyond it is not their neighbours' fault.
    if (showsToken && known) lookups.left += 1
    if (actor.kind !== 'agent') call({ id: actor.id, ip })
    if (showsToken && !known) lookups.left += 1
    if (found.status === 'rejected') throw found.reason
    return found.value
  }
}

/** Bodies of one caller that are on their way at once; each may take up memory until it is there. */
const arrivingEach = 30

/** Answers a function that throws 429 where too many bodies of a caller are on their way; it answers what to call when one is there. */
export function openArrivals(each = arrivingEach): (share: string) => () => void {
  const arriving = new Map<string, number>()
  return (share) => {
    const own = arriving.get(share) ?? 0
    if (own >= each) throw new Fault('tooMany', 'rate-limited', { seconds: 1 })
    arriving.set(share, own + 1)
    return () => {
      const left = (arriving.get(share) ?? 1) - 1
      if (left > 0) arriving.set(share, left)
      else arriving.delete(share)
    }
  }
}

/** Work that waits its turn behind the other work of the same share. */
export type Turns = <T>(share: string, work: () => Promise<T>) => Promise<T>

/** So much of each share is worked on at once; the rest waits, so that the many of one do not hold up the few of others. */
export function openTurns(each: number): Turns {
  const turns = keyedSemaphore(each)
  const patient = new AbortController().signal
  return async (share, work) => {
    const leave = await turns(share, patient)
    try {
      return await work()
    } finally {
      leave()
    }
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
