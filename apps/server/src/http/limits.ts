import { setTimeout as sleep } from 'node:timers/promises'
import { addressKey } from '../kernel/counters.ts'
import { Fault } from '../kernel/fault.ts'
import { anonymous, type Caller } from '../identity/sessions.ts'
import { keyedSemaphore } from '../kernel/concurrency/keyed-semaphore.ts'

interface Allowance {
  burst: number
  perSecond: number
}

/** The burst, and the rate in the long run: enough for one user's browser with several tabs. */
const knownAllowance: Allowance = { burst: 400, perSecond: 60 }
/** Visitors share addresses behind a company's proxy. */
const unknown: Allowance = { burst: 120, perSecond: 10 }
/** Token lookups of an address for calls that are refused in the end: each costs a database query. */
const wasted: Allowance = { burst: 600, perSecond: 50 }

/** More callers than one replica serves at a time; beyond this the least recently seen is forgotten. */
const remembered = 20_000

interface Bucket {
  left: number
  at: number
}

/** Returns a function that finds a caller's bucket, refilled up to now. */
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

/** The key of a caller's share: the user's id, or the address of an unknown caller. */
export const callerKey = ({ id, ip }: Counted): string => (id > 0 ? `u${id}` : addressKey(ip))

export interface CallLimiter {
  /** Counts a call; throws 429 once the caller's allowance is used up. */
  call: (caller: Counted) => void
  /** Charges a body that was read as so many calls as cost the same; later calls may then be refused. */
  body: (caller: Counted, bytes: number) => void
}

/** A body costs one more call for each of these. */
const callBytes = 8 * 1024

/**
 * Limits each caller on this replica. What must be exact across all replicas (failed logins) is counted in the database
 * instead.
 */
export function callLimiter(now: () => number = Date.now): CallLimiter {
  const bucketOf = openBuckets(now)
  const own = (caller: Counted) => {
    const allowance = caller.id > 0 ? knownAllowance : unknown
    return { allowance, bucket: bucketOf(callerKey(caller), allowance) }
  }
  return {
    call: (caller) => {
      const { bucket, allowance } = own(caller)
      take(bucket, allowance)
    },
    body: (caller, bytes) => void (own(caller).bucket.left -= Math.floor(bytes / callBytes)),
  }
}

/** Callers over their limit are delayed by 1 to 3 s, at random so that they do not all return at once. */
const patienceMs = () => 1_000 + 2_000 * Math.random()

/** Delays a 429 before it is rethrown: a caller that retries at once would cost more than one that is served. */
export async function refuseSlowly(error: unknown, signal: AbortSignal): Promise<never> {
  if (error instanceof Fault && error.key === 'rate-limited')
    await sleep(patienceMs(), undefined, { signal }).catch(() => undefined)
  throw error
}

/**
 * Authenticates the caller and counts the call; one with an invalid token counts against the address. An address that
 * causes too many token lookups for refused calls is refused before the lookup.
 */
export function callerCounter({ call }: Pick<CallLimiter, 'call'>, now: () => number = Date.now) {
  const bucketOf = openBuckets(now)
  return async (ip: string, showsToken: boolean, find: () => Promise<Caller>): Promise<Caller> => {
    const lookups = bucketOf(addressKey(ip), wasted)
    if (showsToken) take(lookups, wasted)
    const [found] = await Promise.allSettled([find()])
    const { actor } = found.status === 'fulfilled' ? found.value : anonymous
    const known = actor.kind !== 'anonymous'
    // a known user has an allowance of their own: exceeding it must not charge the address, which others share
    if (showsToken && known) lookups.left += 1
    if (actor.kind !== 'agent') call({ id: actor.id, ip })
    if (showsToken && !known) lookups.left += 1
    if (found.status === 'rejected') throw found.reason
    return found.value
  }
}

/** Bodies of one caller that may arrive at once; each takes memory until it is complete. */
const arrivingEach = 30

/**
 * Returns a function that throws 429 while too many bodies of a caller are arriving; it returns a function to call when
 * the body has arrived.
 */
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

/** Runs work in order within a share, and independently of other shares. */
export type Turns = <T>(share: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `each` pieces of work of a share at once; the others wait, so that one caller's many calls do not delay
 * other callers.
 */
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
