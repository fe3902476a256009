import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { textOf } from './body.ts'
import type { Pinned } from './lookup.ts'
import type { Outbound } from './outbound.ts'

export type Reached = Omit<Outbound, 'requestJson' | 'probe' | 'lookup' | 'close'>

export interface Discretion {
  /** Named in the refusal. */
  host: string
  /** Faults that are reported at once for any address. */
  told: readonly PhraseKey[]
  /** Milliseconds after which a check of an internal address ends, with any outcome. Default: 10,000. */
  ms?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Runs a check for somebody who must not learn what listens in the networks around this server. Once it has contacted
 * an internal address, every failure is the same Fault after the same time: a closed port, a silent one, another
 * protocol, another service. `told` is for those who know a password there.
 */
export async function discreetly<T>(
  outbound: Outbound,
  { host, told, ms = 10_000, signal }: Discretion,
  work: (by: Reached, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let inside = false
  const over = new AbortController()
  const moment = new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
  const refused = (): Fault => new Fault('badGateway', 'outbound-inside', { host })
  const by = watched(outbound, (pinned) => {
    inside ||= outbound.reach(pinned) === 'inside'
  })
  const done = work(by, signal ? AbortSignal.any([signal, over.signal]) : over.signal)
  // after the delay nobody waits for its end
  done.catch(() => {})
  try {
    return await Promise.race([done, moment.then(() => (inside ? Promise.reject(refused()) : done))])
  } catch (error) {
    if (!inside || !(error instanceof Fault)) throw error
    // what an internal address says in its own words is left out, the plain fault behind them is not
    const plain = [error, error.cause].find((one) => one instanceof Fault && told.includes(one.key))
    if (plain !== undefined) throw plain
    await moment
    throw refused()
  } finally {
    over.abort()
  }
}

/**
 * Reports every address before it is used, and pins the connection to it: a second lookup of the name may return
 * another.
 */
function watched(outbound: Outbound, note: (pinned: Pinned) => void): Reached {
  const admit: Outbound['admit'] = async (url) => {
    const pinned = await outbound.admit(url)
    note(pinned)
    return pinned
  }
  const request: Outbound['request'] = async (wanted) => {
    const pinned = await admit(wanted.url).catch((error: unknown) => {
      // a name that only the proxy can resolve goes to the proxy
      if (outbound.proxy !== undefined && error instanceof Fault && error.key === 'outbound-unknown-host')
        return undefined
      throw error
    })
    return outbound.request(pinned === undefined ? wanted : { ...wanted, pinned })
  }
  return {
    admit,
    request,
    async requestText(wanted) {
      const { status, headers, body } = await request(wanted)
      return { status, headers, text: await textOf(body) }
    },
    reach: outbound.reach,
    proxy: outbound.proxy,
    ca: outbound.ca,
  }
}
