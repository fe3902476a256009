import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../kernel/fault.ts'
import { addressPolicy, parseCidrs, readUrl } from './address.ts'

function protocolOrFault(text: string): string {
  try {
    return readUrl(text).protocol
  } catch (error) {
    return error instanceof Fault ? error.key : String(error)
  }
}
const policy = (...allow: string[]) => addressPolicy(parseCidrs(allow) ?? [])

describe('which addresses may be reached', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd12::1', 'private'],
    ['127.0.0.1', 'refused'],
    ['127.255.255.254', 'refused'],
    ['::1', 'refused'],
    ['0.0.0.0', 'refused'],
    ['0.1.2.3', 'refused'],
    ['::', 'refused'],
    ['169.254.169.254', 'refused'],
    ['fe80::1', 'refused'],
    ['fec0::1', 'refused'],
    ['100.100.100.200', 'refused'],
    ['168.63.129.16', 'refused'],
    ['fd00:ec2::254', 'refused'],
    ['224.0.0.1', 'refused'],
    ['ff02::1', 'refused'],
    ['255.255.255.255', 'refused'],
    ['240.0.0.1', 'refused'],
    ['192.0.2.1', 'refused'],
    ['::ffff:127.0.0.1', 'refused'],
    ['::ffff:8.8.8.8', 'refused'],
    ['::127.0.0.1', 'refused'],
    ['64:ff9b::7f00:1', 'refused'],
    ['64:ff9b:1::7f00:1', 'refused'],
    ['2002:7f00:1::', 'refused'],
    ['2001:0:7f00:1::', 'refused'],
    ['localhost', 'refused'],
    ['', 'refused'],
  ])('%s is %s', (address, reach) => {
    expect(policy()(address)).toBe(reach)
  })

  test('a list opens loopback, and nothing that is reserved', () => {
    const open = policy('127.0.0.0/8', '::1', '169.254.0.0/16', '0.0.0.0/0', '::/0')
    expect(open('127.0.0.1')).toBe('loopback')
    expect(open('::1')).toBe('loopback')
    for (const address of ['169.254.169.254', '0.0.0.0', '224.0.0.1', '::ffff:127.0.0.1']) {
      expect(open(address)).toBe('refused')
    }
  })

  test('private addresses are narrowed only by a list that names a private range', () => {
    expect(policy('127.0.0.0/8')('10.0.0.1')).toBe('private')
    const narrow = policy('10.20.0.0/16')
    expect(narrow('10.20.1.1')).toBe('private')
    expect(narrow('10.21.1.1')).toBe('refused')
    expect(narrow('192.168.0.1')).toBe('refused')
    expect(narrow('8.8.8.8')).toBe('public')
  })

  test('what is no range is not read', () => {
    expect(parseCidrs(['10.0.0.0/8', 'x'])).toBeUndefined()
    expect(parseCidrs(['10.0.0.0/33'])).toBeUndefined()
  })
})

describe('which URLs are read', () => {
  test.each([
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'http://',
    'example.com',
    'http://user:secret@example.com/',
    'http://user@example.com/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x0a000001/10.0.0.1',
    'http://10.1/',
    'http://１０.0.0.1/',
    'http://10.0.0.1\t/',
    ' http://10.0.0.1/',
    'http://exam\nple.com/',
    'http://example.com/\r\nHost: x',
    `http://example.com/${'x'.repeat(3000)}`,
  ])('%j is refused', (url) => {
    expect(() => readUrl(url)).toThrow(expect.objectContaining({ key: 'outbound-refused' }))
  })

  test.each(['http://10.0.0.1/', 'https://example.com:8443/a?b=c', 'http://[2606:4700::1]/', 'HTTPS://Example.com'])(
    '%s is read',
    (url) => {
      expect(readUrl(url).href.toLowerCase()).toContain(url.toLowerCase())
    },
  )

  test('any text is read or refused by a Fault', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((s) => `http://${s}`),
        ),
        (text) => {
          expect(protocolOrFault(text)).toMatch(/^(https?:|outbound-refused)$/)
        },
      ),
    )
  })
})
