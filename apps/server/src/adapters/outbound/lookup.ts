import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Fault } from '../../kernel/fault.ts'
import { keyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.ts'

/** Every address of a name, from getaddrinfo. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

/** A URL whose addresses were checked; connect to one of `addresses` without resolving again. */
export interface Pinned {
  url: URL
  address: string
  family: 4 | 6
  addresses: LookupAddress[]
}

/** For connections to a Pinned: returns its addresses whatever the name is. */
export const pinnedLookup = (pinned: Pinned): LookupFunction => lookupOf(async () => pinned.addresses)

export function lookupOf(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const fitting =
          options.family === 4 || options.family === 6 ? found.filter((a) => a.family === options.family) : found
        const first = fitting[0]
        if (first === undefined) callback(new Fault('badGateway', 'outbound-unknown-host', { host: hostname }), '', 0)
        else if (options.all === true) callback(null, fitting)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, '', 0),
    )
  }
}

export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, order: 'verbatim' }, (error, found) => (error ? reject(error) : resolve(found)))
  })

/** A lookup that takes this long counts as slow: its nameserver is silent or far away. */
const slowMs = 1_000
/** For how long a name whose lookup was slow and failed is not looked up again. */
const restMs = 10_000
/** How many names of each kind are remembered, the latest ones. */
const maxNames = 2_000

/**
 * A lookup occupies one of the few threads that the database's names, files and password hashes need as well, and
 * continues after its caller has left. Anybody may name a host whose nameserver is silent. So a name is looked up only
 * once at a time, and waits only for other names of its kind, and no longer than its caller. The kinds are names that
 * resolved before, names that were slow and failed the last time, and unknown ones.
 */
export function inTurn(resolve: Resolve, waitMs: number): Resolve {
  const turn = keyedSemaphore(1)
  const known = new Set<string>()
  const silent = new Set<string>()
  const under = new Map<string, Promise<LookupAddress[]>>()

  function remember(names: Set<string>, host: string): void {
    known.delete(host)
    silent.delete(host)
    names.add(host)
    const [oldest] = names
    if (names.size > maxNames && oldest !== undefined) names.delete(oldest)
  }

  async function looked(host: string): Promise<LookupAddress[]> {
    const began = performance.now()
    const wasSlow = () => performance.now() - began >= slowMs
    const forget = () => under.delete(host)
    try {
      const found = await resolve(host)
      remember(known, host)
      forget()
      return found
    } catch (error) {
      known.delete(host)
      if (wasSlow()) {
        remember(silent, host)
        setTimeout(forget, restMs).unref()
      } else forget()
      throw error
    }
  }

  async function look(host: string): Promise<LookupAddress[]> {
    const kind = known.has(host) ? 'known' : silent.has(host) ? 'silent' : 'new'
    const done = await turn(kind, AbortSignal.timeout(waitMs)).catch(() => {
      under.delete(host)
      throw new Fault('badGateway', 'outbound-timeout', { host })
    })
    return looked(host).finally(done)
  }

  return (host) => {
    const found = under.get(host) ?? look(host)
    under.set(host, found)
    return found
  }
}

export async function withDeadline<T>(work: Promise<T>, ms: number, host: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Fault('badGateway', 'outbound-timeout', { host })), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
