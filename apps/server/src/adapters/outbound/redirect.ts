import { Fault } from '../../kernel/fault.ts'
import { readUrl } from './address.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/** The URL to follow; undefined if the answer is final. */
export function redirectOf(
  from: URL,
  status: number,
  headers: Record<string, string>,
  method = 'GET',
): URL | undefined {
  const location = headers['location']
  if (!redirects.has(status) || location === undefined) return undefined
  const refused = new Fault('badGateway', 'outbound-redirect', { host: from.host })
  if (method !== 'GET' && method !== 'HEAD') throw refused
  if (!URL.canParse(location, from)) throw refused
  const to = new URL(location, from)
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  if (to.hostname !== from.hostname || (to.origin !== from.origin && !upgraded)) throw refused
  return readUrl(to)
}
