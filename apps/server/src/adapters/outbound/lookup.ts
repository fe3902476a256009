import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Fault } from '../../kernel/fault.ts'

/** Every address of a name, as getaddrinfo tells them. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

/** A URL whose addresses were checked; whoever connects uses one of `addresses` and resolves no more. */
export interface Pinned {
  url: URL
  address: string
  family: 4 | 6
  addresses: LookupAddress[]
}

/** For connections to a Pinned: answers its addresses, whatever it is asked. */
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
