import * as fc from 'fast-check'
import { AndFilter, BerReader, BerWriter, Filter as LdaptsFilter, FilterParser } from 'ldapts'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../kernel/fault.ts'
import { and, contains, equal, type Filter, or, parseFilter } from './filter.ts'
import { wireFilter } from './wire.ts'

const wrong = (text: string): [string, unknown] => {
  try {
    parseFilter(text)
    return ['', 0]
  } catch (error) {
    return error instanceof Fault ? [error.key, error.vars['at']] : [String(error), 0]
  }
}

describe('filters', () => {
  test.each<[string, Filter]>([
    ['(uid=a)', equal('uid', 'a')],
    [' ( uid=a) ', equal('uid', 'a')],
    ['(&(uid=a)\n  (cn=b))', and(equal('uid', 'a'), equal('cn', 'b'))],
    ['(|(uid=a)(!(cn=b)))', or(equal('uid', 'a'), { is: 'not', of: equal('cn', 'b') })],
    ['(uid=*)', { is: 'present', attribute: 'uid' }],
    ['(cn=a*b*c)', { is: 'part', attribute: 'cn', initial: 'a', any: ['b'], final: 'c' }],
    ['(cn=*a*)', contains('cn', 'a')],
    [String.raw`(cn=\2a\28\29\5c\00)`, equal('cn', '*()\\\0')],
    [String.raw`(cn=Jos\c3\a9)`, equal('cn', 'José')],
    [String.raw`(objectGUID=\ff\fe)`, equal('objectGUID', Buffer.from([0xff, 0xfe]))],
    ['(age>=3)', { is: 'atLeast', attribute: 'age', value: '3' }],
    ['(cn~=x)', { is: 'like', attribute: 'cn', value: 'x' }],
    ['(cn;lang-en=x)', equal('cn;lang-en', 'x')],
    [
      '(memberOf:1.2.840.113556.1.4.1941:=cn=a,dc=test)',
      { is: 'rule', attribute: 'memberOf', rule: '1.2.840.113556.1.4.1941', dn: false, value: 'cn=a,dc=test' },
    ],
    ['(ou:dn:=people)', { is: 'rule', attribute: 'ou', rule: '', dn: true, value: 'people' }],
  ])('%s', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter)
  })

  test.each([
    ['', 'ldap-filter-open', 1],
    ['uid=a', 'ldap-filter-open', 1],
    ['(&)', 'ldap-filter-open', 3],
    ['(uid=a', 'ldap-filter-close', 7],
    ['(&(uid=a)', 'ldap-filter-close', 10],
    ['(uid=a)(cn=b)', 'ldap-filter-rest', 8],
    ['(=a)', 'ldap-filter-attribute', 2],
    ['(*=a)', 'ldap-filter-attribute', 2],
    ['(uid)', 'ldap-filter-comparison', 5],
    ['(uid=a(b)', 'ldap-filter-close', 7],
    [String.raw`(uid=a\2)`, 'ldap-filter-escape', 7],
    [String.raw`(uid=*a\zz)`, 'ldap-filter-escape', 8],
    ['(uid=a**b)', 'ldap-filter-star', 8],
    ['(uid>=a*)', 'ldap-filter-star', 8],
    [`${'(!'.repeat(30)}(a=b)${')'.repeat(30)}`, 'ldap-filter-deep', 43],
  ])('%s: %s at %d', (text, key, at) => {
    expect(wrong(text)).toEqual([key, at])
  })

  const kB = (text: string): string => text.repeat(100_000 / text.length)
  test.each([
    ['negations', kB('(!'), 'ldap-filter-deep', 43],
    ['conjunctions', kB('(&'), 'ldap-filter-deep', 43],
    ['disjunctions of what is sound', kB('(|(a=b)'), 'ldap-filter-deep', 143],
    ['parentheses', kB('('), 'ldap-filter-attribute', 2],
    ['closing parentheses', `(a=b${kB(')')}`, 'ldap-filter-rest', 6],
    ['spaces', kB(' '), 'ldap-filter-open', 100_001],
    ['letters', `(${kB('a')}`, 'ldap-filter-comparison', 100_002],
    ['options', `(a${kB(';a')}`, 'ldap-filter-comparison', 100_003],
    ['numbers', `(1${kB('.1')}`, 'ldap-filter-comparison', 100_003],
    ['colons', `(a${kB(':dn')}`, 'ldap-filter-comparison', 3],
    ['asterisks', `(a=${kB('*')})`, 'ldap-filter-star', 5],
    ['backslashes', `(a=${kB('\\')})`, 'ldap-filter-escape', 4],
    ['conditions', `(|${kB('(a=b)')}`, 'ldap-filter-close', 100_003],
  ])('100 kB of %s are refused at once, like short ones', (_, text, key, at) => {
    const began = process.threadCpuUsage()
    expect(wrong(text)).toEqual([key, at])
    // counts this thread's CPU time, which other work on the machine does not affect
    expect(process.threadCpuUsage(began).user).toBeLessThan(1_000_000)
  })

  const value = fc.string({ unit: 'grapheme' })
  const name = fc.constantFrom('uid', 'cn', 'objectClass', 'cn;lang-en', '2.5.4.3')
  const some = value.filter((text) => text !== '')
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4 },
      fc.record({ is: fc.constant('equal' as const), attribute: name, value }),
      fc.record({ is: fc.constantFrom('atLeast', 'atMost', 'like'), attribute: name, value }),
      fc.record({ is: fc.constant('present' as const), attribute: name }),
      fc.record({
        is: fc.constant('part' as const),
        attribute: name,
        initial: some,
        any: fc.array(some),
        final: value,
      }),
      fc.record({ is: fc.constant('not' as const), of: tie('filter') }),
      fc.record({
        is: fc.constantFrom('and', 'or'),
        of: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
      }),
    ),
  }))

  test('a filter that ldapts writes is parsed as the same filter', () => {
    fc.assert(
      fc.property(filter, (one) => {
        expect(parseFilter(wireFilter(one).toString())).toEqual(one)
      }),
    )
  })

  test('user input stays one value, in text and on the wire', () => {
    fc.assert(
      fc.property(value, (typed) => {
        expect(parseFilter(`(uid=${LdaptsFilter.escape(typed)})`)).toEqual(equal('uid', typed))
        const writer = new BerWriter()
        wireFilter(and(equal('uid', typed), equal('cn', 'x'))).write(writer)
        const read = FilterParser.parse(new BerReader(writer.buffer))
        expect(read).toBeInstanceOf(AndFilter)
        expect(read).toMatchObject({
          filters: [
            { attribute: 'uid', value: typed },
            { attribute: 'cn', value: 'x' },
          ],
        })
      }),
    )
  })

  test('any text is parsed or refused by a Fault', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((s) => `(${s})`),
        ),
        (text) => {
          expect(wrong(text)[0]).toMatch(/^(|ldap-filter-.*)$/)
        },
      ),
    )
  })
})
