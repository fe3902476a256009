import ipaddr from 'ipaddr.js'
import { isIPv4 } from 'node:net'
import { Fault } from '../../kernel/fault.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Cidr = [Address, number]

/** `refused` covers link-local, metadata, unspecified, multicast, broadcast, reserved ranges and IPv6 forms that carry an IPv4 address. */
type Reach = 'public' | 'private' | 'loopback' | 'refused'

/** Where clouds answer with their machines' credentials, outside the link-local range that is refused anyway. */
const metadata = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'])

const cidrs = (...texts: string[]): Cidr[] => texts.map((text) => ipaddr.parseCIDR(text))
const globalV6 = cidrs('2000::/3')
const privateV6 = cidrs('fc00::/7')
/** Tunnels to IPv4 (Teredo, 6to4), documentation, benchmarks and overlays inside 2000::/3. */
const oddV6 = cidrs('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')
const privateRanges = cidrs('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')

const within = (address: Address, ranges: Cidr[]): boolean =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

const overlaps = ([a, aBits]: Cidr, [b, bBits]: Cidr): boolean =>
  a.kind() === b.kind() && a.match(b, Math.min(aBits, bBits))

function reachOf(address: Address): Reach {
  if (metadata.has(address.toString())) return 'refused'
  if (address.kind() === 'ipv4') {
    const range = address.range()
    if (range === 'unicast') return 'public'
    if (range === 'loopback') return 'loopback'
    return range === 'private' || range === 'carrierGradeNat' ? 'private' : 'refused'
  }
  if (address.range() === 'loopback') return 'loopback'
  if (within(address, privateV6)) return 'private'
  return within(address, globalV6) && !within(address, oddV6) ? 'public' : 'refused'
}

/** Reads GANTRY_OUTBOUND_ALLOW's ranges; undefined where one is no CIDR, so that the start can name the variable. */
export function parseCidrs(texts: readonly string[]): Cidr[] | undefined {
  try {
    return texts.map((text) => {
      if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
      const address = ipaddr.parse(text)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    })
  } catch {
    return undefined
  }
}

/**
 * Who may be reached. Public addresses always; private ones too, until the list names a private range: then only what it
 * names. Loopback only where the list opens it. What is `refused` no list opens.
 */
export function addressPolicy(allow: Cidr[]): (address: string) => Reach {
  const narrowed = allow.some((range) => privateRanges.some((known) => overlaps(range, known)))
  return (text) => {
    if (!ipaddr.isValid(text)) return 'refused'
    const address = ipaddr.parse(text)
    const reach = reachOf(address)
    if (reach === 'loopback') return within(address, allow) ? reach : 'refused'
    if (reach === 'private' && narrowed) return within(address, allow) ? reach : 'refused'
    return reach
  }
}

export const refusal = (): Fault => new Fault('invalid', 'outbound-refused')

/** Whitespace and control characters, which URL parsers drop or move. */
const unprintable = /[\p{Cc}\p{Cf}\p{Z}]/u

/**
 * Reads a URL that a user named. Refused, all with one text: other schemes, credentials inside, control characters, and
 * IPv4 addresses in another spelling than four decimal numbers (0x7f.1, 2130706433, 0177.0.0.1, full-width digits).
 */
export function readUrl(given: string | URL): URL {
  const text = String(given)
  if (text.length > 2048 || unprintable.test(text) || !URL.canParse(text)) throw refusal()
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal()
  if (url.username !== '' || url.password !== '' || url.hostname === '') throw refusal()
  const written = /^https?:[\\/]*(\[[^\]]*\]|[^:/\\?#]*)/i.exec(text)?.[1]
  if (isIPv4(url.hostname) && written !== url.hostname) throw refusal()
  return url
}

/** The bare address of a URL whose host is one, without an IPv6 address's brackets. */
export function literalOf(url: URL): string | undefined {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return ipaddr.isValid(host) ? host : undefined
}
