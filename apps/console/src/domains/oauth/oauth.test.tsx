import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '../../api/queries.ts'
import { showing } from '../../api/notices.ts'
import { openPage, press, refusal, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { OauthPage } from './oauth-page.tsx'

useConsole()

const settings = {
  enabled: true,
  name: 'Company login',
  issuer: 'https://id.example.org',
  clientId: 'gantry',
  clientSecret: '********',
  scopes: 'openid profile email',
  userNameClaim: 'preferred_username',
  nicknameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: 'groups',
  createAtLogin: true,
  singleLogout: true,
  mappings: [{ group: 'devs', teamId: 3, roleId: null as number | null }],
  redirectUri: 'https://gantry.example.org/login',
  logoutUri: 'https://gantry.example.org/login',
  backchannelLogoutUri: 'https://gantry.example.org/api/oauth/backchannel-logout',
}
const found = {
  issuer: 'https://id.example.org',
  authorizationEndpoint: 'https://id.example.org/auth',
  tokenEndpoint: 'https://id.example.org/token',
  endSessionEndpoint: null,
  pkce: true,
  keys: 2,
  lastSignIn: null as null | { userName: string; groups: string[] | null; at: string },
}
const named = [3, 4, 5].map((id) => ({ id, name: `harbour-${id}` }))

async function open(more: Partial<typeof settings> = {}) {
  signedIn({ admin: true })
  server({
    'GET /api/oauth': { ...settings, ...more },
    'GET /api/tenants/brief': { items: named, requestPage: 1, pageSize: -1, totalSize: named.length },
    'GET /api/tenants/3/roles': [{ id: 5, name: 'developer', members: 0 }],
  })
  await openPage(() => <OauthPage />)
  await screen.findByLabelText('Issuer')
}
const bodyOf = (call: string) => sent.find((one) => `${one.method} ${one.path}` === call)?.body

test('shows the addresses to register, and instructions for Keycloak', async () => {
  await open()
  screen.getByText(settings.backchannelLogoutUri)
  expect(screen.getAllByRole('button', { name: `Copy ${settings.redirectUri}` })).toHaveLength(2)
  screen.getByText('Instructions for Keycloak')
})

test('the test button sends the input, saves nothing, and shows what the provider reports', async () => {
  await open()
  server({ 'POST /api/oauth/test': found })
  type('Client ID', 'gantry-2')
  press('Test')
  await screen.findByText('The identity provider responds and accepts this client')
  screen.getByText(found.tokenEndpoint)
  screen.getByText('not supported')
  expect(bodyOf('POST /api/oauth/test')).toMatchObject({ clientId: 'gantry-2', clientSecret: '********' })
  expect(bodyOf('POST /api/oauth')).toBeUndefined()
})

test.each([
  ['that no mapping matches', ['/devs', 'staff'], '/devs, staff', true],
  ['that a mapping matches', ['devs', 'staff'], 'devs, staff', false],
  ['of which there are none', [], 'none', true],
  ['of which there are too many', null, 'too many to be told', false],
])('the test button shows the groups of the latest sign-in %s', async (_what, groups, words, warned) => {
  await open()
  server({
    'POST /api/oauth/test': { ...found, lastSignIn: { userName: 'grace', groups, at: '2026-11-29T08:00:00.000Z' } },
  })
  press('Test')
  await screen.findByText(words)
  screen.getByText(/^grace, /)
  expect(screen.queryAllByText(/No mapping matches/)).toHaveLength(warned ? 1 : 0)
})

test('a failed test reports the cause, and the input stays', async () => {
  await open()
  server({
    'POST /api/oauth/test': refusal(400, 'oauth-client-refused', 'The identity provider rejects this platform'),
  })
  press('Test')
  await screen.findByText('The identity provider rejects this platform')
  expect(screen.getByLabelText<HTMLInputElement>('Issuer').value).toBe(settings.issuer)
})

test('saves the mask unchanged, an empty groups claim as none, and the mappings', async () => {
  await open()
  server({ 'POST /api/oauth': settings })
  type(/^Groups claim/, '')
  press('Save')
  await waitFor(() => expect(showing.get()).toHaveLength(1))
  const { redirectUri: _, logoutUri: __, backchannelLogoutUri: ___, ...given } = settings
  expect(bodyOf('POST /api/oauth')).toEqual({ ...given, groupsClaim: '' })
})

test('the input stays when the settings are read again; saved values are shown as stored', async () => {
  await open()
  const secret = () => screen.getByLabelText<HTMLInputElement>(/^Client secret/).value
  const { redirectUri: _, logoutUri: __, backchannelLogoutUri: ___, ...kept } = settings
  type(/^Client secret/, 'typed')
  server({ 'GET /api/oauth': { ...settings, redirectUri: 'https://elsewhere.example.org/login' } })
  await act(() => queryClient.invalidateQueries())
  await screen.findByText('https://elsewhere.example.org/login')
  expect(secret()).toBe('typed')
  server({ 'POST /api/oauth': kept, 'GET /api/oauth': refusal(500, 'server-error', 'It stumbles') })
  press('Save')
  await waitFor(() => expect(secret()).toBe('********'))
})

test('one read gets the names of all mapped teams', async () => {
  await open({ mappings: named.map(({ id }) => ({ group: `group-${id}`, teamId: id, roleId: 0 })) })
  for (const { name } of named) await screen.findByText(name)
  expect(screen.getAllByText('Team leader')).toHaveLength(3)
  expect(sent.filter(({ path }) => path === '/api/tenants/brief')).toHaveLength(1)
  expect(sent.filter(({ path }) => path.startsWith('/api/teams/'))).toEqual([])
})

test('a mapping can be removed and added; an incomplete one prevents saving', async () => {
  await open()
  await screen.findByText('harbour-3')
  press('Remove mapping 1')
  expect(screen.queryByText('harbour-3')).toBeNull()
  press('Add mapping')
  press('Save')
  await waitFor(() => expect(screen.getAllByText('This field is required').length).toBeGreaterThan(0))
  expect(bodyOf('POST /api/oauth')).toBeUndefined()
})

test('warns of an address without TLS', async () => {
  await open()
  expect(screen.queryByText(/can log in as any user/)).toBeNull()
  type('Issuer', 'http://id.example.org')
  await screen.findByText(/can log in as any user/)
  type('Issuer', 'http://127.0.0.1:8080')
  await waitFor(() => expect(within(document.body).queryByText(/can log in as any user/)).toBeNull())
})
