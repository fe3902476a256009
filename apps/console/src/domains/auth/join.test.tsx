import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { joinHeader } from '@gantry/contract/envelope'
import { session as tab } from '../../api/storage.ts'
import { ada, openApp, press, refusal, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { routes as authRoutes } from './routes.tsx'

useConsole()

const routes = [
  ...authRoutes,
  {
    name: 'new-dashboard',
    path: '/teams/$team_id/dashboard',
    page: () => Promise.resolve(() => <p>the dashboard</p>),
  },
] as const

const options = {
  productName: 'Gantry',
  version: '1',
  registration: false,
  oauth: null,
  notice: '',
  sandbox: false,
}
const invitation = {
  leader: false,
  roleName: 'developer',
  by: 'grace',
  expiresAt: '2036-01-02T03:04:05Z',
  team: { id: 2, name: 'payments' },
}
const gone = () => refusal(404, 'join-link-over', 'This link to join is no longer valid.')

beforeEach(() => {
  location.hash = ''
  server({ 'GET /api/public/options': options, 'GET /api/public/ldaps': [], 'GET /api/public/join-link': invitation })
})

const open = () => {
  location.hash = '#gj_secret'
  return openApp('/login/join', routes)
}

test('a signed-in user joins by a button, and continues in the team', async () => {
  signedIn()
  server({ 'POST /api/join-links/join': { teamId: 2 }, 'POST /api/users/refresh': ada })
  const app = await open()
  expect(await screen.findByText('grace invites you to the team payments, with the role developer.')).toBeTruthy()
  expect(location.hash).toBe('')
  expect(sent.find(({ path }) => path === '/api/public/join-link')?.headers.get(joinHeader)).toBe('gj_secret')
  press('Join team')
  await waitFor(() => expect(app.at()).toBe('/teams/2/dashboard'))
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ token: 'gj_secret' })
  expect(tab.get('join')).toBeUndefined()
})

test('a visitor signs in with the link, joins by that, and arrives in the team', async () => {
  server({ 'POST /api/users/login': { ...ada, teams: [{ ...ada.teams[1], id: 2 }] } })
  const app = await open()
  await screen.findByText(/grace invites you/)
  press('Log in')
  await waitFor(() => expect(app.at()).toBe('/login'))
  await screen.findByLabelText('Email address or username')
  type('Email address or username', 'ada')
  type('Password', 'secret')
  press('Log in')
  await waitFor(() => expect(app.at()).toBe('/teams/2/dashboard'))
  expect(sent.find(({ path }) => path === '/api/users/login')?.headers.get(joinHeader)).toBe('gj_secret')
  expect(tab.get('join')).toBeUndefined()
})

test('offers registration if it is enabled', async () => {
  server({ 'GET /api/public/options': { ...options, registration: true } })
  await open()
  expect((await screen.findByRole('link', { name: 'Register' })).getAttribute('href')).toBe('/register')
})

test('reports an expired link', async () => {
  server({ 'GET /api/public/join-link': gone })
  await open()
  expect(await screen.findByText('This link is no longer valid')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('no longer valid')
  expect(tab.get('join')).toBeUndefined()
})

test('an unreachable server says nothing about the link', async () => {
  server({ 'GET /api/public/join-link': () => refusal(503, 'server-busy', 'Try again later') })
  await open()
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(screen.queryByText('This link is no longer valid')).toBeNull()
  expect(tab.get('join')).toBe('gj_secret')
})

test('reports at the button that the link was used meanwhile', async () => {
  signedIn()
  server({ 'POST /api/join-links/join': gone })
  await open()
  await screen.findByText(/grace invites you/)
  press('Join team')
  expect((await screen.findByRole('alert')).textContent).toContain('no longer valid')
})
