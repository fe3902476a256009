import { setTimeout as sleep } from 'node:timers/promises'
import { addressKey } from '../kernel/counters.ts'
import { Fault } from '../kernel/fault.ts'
import { anonymous, type Caller } from '../identity/sessions.ts'
import { keyedSemaphore } from '../kernel/keyed-semaphore.ts'

interface Allowance {
  burst: number
  perSecond: number
}

/** This many calls at once, and this many a second in the long run: plenty for one user's browser with several tabs. */
const knownAllowance: Allowance = { burst: 400, perSecond: 60 }
/** Visitors share addresses behind a company's proxy. */
const unknown: Allowance = { burst: 120, perSecond: 10 }
/** Lookups of tokens for calls that are refused in the end: each costs a database query. */
const wasted: Allowance = { burst: 600, perSecond: 50 }

/** More callers than one replica serves at a time; beyond it the least recently seen is forgotten. */
const remembered = 20_000

interface Bucket {
  left: number
  at: number
}

/** Returns a caller's bucket, refilled up to now. */
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
export const shareOf = ({ id, ip }: Counted): string => (id > 0 ? `u${id}` : addressKey(ip))

export interface CallLimiter {
  /** Counts a call; throws 429 once the caller's allowance is used up. */
  call: (caller: Counted) => void
  /** Charges a body that was read as the calls that its work amounts to; later calls may then be refused. */
  body: (caller: Counted, bytes: number) => void
}

/** A body of this size costs as much as another call. */
const callBytes = 8 * 1024

/**
 * Limits each caller on this replica. What must be exact over all replicas (failed logins) is counted in the database
 * instead.
 */
export function callLimiter(now: () => number = Date.now): CallLimiter {
  const bucketOf = openBuckets(now)
  const own = (caller: Counted) => {
    const allowance = caller.id > 0 ? knownAllowance : unknown
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

/** Delays callers over their limit by a few seconds, at random so that they do not return at once. */
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
    // A known user has an allowance of their own: exceeding it must not charge the others of the address.
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
 * Returns a function that throws 429 while too many bodies of a caller are arriving; it returns what to call when one
 * has arrived.
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

/** Queues work behind other work of the same share. */
export type Turns = <T>(share: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `each` pieces of work of a share at once; the rest waits, so that one caller's many calls do not hold up
 * others.
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
