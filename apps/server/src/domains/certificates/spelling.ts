import { domainToASCII } from 'node:url'

const pattern = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The canonical form of a domain: lower case, punycode, no trailing dot; undefined if it is none. `*.example.com`
 * stands for all hosts directly under a name.
 */
export function spelled(given: string): string | undefined {
  const text = given.trim().replace(/\.$/, '')
  const [star, name] = text.startsWith('*.') ? ['*.', text.slice(2)] : ['', text]
  const ascii = star + domainToASCII(name)
  return ascii.length <= 253 && pattern.test(ascii) ? ascii : undefined
}

/** The wildcard that covers a host: `*.example.com` for `shop.example.com`. */
export const wildcardOf = (host: string): string => `*${host.slice(host.indexOf('.'))}`

/** Whether one of a certificate's names covers a host, or all hosts under a name. */
export const isFor = (names: readonly string[], host: string): boolean =>
  names.includes(host) || (!host.startsWith('*.') && names.includes(wildcardOf(host)))
