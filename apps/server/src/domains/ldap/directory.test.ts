import { expect, test } from 'vitest'
import type { Directory } from '../../adapters/ldap/ldap.ts'
import { memberFilter, membersOf, type Settings, teamsOf } from './directory.ts'

const mapping = (group: string, teamId: number) => ({ group, teamId, roleId: null })
const settings: Settings = {
  name: 'Company',
  url: 'ldap://directory.test',
  startTls: false,
  ca: '',
  bindDn: '',
  bindPassword: '',
  baseDn: 'dc=test',
  userFilter: '(objectClass=person)',
  userNameAttribute: 'uid',
  nicknameAttribute: 'cn',
  emailAttribute: 'mail',
  groupBaseDn: '',
  groupMemberAttribute: 'member',
  createAtLogin: true,
  enabled: true,
  mappings: [mapping('cn=devs,dc=test', 1), mapping('no name at all', 2)],
}

/** A directory that answers every search with these entries. */
const answering = (...entries: { dn: string; member?: string[] }[]): Directory => ({
  host: 'directory.test',
  bind: async () => true,
  search: async () => ({
    entries: entries.map(({ dn, member = [] }) => ({
      dn,
      attributes: new Map([['member', member.map((name) => Buffer.from(name))]]),
    })),
    more: false,
    references: 0,
  }),
  close: () => undefined,
})

const ada = { dn: 'uid=ada,dc=test', uid: 'ada' }

test('a group with an unreadable name maps to no team', async () => {
  const named = answering({ dn: 'CN=devs, DC=test' }, { dn: 'nor is this one' })
  expect(await teamsOf(named, settings, ada)).toEqual([{ teamId: 1, roleId: null }])
  expect(await teamsOf(answering({ dn: 'nor is this one' }), settings, ada)).toEqual([])
})

test.each([
  ['member', { is: 'equal', attribute: 'member', value: ada.dn }],
  ['memberUid', { is: 'equal', attribute: 'memberUid', value: 'ada' }],
  [
    'member:1.2.840.113556.1.4.1941:',
    { is: 'rule', attribute: 'member', rule: '1.2.840.113556.1.4.1941', dn: false, value: ada.dn },
  ],
])('a user’s groups are found by %s', (groupMemberAttribute, filter) => {
  expect(memberFilter({ ...settings, groupMemberAttribute }, ada)).toEqual(filter)
})

test('a member with an unreadable name is ignored', async () => {
  const group = answering({ dn: 'cn=devs,dc=test', member: ['UID=ada, DC=test', 'nobody', '='] })
  expect([...(await membersOf(group, settings, 'cn=devs,dc=test'))]).toEqual([ada.dn])
})
