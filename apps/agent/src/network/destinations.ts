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

/** A checked destination of a connection, with its addresses, so that nobody resolves the name again. */
export interface Destination {
  addresses: { address: string; family: number }[]
  /** On the agent's own machine. */
  isHere: boolean
}

/** What steps reach by the agent's proxy. */
export interface Destinations {
  /** Where the agent itself reaches the server that it works for. */
  server: URL
  /** Whether this is the server, as the agent or as people call it. Of it steps reach its git alone. */
  isServer: (host: string, port: number) => boolean
  /** Throws a StepFailure: the address is not for steps, or the name is unknown. */
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
  // Addresses come and go while the agent runs.
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
      // One refused address among many refuses the name: which of them a connection takes is not ours to say.
      if (addresses.length === 0 || reaches.includes('refused')) throw refused()
      const isHere = reaches.includes('loopback')
      // The server by another name, where the operator has opened this machine: it stays closed.
      if (isHere && port === portOf(server) && (await isOnThisMachine(server, here))) throw refused()
      return { addresses, isHere }
    },
  }
}

async function isOnThisMachine({ hostname }: URL, own: Set<string>): Promise<boolean> {
  const found = await lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => [])
  return found.some(({ address }) => own.has(address) || address.startsWith('127.'))
}
