import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { addressPolicy, packetRules, parseCidrs } from './policy.ts'

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

  test('a list opens loopback, but no reserved address', () => {
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

  test('an invalid range is refused', () => {
    expect(parseCidrs(['10.0.0.0/8', 'x'])).toBeUndefined()
    expect(parseCidrs(['10.0.0.0/33'])).toBeUndefined()
  })

  test('an address of this machine is reached like loopback: only where the list opens it', () => {
    const isOwn = (address: string): boolean => address === '10.1.2.3'
    expect(addressPolicy([], isOwn)('10.1.2.3')).toBe('refused')
    expect(addressPolicy([], isOwn)('10.1.2.4')).toBe('private')
    expect(addressPolicy(parseCidrs(['10.1.2.3/32']) ?? [], isOwn)('10.1.2.3')).toBe('loopback')
  })

  test.each([[[]], [['10.20.0.0/16']], [['127.0.0.0/8']], [['0.0.0.0/0']]])(
    'a packet filter with the list %j decides as the policy does',
    (list) => {
      const allow = parseCidrs(list) ?? []
      const reachOf = addressPolicy(allow)
      const rules = packetRules(allow)
      const accepts = (address: string): boolean =>
        rules.find(({ range }) => ipaddr.parse(address).match(ipaddr.parseCIDR(range)))?.accept ?? true
      const edges = [
        '10.20.0.1',
        '10.21.0.1',
        '172.16.0.1',
        '169.254.169.254',
        '198.18.0.1',
        '8.8.8.8',
        '100.100.100.200',
      ]
      fc.assert(
        fc.property(fc.oneof(fc.ipV4(), fc.constantFrom(...edges)), (address) => {
          // A packet filter never sees loopback addresses.
          fc.pre(!address.startsWith('127.'))
          expect(accepts(address)).toBe(reachOf(address) !== 'refused')
        }),
      )
    },
  )
})
