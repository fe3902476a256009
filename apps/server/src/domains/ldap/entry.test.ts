import { describe, expect, test } from 'vitest'
import { lookUpOf, userOf } from './entry.ts'

const names = { userNameAttribute: 'sAMAccountName', nicknameAttribute: 'displayName', emailAttribute: 'mail' }
const entry = (attributes: Record<string, string | Buffer>, dn = 'CN=Ada, OU=People,DC=test') => ({
  dn,
  attributes: new Map(
    Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), [Buffer.from(value as string)]]),
  ),
})
const now = Date.parse('2026-06-01T00:00:00Z')
const of = (attributes: Record<string, string | Buffer>) => userOf(names, entry(attributes), now)

describe('an entry as a user', () => {
  test('has names on one line, without invisible characters', () => {
    expect(of({ samaccountname: ' ada\u202e\0\n', displayName: 'Ada\tL.', mail: 'a@b.test' })).toMatchObject({
      userName: 'ada',
      nickname: 'Ada L.',
      email: 'a@b.test',
    })
    expect(of({ sAMAccountName: 'ada' })).toMatchObject({ nickname: 'ada', email: '' })
    expect(of({ displayName: 'Ada' }).userName).toBe('')
  })

  test('is identified by an attribute that the directory never reuses, else by its normalized name', () => {
    const guid = Buffer.from([1, 2, 255, 4])
    expect(of({ entryUUID: 'C68A-1', objectGUID: guid, nsUniqueId: 'x' }).subjects).toEqual([
      'entryUUID:c68a-1',
      'objectGUID:0102ff04',
      'nsUniqueId:x',
    ])
    expect(of({}).subjects).toEqual(['dn:cn=ada,ou=people,dc=test'])
  })

  test('is found again by the same identifier', () => {
    expect(lookUpOf('entryUUID:c68a-1')).toEqual({ filter: { is: 'equal', attribute: 'entryUUID', value: 'c68a-1' } })
    expect(lookUpOf('objectGUID:0102ff04')).toEqual({
      filter: { is: 'equal', attribute: 'objectGUID', value: Buffer.from([1, 2, 255, 4]) },
    })
    expect(lookUpOf('dn:cn=ada,dc=test')).toEqual({ dn: 'cn=ada,dc=test' })
    expect(lookUpOf('unknown:x')).toBeUndefined()
  })

  /** In Active Directory's unit. */
  const fileTime = (ms: number): string => String((BigInt(ms) + 11_644_473_600_000n) * 10_000n)
  test.each<[boolean, Record<string, string>]>([
    [false, {}],
    [true, { userAccountControl: '514' }],
    [false, { userAccountControl: '512' }],
    [true, { nsAccountLock: 'TRUE' }],
    [false, { nsAccountLock: 'false' }],
    [true, { loginDisabled: 'true' }],
    [true, { pwdAccountLockedTime: '000001010000Z' }],
    [false, { pwdAccountLockedTime: '20260101000000Z' }],
    [true, { accountExpires: fileTime(now - 1) }],
    [false, { accountExpires: fileTime(now + 1) }],
    [false, { accountExpires: '0' }],
    [false, { accountExpires: '9223372036854775807' }],
    [false, { accountExpires: 'never' }],
  ])('disabled is %s for %j', (disabled, attributes) => {
    expect(of(attributes).disabled).toBe(disabled)
  })
})
