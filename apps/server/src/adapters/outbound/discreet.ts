import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { textOf } from './body.ts'
import type { Pinned } from './lookup.ts'
import type { Outbound } from './outbound.ts'

export type Reached = Omit<Outbound, 'requestJson' | 'probe' | 'lookup' | 'close'>

export interface Discretion {
  /** Named in the refusal. */
  host: string
  /** What is told at once of any address. */
  told: readonly PhraseKey[]
  /** Milliseconds after which a check that went inside is over, one way or the other. 10,000. */
  ms?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * A check by somebody who must not learn what listens in the networks around this server. Once it has gone to an address that is not
 * public, every failure is the same Fault at the same moment: a closed port, a silent one, another protocol, another service. What is
 * `told` is for those who know a password there.
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
  // where the moment comes first, nobody waits for its end
  done.catch(() => {})
  try {
    return await Promise.race([done, moment.then(() => (inside ? Promise.reject(refused()) : done))])
  } catch (error) {
    if (!inside || !(error instanceof Fault) || told.includes(error.key)) throw error
    await moment
    throw refused()
  } finally {
    over.abort()
  }
}

/** Tells of every address before it is used, and connects to no other: who answers a second look at a name may lie. */
function watched(outbound: Outbound, note: (pinned: Pinned) => void): Reached {
  const admit: Outbound['admit'] = async (url) => {
    const pinned = await outbound.admit(url)
    note(pinned)
    return pinned
  }
  const request: Outbound['request'] = async (wanted) => {
    const pinned = await admit(wanted.url).catch((error: unknown) => {
      // what only the proxy can resolve goes to the proxy
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
