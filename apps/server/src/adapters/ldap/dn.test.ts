import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeDnValue, isWithin, normalDn, parseDn } from './dn.ts'

describe('distinguished names', () => {
  test.each([
    ['uid=u01,ou=people,dc=test', 'UID=U01, OU=People, DC=Test'],
    ['cn=a,dc=test', '2.5.4.3=A;DC=test'],
    ['cn=a,dc=test', 'OID.2.5.4.3=a,domainComponent=test'],
    ['cn=a+sn=b,dc=test', 'SN=b + CN=a,dc=test'],
    [String.raw`cn=smith\, john,dc=test`, String.raw`CN=Smith\2C John,DC=test`],
    [String.raw`cn=\"pat\" o'neil,dc=test`, String.raw`cn=\22Pat\22  O'Neil ,dc=test`],
    [String.raw`cn=Jos\c3\a9,dc=test`, 'cn=josé,dc=test'],
    ['cn=a b,dc=test', 'cn=  a    b  ,dc=test'],
    ['', ' '],
  ])('%s is %s', (one, other) => {
    expect(normalDn(one)).toBeDefined()
    expect(normalDn(one)).toBe(normalDn(other))
  })

  test.each([
    [String.raw`cn=a\2cb,dc=test`, 'cn=a,cn=b,dc=test'],
    [String.raw`cn=a\+sn=b,dc=test`, 'cn=a+sn=b,dc=test'],
    ['cn=a,dc=test', 'sn=a,dc=test'],
    ['cn=#0401,dc=test', String.raw`cn=\230401x,dc=test`],
  ])('%s is not %s', (one, other) => {
    expect(normalDn(one)).not.toBe(normalDn(other))
  })

  test.each([
    'people',
    'cn',
    '=a',
    'cn=a,',
    'cn=a,,dc=test',
    'cn="a",dc=test',
    'cn=a<b',
    String.raw`cn=a\zz`,
    String.raw`cn=\ff`,
    'cn=a\0b',
    'cn=a+,dc=test',
    '1cn=a',
  ])('%j is not a name', (text) => {
    expect(parseDn(text)).toBeUndefined()
  })

  const value = fc.string({ unit: 'grapheme' })

  test('any value survives escaping, and stays one value', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const dn = parseDn(`cn=${escapeDnValue(a)},ou=${escapeDnValue(b)},dc=test`)
        expect(dn).toEqual([[{ type: 'cn', value: a }], [{ type: 'ou', value: b }], [{ type: 'dc', value: 'test' }]])
      }),
    )
  })

  test('the normal form of a normal form is itself', () => {
    fc.assert(
      fc.property(value, (a) => {
        const normal = normalDn(`cn=${escapeDnValue(a)},dc=test`)
        expect(normal).toBeDefined()
        expect(normalDn(normal ?? '')).toBe(normal)
      }),
    )
  })

  test('any text is parsed or refused, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const normal = normalDn(text)
        expect(normal === undefined || normalDn(normal) === normal).toBe(true)
      }),
    )
    const began = process.cpuUsage()
    normalDn(`cn=${' '.repeat(50_000)}\\`)
    normalDn(`cn=${'\\20'.repeat(20_000)}`)
    // counts this process's CPU time, which other work on the machine does not affect
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000)
  })

  test('an entry is within a base if whole relative names match', () => {
    expect(isWithin('uid=a,OU=People,dc=test', 'ou=people, dc=test')).toBe(true)
    expect(isWithin('ou=people,dc=test', 'ou=people,dc=test')).toBe(true)
    expect(isWithin('dc=test', 'ou=people,dc=test')).toBe(false)
    expect(isWithin('uid=a,ou=morepeople,dc=test', 'ou=people,dc=test')).toBe(false)
    expect(isWithin(String.raw`uid=a\,ou=people\,dc=test`, 'ou=people,dc=test')).toBe(false)
    expect(isWithin('uid=a', '')).toBe(true)
    expect(isWithin('no dn', '')).toBe(false)
  })
})
