import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { LdapServer } from '@gantry/contract/ldap/ldap'
import { showing } from '../../api/notices.ts'
import { openPage, press, refusal, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { ServerListPage } from './server-list-page.tsx'
import { ServerPage } from './server-page.tsx'

useConsole()

const company: LdapServer = {
  id: 4,
  name: 'Company',
  url: 'ldap://ldap.example.org:389',
  startTls: true,
  ca: '',
  bindDn: 'cn=reader,dc=example,dc=org',
  bindPassword: '********',
  baseDn: 'ou=people,dc=example,dc=org',
  userFilter: '(objectClass=person)',
  userNameAttribute: 'uid',
  nicknameAttribute: 'cn',
  emailAttribute: 'mail',
  groupBaseDn: '',
  groupMemberAttribute: 'member',
  createAtLogin: true,
  enabled: true,
  mappings: [],
  users: 12,
  lastCheckedAt: '2026-11-21T10:00:00Z',
  problem: '',
  revision: 'first',
}
const entry = (uid: string, more: object = {}) => ({
  dn: `uid=${uid},${company.baseDn}`,
  userName: uid,
  nickname: `User ${uid}`,
  email: `${uid}@example.org`,
  disabled: false,
  imported: false,
  ...more,
})
const bodyOf = (call: string) => sent.find((one) => `${one.method} ${one.path}` === call)?.body
const { id: _, users: __, lastCheckedAt: ___, problem: ____, ...given } = company

async function openList(servers: LdapServer[] = [company]) {
  signedIn({ admin: true })
  server({ 'GET /api/v2/ldaps': servers })
  await openPage(() => <ServerListPage />)
}
async function openForm(search: string) {
  signedIn({ admin: true })
  server({ 'GET /api/v2/ldaps': [company] })
  await openPage(() => <ServerPage />, `/login-free${search}`)
  await screen.findByLabelText(/^Location of the users/)
}
const choose = async (action: string) => {
  press('Actions for Company')
  fireEvent.click(await screen.findByText(action))
}

test('a directory that does not work shows the reason', async () => {
  await openList([{ ...company, problem: 'ldap.example.org did not answer in time.' }])
  await screen.findByText('not working')
  screen.getByText('ldap.example.org did not answer in time.')
})

test('disabling a directory names the effect on its users, and keeps the mask', async () => {
  await openList()
  await screen.findByText('working')
  await choose('Disable')
  await screen.findByText(/Its users \(12\) are disabled within a minute/)
  server({ 'PUT /api/v2/ldaps/4': { ...company, enabled: false } })
  press('Disable')
  await waitFor(() => expect(bodyOf('PUT /api/v2/ldaps/4')).toEqual({ ...given, enabled: false }))
})

test('users are found, selected and imported; the report has a result for each', async () => {
  await openList()
  server({
    'GET /api/v2/ldaps/4/search': {
      items: [entry('ada'), entry('ben', { imported: true }), entry('cleo', { disabled: true })],
      next: null,
      truncated: true,
    },
  })
  await screen.findByText('working')
  await choose('Search and import')
  await screen.findByText('User ada')
  screen.getByText('disabled in the directory')
  screen.getByText(/Only the first 1,000/)
  expect(screen.getByLabelText<HTMLInputElement>('Select ben').disabled).toBe(true)
  server({
    'POST /api/v2/ldaps/4/import': {
      created: 1,
      rows: [
        { dn: entry('ada').dn, userName: 'ada', result: 'created', problem: '' },
        { dn: entry('cleo').dn, userName: 'cleo', result: 'missing', problem: 'is not in the directory' },
      ],
    },
  })
  fireEvent.click(screen.getByLabelText('Select all shown'))
  press('Import 2')
  await screen.findByText('1 of 2 users imported')
  screen.getByText('is not in the directory')
  expect(bodyOf('POST /api/v2/ldaps/4/import')).toEqual([{ dn: entry('ada').dn }, { dn: entry('cleo').dn }])
})

test('the test button sends the input with the id, and shows what the directory contains', async () => {
  await openForm('?ldap_id=4')
  server({
    'POST /api/v2/ldaps/validate': {
      users: 1000,
      groups: 3,
      sample: [entry('ada')],
      groupSample: [],
      missing: ['mail'],
      unknownGroups: ['cn=gone'],
      sharedEmails: [{ email: 'team@example.org', names: ['ada', 'ben'] }],
    },
  })
  type(/^User filter/, '(uid=*)')
  press('Test')
  await screen.findByText('The directory works with these settings')
  screen.getByText('1000 or more')
  screen.getByText(/None of them has mail/)
  screen.getByText(/cn=gone/)
  screen.getByText(/team@example\.org \(ada, ben\)/)
  expect(bodyOf('POST /api/v2/ldaps/validate')).toMatchObject({
    id: 4,
    userFilter: '(uid=*)',
    bindPassword: '********',
  })
})

test('a problem is shown at its field', async () => {
  await openForm('?ldap_id=4')
  server({
    'PUT /api/v2/ldaps/4': refusal(400, 'ldap-check-failed', 'The LDAP check failed', [
      { path: 'baseDn', key: 'ldap-base-missing', text: 'does not exist there' },
    ]),
  })
  press('Save')
  await screen.findByText('does not exist there')
  server({ 'PUT /api/v2/ldaps/4': company })
  press('Save')
  await waitFor(() => expect(showing.get()).toHaveLength(1))
  expect(bodyOf('PUT /api/v2/ldaps/4')).toMatchObject({ bindPassword: '********' })
})

test('unencrypted passwords cause a warning', async () => {
  await openForm('')
  expect(screen.queryByText(/in plain text/)).toBeNull()
  type(/^Address/, 'ldap://ldap.example.org')
  fireEvent.click(screen.getByLabelText(/^StartTLS/))
  await screen.findByText(/in plain text/)
  type(/^Address/, 'ldaps://ldap.example.org')
  await waitFor(() => expect(screen.queryByText(/in plain text/)).toBeNull())
})
