import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'

const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text) : undefined

function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.process(range), undefined]
  if (network.kind() !== address.kind()) return false
  return bits === undefined ? network.toString() === address.toString() : address.match([network, bits] as never)
}

/**
 * The client address of a request that the framework does not handle (an upgrade), by the framework's own rule: the
 * last address in X-Forwarded-For that is not a trusted proxy, or the peer's own.
 */
export function addressOf({ trustedProxies }: Pick<Config, 'trustedProxies'>, request: IncomingMessage): string {
  const peer = request.socket.remoteAddress ?? ''
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const chain = [...forwarded, peer]
  for (let at = chain.length - 1; at >= 0; at--) {
    const text = chain[at] ?? ''
    const address = parse(text)
    if (at === 0 || !address || !trustedProxies.some((range) => isInRange(address, range))) return address ? text : peer
  }
  return peer
}
