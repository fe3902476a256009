import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { session as calls } from '@gantry/contract/auth/session'
import { teams } from '@gantry/contract/teams/teams'
import { call } from '../api/call.ts'
import { holdDraft } from '../api/draft.ts'
import { showing } from '../api/notices.ts'
import { beginLogin, keepDirectory, signed } from '../api/session.ts'
import { local, session } from '../api/storage.ts'
import { ada, openApp, press, refusal, sent, server, settle, signedIn, useConsole } from '../../test/app.tsx'
import { confirm } from '../ui/feedback/dialog.tsx'
import type { AppRoute } from '../ui/route.ts'
import { ways } from './leave.ts'

useConsole()

const at = (name: string, path: `/${string}`, text: string, access: 'user' | 'public' = 'user'): AppRoute => ({
  name,
  path,
  access,
  page: () => Promise.resolve(() => <p>{text}</p>),
})
const routes = [
  at('login', '/login', 'the login', 'public'),
  at('new-dashboard', '/teams/$team_id/dashboard', 'the dashboard'),
  at('audit-logs', '/teams/$team_id/audit-logs', 'the audit log'),
]
async function open(path = '/teams/1/dashboard', text = 'the dashboard') {
  const app = await openApp(path, routes)
  await screen.findByText(text)
  return app
}
const over = () => refusal(401, 'session-over', 'Please log in again')
const logouts = () =>
  sent.filter((one) => one.path === calls.logout.path).map((one) => one.headers.get('authorization'))

const elsewhere = (left: unknown) => {
  local.set('left', left)
  const text = JSON.stringify({ value: 1 })
  return act(() => dispatchEvent(new StorageEvent('storage', { key: 'WISECLOUD__logout', newValue: text })))
}

beforeEach(() => {
  signedIn()
  beginLogin()
})

test('a logout continues at the identity provider', async () => {
  server({ 'POST /api/users/logout': { logoutUrl: 'https://id.example/end?x=1' } })
  await open()
  const away = vi.spyOn(ways, 'away').mockImplementation(() => undefined)
  press('Account of Ada')
  fireEvent.click(await screen.findByText('Log out'))
  await waitFor(() => expect(away).toHaveBeenCalledWith('https://id.example/end?x=1'))
  expect([signed.get(), session.get('token'), local.get('signed-in')]).toEqual([undefined, undefined, undefined])
  away.mockRestore()
})

test('an open confirmation is not shown to the next user', async () => {
  await open()
  const run = vi.fn(() => Promise.resolve())
  const answer = confirm({ title: 'Delete ledger?', run })
  await screen.findByText('Delete ledger?')
  await elsewhere(session.get('login'))
  await screen.findByText('the login')
  await expect(answer).resolves.toBe(false)
  expect(screen.queryByText('Delete ledger?')).toBeNull()
  expect(run).not.toHaveBeenCalled()
})

test('a logout in another tab of the same login has already ended it on the server', async () => {
  await open()
  await elsewhere(session.get('login'))
  await screen.findByText('the login')
  expect(logouts()).toEqual([])
})

test('a tab with a login of its own ends it on the server, without a message', async () => {
  server({ 'POST /api/users/logout': over })
  await open()
  await elsewhere('another')
  await screen.findByText('the login')
  await settle()
  expect(logouts()).toEqual(['Bearer token-of-ada'])
  expect(showing.get()).toEqual([])
})

test('a banned user’s page leaves for the login, says so, and returns to where it was', async () => {
  server({ 'POST /api/tickets': over })
  history.replaceState(null, '', '/teams/1/audit-logs?page=2')
  const app = await open('/teams/1/audit-logs?page=2', 'the audit log')
  await act(() => call(calls.ticket, { body: { method: 'GET', path: '/x' } }).catch(() => undefined))
  await screen.findByText('the login')
  expect(app.at()).toBe('/login')
  expect(showing.get().map(({ text }) => text)).toEqual(['Please log in again'])
  expect([session.get('return'), session.get('token')]).toEqual(['/teams/1/audit-logs?page=2', undefined])
  history.replaceState(null, '', '/')
})

const retried = (one: (typeof sent)[number]) =>
  one.headers.get('authorization') === 'Bearer fresh' ? { id: 5, name: 'five' } : over()

async function whileTyping(login: unknown) {
  server({ 'GET /api/teams/5': retried, 'POST /api/users/login': login })
  await open()
  const release = holdDraft()
  const running = call(teams.get, { params: { id: 5 } }).catch((error: unknown) => error)
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } })
  press('Log in and continue')
  return { running, release }
}

test('a tab whose login was replaced in another tab adopts the new one if the user is the same', async () => {
  server({ 'GET /api/teams/5': retried, 'POST /api/users/refresh': { ...ada, token: 'fresh' } })
  const app = await open()
  await expect(act(() => Promise.all([1, 2].map(() => call(teams.get, { params: { id: 5 } }))))).resolves.toEqual([
    { id: 5, name: 'five' },
    { id: 5, name: 'five' },
  ])
  expect([app.at(), signed.get()?.user.token, session.get('token')]).toEqual(['/teams/1/dashboard', 'fresh', 'fresh'])
  expect(sent.filter(({ path }) => path === calls.refresh.path)).toHaveLength(1)
})

test('a tab whose login was replaced by another user’s leaves for the login', async () => {
  server({ 'GET /api/teams/5': retried, 'POST /api/users/refresh': { ...ada, id: 8, token: 'fresh' } })
  await open()
  await act(() => call(teams.get, { params: { id: 5 } }).catch(() => undefined))
  await screen.findByText('the login')
  expect(signed.get()).toBeUndefined()
})

test('a directory’s user re-enters the password for the same directory', async () => {
  signedIn({ type: 'LDAP' })
  keepDirectory(4)
  const { running, release } = await whileTyping({ ...ada, type: 'LDAP', token: 'fresh' })
  await expect(running).resolves.toMatchObject({ name: 'five' })
  expect(sent.find((one) => one.path === calls.login.path)?.body).toEqual({
    username: 'ada',
    password: 'secret',
    type: 'LDAP',
    ldapId: 4,
  })
  release()
})

test('a refusal in place is shown, and the input stays', async () => {
  const { running, release } = await whileTyping(refusal(400, 'login-disabled', 'This account is disabled.'))
  expect((await screen.findByRole('alert')).textContent).toBe('This account is disabled.')
  expect(screen.getByText('the dashboard')).toBeTruthy()
  press('Leave without saving')
  await running
  await screen.findByText('the login')
  release()
})

test('a user who must change the password cannot continue in place', async () => {
  const { running, release } = await whileTyping({ ...ada, token: 'gated', newlyBuilt: true, passwordExpired: true })
  expect((await screen.findByRole('alert')).textContent).toMatch(/must be changed first/)
  expect(session.get('token')).toBe('token-of-ada')
  press('Leave without saving')
  await running
  release()
})
