import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Cidr = [Address, number]

/** `refused` covers link-local, metadata, unspecified, multicast, broadcast, reserved ranges and IPv6 forms that carry an IPv4 address. */
type Reach = 'public' | 'private' | 'loopback' | 'refused'

/** Cloud metadata services, which hand out credentials, outside the link-local range that is refused anyway. */
const metadata = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'])

const cidrs = (...texts: string[]): Cidr[] => texts.map((text) => ipaddr.parseCIDR(text))
const globalV6 = cidrs('2000::/3')
const privateV6 = cidrs('fc00::/7')
/** Ranges inside 2000::/3 for tunnels to IPv4 (Teredo, 6to4), documentation, benchmarks and overlays. */
const oddV6 = cidrs('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')
const privateRanges = cidrs('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')

const isInRanges = (address: Address, ranges: Cidr[]): boolean =>
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
  if (isInRanges(address, privateV6)) return 'private'
  return isInRanges(address, globalV6) && !isInRanges(address, oddV6) ? 'public' : 'refused'
}

/** Reads the ranges of GANTRY_OUTBOUND_ALLOW; undefined if one is no CIDR, so that the start can name the variable. */
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

const isPrivate = (range: Cidr): boolean => privateRanges.some((known) => overlaps(range, known))

/**
 * Which addresses may be reached. Public ones always. Private ones too, unless the list names a private range: then
 * only those that it names. Loopback, and addresses that `isOwn` identifies as this machine's, only if the list opens
 * them. No list opens a `refused` address.
 */
export function addressPolicy(allow: Cidr[], isOwn = (_address: string): boolean => false): (address: string) => Reach {
  const narrowed = allow.some(isPrivate)
  return (text) => {
    if (!ipaddr.isValid(text)) return 'refused'
    const address = ipaddr.parse(text)
    const reach = isOwn(address.toString()) ? 'loopback' : reachOf(address)
    if (reach === 'loopback') return isInRanges(address, allow) ? reach : 'refused'
    if (reach === 'private' && narrowed) return isInRanges(address, allow) ? reach : 'refused'
    return reach
  }
}

const refusedV4 =
  '0.0.0.0/8 127.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 100.100.100.200/32 168.63.129.16/32'.split(
    ' ',
  )

/** The same policy for a packet filter: the first matching rule counts; an address that matches none is accepted. */
export function packetRules(allow: Cidr[]): { range: string; accept: boolean }[] {
  const opened = allow.filter((range) => range[0].kind() === 'ipv4' && isPrivate(range))
  const closed = allow.some(isPrivate) ? privateRanges.filter(([network]) => network.kind() === 'ipv4') : []
  const text = ([network, bits]: Cidr): string => `${network.toString()}/${bits}`
  return [
    ...refusedV4.map((range) => ({ range, accept: false })),
    ...opened.map((range) => ({ range: text(range), accept: true })),
    ...closed.map((range) => ({ range: text(range), accept: false })),
  ]
}
