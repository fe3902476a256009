import ipaddr from 'ipaddr.js'

/** What counts as one address: who has one of IPv6 has the 2^64 of its network. */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
