import { isIP, isIPv4 } from 'node:net'
import { Fault } from '../../kernel/fault.ts'

export const refusal = (): Fault => new Fault('invalid', 'outbound-refused')

/** Whitespace and control characters, which URL parsers drop or move. */
const unprintable = /[\p{Cc}\p{Cf}\p{Z}]/u

/**
 * Parses a URL that a user entered. Refused, all with one text: other schemes, credentials inside, control characters,
 * and IPv4 addresses other than four decimal numbers (0x7f.1, 2130706433, 0177.0.0.1, full-width digits).
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

/** The address of a URL whose host is one, without an IPv6 address's brackets. */
export function literalOf(url: URL): string | undefined {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return isIP(host) === 0 ? undefined : host
}
