import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claimOf, groupsOf, lacksClaims, teamsOf, userOf } from './claims.ts'

const names = {
  userNameClaim: 'preferred_username',
  nicknameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: 'groups',
  mappings: [
    { group: 'devs', teamId: 1, roleId: 0 },
    { group: '/ops/night', teamId: 2, roleId: null },
  ],
}
const who = { iss: 'https://id.example.test', sub: 'f00' }

describe('a claim is found', () => {
  test.each([
    ['by its name', 'groups', { groups: ['a'] }, ['a']],
    ['by its path', 'realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['by a name that looks like a URL', 'https://x.test/groups', { 'https://x.test/groups': ['a'] }, ['a']],
    ['by its name before its path', 'a.b', { 'a.b': 1, a: { b: 2 } }, 1],
    ['or not', 'a.b.c', { a: { b: 'text' } }, undefined],
    ['or not in a list', 'a.length', { a: [1] }, undefined],
    ['or not on the prototype', 'constructor.name', {}, undefined],
  ])('%s', (_how, name, claims, found) => expect(claimOf(claims, name)).toEqual(found))

  test('for any claims, without an error', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (claims, name) => {
        claimOf(claims, name)
        const user = userOf({ ...names, userNameClaim: name }, { ...claims, ...who })
        expect(user.userName).not.toBe('')
        expect([...user.userName].length).toBeLessThanOrEqual(100)
        expect(user.userName).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      }),
    )
  })
})

describe('a user', () => {
  test('is identified by provider and sub, whatever the names', () => {
    expect(userOf(names, { ...who, preferred_username: 'admin', name: 'Admin', email: 'a@b.test' })).toEqual({
      type: 'OAUTH',
      provider: who.iss,
      subject: 'f00',
      userName: 'admin',
      nickname: 'Admin',
      email: 'a@b.test',
    })
  })

  test('has an address only if it is verified, or the provider does not say', () => {
    const mail = (email_verified: unknown) => userOf(names, { ...who, email: 'a@b.test', email_verified }).email
    expect([true, 'true', undefined, false, 'false'].map(mail)).toEqual(['a@b.test', 'a@b.test', 'a@b.test', '', ''])
  })

  test('without a name is named by the address, else by the sub', () => {
    expect(userOf(names, { ...who, email: 'a@b.test' })).toMatchObject({ userName: 'a@b.test', nickname: 'a@b.test' })
    expect(userOf(names, who)).toMatchObject({ userName: 'f00', nickname: 'f00', email: '' })
  })

  test('has a name without direction marks and line breaks', () => {
    expect(userOf(names, { ...who, preferred_username: 'a\u202Enimda\n ' }).userName).toBe('animda')
    expect(userOf(names, { ...who, email: 'a@b.test\r\nBcc: c@d.test' }).email).toBe('')
  })
})

describe('groups', () => {
  test.each([
    ['a list', { groups: ['devs', 7, '/ops/night'] }, ['devs', '/ops/night']],
    ['a text', { groups: 'devs' }, ['devs']],
    ['none', {}, []],
    ['too many to list', { _claim_names: { groups: 'src1' } }, undefined],
  ])('%s', (_what, claims, found) => expect(groupsOf(names, claims)).toEqual(found))

  test('map to teams', () => {
    expect(teamsOf(names, { groups: ['devs', 'others'] })).toEqual([{ teamId: 1, roleId: 0 }])
    expect(teamsOf(names, {})).toEqual([])
    expect(teamsOf(names, { _claim_names: { groups: 'src1' } })).toBeUndefined()
    expect(teamsOf({ ...names, groupsClaim: '' }, { groups: ['devs'] })).toEqual([])
  })

  test('are read from userinfo only if a mapping needs them', () => {
    const claims = { preferred_username: 'a', name: 'A', email: 'a@b.test' }
    expect(lacksClaims(names, claims)).toBe(true)
    expect(lacksClaims({ ...names, mappings: [] }, claims)).toBe(false)
    expect(lacksClaims({ ...names, groupsClaim: '' }, claims)).toBe(false)
  })
})
