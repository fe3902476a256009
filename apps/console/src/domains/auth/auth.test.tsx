import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { notices } from '../../api/notices.ts'
import { signed } from '../../api/session.ts'
import { session as tab } from '../../api/storage.ts'
import { ada, openApp, press, refusal, sent, server, type, useConsole } from '../../../test/app.tsx'
import type { AppRoute } from '../../ui/route.ts'
import { routes as auth } from './routes.tsx'

vi.mock('../../api/use-push.ts', () => ({ usePush: vi.fn(), useLive: vi.fn(), push: { close: vi.fn() } }))

useConsole()

const at = (name: string, path: `/${string}`, text: string): AppRoute => ({
  name,
  path,
  page: () => Promise.resolve(() => <p>{text}</p>),
})
const routes = [
  ...auth,
  at('home', '/', 'the root'),
  at('new-dashboard', '/teams/$team_id/dashboard', 'the dashboard'),
  at('audit-logs', '/teams/$team_id/audit-logs', 'the audit log'),
]
const options = { productName: 'Gantry', version: '', registration: false, oauth: null, sandbox: false }

async function logIn(username = 'ada', password = 'secret') {
  await screen.findByText('Welcome')
  type('E-mail address or user name', username)
  type('Password', password)
  press('Log in')
}

describe('the login', () => {
  test("leads to the first team's dashboard with a login-success message", async () => {
    server({ 'POST /api/users/login': ada })
    const app = await openApp('/login', routes)
    await logIn(' ada ')
    await screen.findByText('the dashboard')
    expect(app.at()).toBe('/teams/1/dashboard')
    expect(notices.get()[0]?.text).toBe('Welcome back')
    expect(sent.find((one) => one.path === '/api/users/login')?.body).toEqual({
      username: 'ada',
      password: 'secret',
      type: 'IDENTITY',
    })
    expect(tab.get('token')).toBe('token-of-ada')
  })

  test('leads to the kept return path, once', async () => {
    server({ 'POST /api/users/login': ada })
    const app = await openApp('/teams/1/audit-logs?page=2', routes)
    await logIn()
    await screen.findByText('the audit log')
    expect(app.at()).toBe('/teams/1/audit-logs?page=2')
    expect(tab.get('return')).toBeUndefined()
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
    'a return path that a browser would take for another host is not followed: %s',
    async (path) => {
      tab.set('return', path)
      server({ 'POST /api/users/login': ada })
      const app = await openApp('/login', routes)
      await logIn()
      await screen.findByText('the dashboard')
      expect(app.at()).toBe('/teams/1/dashboard')
    },
  )

  test('input-userinfo: user name and password are required', async () => {
    await openApp('/login', routes)
    await logIn('  ', '')
    expect((await screen.findByRole('alert')).textContent).toBe('Enter your user name and password')
    expect(sent.map((one) => one.path)).not.toContain('/api/users/login')
  })

  test('user-Unknown-team: who has no team cannot log in', async () => {
    server({ 'POST /api/users/login': { ...ada, teams: [] } })
    await openApp('/login', routes)
    await logIn()
    expect((await screen.findByRole('alert')).textContent).toMatch(/no team yet/)
    expect(signed.get()).toBeUndefined()
  })

  test('a refusal is shown in its own words', async () => {
    server({ 'POST /api/users/login': refusal(400, 'login-refused', 'The user name or the password is wrong.') })
    await openApp('/login', routes)
    await logIn()
    expect((await screen.findByRole('alert')).textContent).toBe('The user name or the password is wrong.')
  })

  test('has an LDAP tab only where there is a server, and lists only entries with an id', async () => {
    server({
      'GET /api/public/ldaps': [
        { ldapId: 3, ldapName: 'corp' },
        { ldapId: 0, ldapName: 'nameless' },
      ],
      'POST /api/users/login': ada,
    })
    await openApp('/login', routes)
    fireEvent.click(await screen.findByRole('tab', { name: 'LDAP' }))
    const panel = screen.getByRole('tabpanel')
    type('User name', 'ada')
    type('Password', 'secret')
    fireEvent.mouseDown(within(panel).getByRole('combobox'))
    expect(screen.queryByText('nameless')).toBeNull()
    press('Log in')
    await screen.findByText('the dashboard')
    expect(sent.find((one) => one.path === '/api/users/login')?.body).toMatchObject({ type: 'LDAP', ldapId: 3 })
  })

  test('has an OAuth tab only where it is on: a link to /api/oauth/login', async () => {
    server({ 'GET /api/public/options': { ...options, oauth: { name: 'OAuth' } } })
    await openApp('/login', routes)
    fireEvent.click(await screen.findByRole('tab', { name: 'OAuth' }))
    expect(screen.getByRole('link', { name: 'Log in with OAuth' }).getAttribute('href')).toBe('/api/oauth/login')
  })

  test('without either there are no tabs', async () => {
    await openApp('/login', routes)
    await screen.findByText('Welcome')
    expect(screen.queryByRole('tab')).toBeNull()
  })

  test('an OAuth code is exchanged for a session and leaves the address', async () => {
    server({ 'GET /api/oauth/afterauth': ada })
    const app = await openApp('/login?code=abc&state=xyz', routes)
    await screen.findByText('the dashboard')
    expect(app.at()).toBe('/teams/1/dashboard')
    const call = sent.find((one) => one.path === '/api/oauth/afterauth')
    expect(Object.fromEntries(call?.query ?? [])).toEqual({ code: 'abc', state: 'xyz' })
  })

  test('an OAuth error is shown as plain text, capped', async () => {
    const app = await openApp(
      `/login?error=${encodeURIComponent(`<img src=x onerror=alert(1)>${'字'.repeat(10_000)}`)}`,
      routes,
    )
    await waitFor(() => expect(notices.get()).toHaveLength(1))
    const text = notices.get()[0]?.text ?? ''
    expect([[...text].length, text.slice(0, 10)]).toEqual([300, '<img src=x'])
    expect(document.querySelector('img')).toBeNull()
    await waitFor(() => expect(app.at()).toBe('/login'))
  })

  test('who is signed in does not see it', async () => {
    const { keepSession } = await import('../../api/session.ts')
    keepSession(ada)
    const app = await openApp('/login', routes)
    await screen.findByText('the dashboard')
    expect(app.at()).toBe('/teams/1/dashboard')
  })
})

describe('the first-login wizard', () => {
  async function openWizard() {
    server({ 'POST /api/users/login': { ...ada, newlyBuilt: true }, 'PUT /api/users/7': { id: 7 } })
    await openApp('/login', routes)
    await logIn()
    return screen.findByRole('dialog')
  }
  const fill = (current: string, next: string, repeat: string) => {
    type('Current password', current)
    type('New password', next)
    type('New password again', repeat)
    press('Save password')
  }

  test('leads in three steps to a new login, and stores no token', async () => {
    const dialog = await openWizard()
    within(dialog).getByText(/click next to change your initial password/)
    press('Next')
    fill('initial', 'quay-Crane-42!', 'quay-Crane-42!')
    await screen.findByText('Password changed successfully, please log in again', {}, { timeout: 10_000 })
    const change = sent.find((one) => one.method === 'PUT')
    expect(change?.headers.get('authorization')).toBe('Bearer token-of-ada')
    expect(change?.body).toEqual({
      id: 7,
      email: 'ada@example.com',
      nickname: 'Ada',
      admin: false,
      spaceName: '',
      oldPassword: 'initial',
      password: 'quay-Crane-42!',
      rePassword: 'quay-Crane-42!',
    })
    expect(tab.get('token')).toBeUndefined()
    press('Log in again')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(signed.get()).toBeUndefined()
  })

  test.each([
    ['valid-old-pwd', ['', 'quay-Crane-42!', 'quay-Crane-42!'], 'Enter your current password'],
    ['valid-new-pwd', ['initial', '', ''], 'Enter a new password'],
    ['valid-pwd-count', ['initial', 'aB3!x', 'aB3!x'], 'A password has 6 to 20 characters'],
    ['valid-pwd-strenght', ['initial', 'password', 'password'], /too easy to guess/],
    ['valid-write-new-pwd', ['initial', 'quay-Crane-42!', ''], 'Enter the new password again'],
    ['valid-pwd-diff', ['initial', 'quay-Crane-42!', 'quay-Crane-43!'], 'The two passwords differ'],
  ] as const)('%s', async (_key, [current, next, repeat], words) => {
    await openWizard()
    press('Next')
    fill(current, next, repeat)
    await screen.findByText(words, {}, { timeout: 10_000 })
    expect(sent.map((one) => one.method)).not.toContain('PUT')
  })

  test('inputs take at most 20 characters, and the meter shows only when something is typed', async () => {
    await openWizard()
    press('Next')
    const next = screen.getByLabelText<HTMLInputElement>('New password')
    expect(next.maxLength).toBe(20)
    expect(screen.queryByRole('meter')).toBeNull()
    type('New password', 'quay-Crane-42!')
    expect(await screen.findByRole('meter', {}, { timeout: 10_000 })).toBeTruthy()
  })
})

describe('registration', () => {
  test('is offered only where it is on', async () => {
    const first = await openApp('/register', routes)
    await screen.findByText(/Registration is switched off/)
    first.unmount()
    server({ 'GET /api/public/options': { ...options, registration: true } })
    const { queryClient } = await import('../../api/hooks.ts')
    queryClient.clear()
    await openApp('/login', routes)
    expect((await screen.findByRole('link', { name: 'Register' })).getAttribute('href')).toBe('/register')
  })
})
