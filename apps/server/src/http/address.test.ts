import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

const trusted = { trustedProxies: ['10.0.0.0/8', '192.0.2.9', 'fd00::/8'] }
const from = (remoteAddress: string, forwarded?: string) =>
  addressOf(trusted, {
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage)

test.for([
  ['a peer that is no proxy is believed about itself alone', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['a trusted proxy tells who is behind it', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  [
    'what stands before the first untrusted address is the caller’s own invention',
    '10.1.2.3',
    '1.1.1.1, 198.51.100.1',
    '198.51.100.1',
  ],
  ['a chain of trusted proxies is followed', '10.1.2.3', '198.51.100.1, 192.0.2.9, 10.9.9.9', '198.51.100.1'],
  ['an IPv4 address in IPv6 spelling is the same', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['IPv6 proxies are known too', 'fd00::1', '2001:db8::1', '2001:db8::1'],
  ['nonsense stands for the peer', '10.1.2.3', 'unknown, <script>', '10.1.2.3'],
  ['no header, no claim', '10.1.2.3', undefined, '10.1.2.3'],
] as const)('%s', ([, peer, forwarded, expected]) => {
  expect(from(peer, forwarded)).toBe(expected)
})
