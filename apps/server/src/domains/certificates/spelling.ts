import { domainToASCII } from 'node:url'

const pattern = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one spelling of a domain: lower case, punycode, no trailing dot. Undefined: it is none. `*.example.com` are all
 * hosts right under a name.
 */
export function spelled(given: string): string | undefined {
  const text = given.trim().replace(/\.$/, '')
  const [star, name] = text.startsWith('*.') ? ['*.', text.slice(2)] : ['', text]
  const ascii = star + domainToASCII(name)
  return ascii.length <= 253 && pattern.test(ascii) ? ascii : undefined
}

/** Of which wildcard a host is right under: `*.example.com` of `shop.example.com`. */
export const wildcardOf = (host: string): string => `*${host.slice(host.indexOf('.'))}`

/** Whether one of a certificate's names is for a host, or for all hosts under a name. */
export const isFor = (names: readonly string[], host: string): boolean =>
  names.includes(host) || (!host.startsWith('*.') && names.includes(wildcardOf(host)))
