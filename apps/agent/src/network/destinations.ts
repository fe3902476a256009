import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { addressPolicy, type Cidr } from '@gantry/addresses/policy'
import { StepFailure } from '../reasons.ts'

/** A port of this machine's loopback. */
export interface Port {
  address: string
  port: number
}

/** A checked destination of a connection with its addresses, so that the name is not resolved again. */
export interface Destination {
  addresses: { address: string; family: number }[]
  /** Whether it is on the agent's own machine. */
  isHere: boolean
}

/** The destinations that steps reach through the agent's proxy. */
export interface Destinations {
  /** The address at which the agent itself calls its server. */
  server: URL
  /** Whether this is the server, by the agent's or by browsers' address. Steps may only reach its git. */
  isServer: (host: string, port: number) => boolean
  /** Throws a StepFailure if steps may not reach the address, or the name is unknown. */
  admit: (host: string, port: number) => Promise<Destination>
}

export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

interface Given {
  serverUrl: string
  publicUrl: string | undefined
  allow: Cidr[]
  reach: Port[]
}

export function destinations(given: Given): Destinations {
  const server = new URL(given.serverUrl)
  const names = [server, ...(given.publicUrl === undefined ? [] : [new URL(given.publicUrl)])]
  // read each time, because addresses change while the agent runs
  const own = (): Set<string> =>
    new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)))

  return {
    server,
    isServer: (host, port) => names.some((name) => host === name.hostname && port === portOf(name)),
    async admit(host, port) {
      const refused = (): StepFailure => new StepFailure('agents-address-refused', { host })
      const literal = host.replace(/^\[(.*)\]$/, '$1')
      const addresses =
        isIP(literal) === 0
          ? await lookup(host, { all: true }).catch(() => {
              throw new StepFailure('agents-git-unreachable', { host })
            })
          : [{ address: literal, family: isIP(literal) }]
      if (given.reach.some((one) => one.port === port && one.address === addresses[0]?.address))
        return { addresses: addresses.slice(0, 1), isHere: true }
      const here = own()
      const reachOf = addressPolicy(given.allow, (address) => here.has(address))
      const reaches = addresses.map(({ address }) => reachOf(address))
      // one refused address among several refuses the name, because a connection may take any of them
      if (addresses.length === 0 || reaches.includes('refused')) throw refused()
      const isHere = reaches.includes('loopback')
      // the server by another name, which stays closed even if the operator has opened this machine
      if (isHere && port === portOf(server) && (await isOnThisMachine(server, here))) throw refused()
      return { addresses, isHere }
    },
  }
}

async function isOnThisMachine({ hostname }: URL, own: Set<string>): Promise<boolean> {
  const found = await lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => [])
  return found.some(({ address }) => own.has(address) || address.startsWith('127.'))
}
