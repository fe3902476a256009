import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { proofHeader } from '@gantry/contract/envelope'
import { showing } from '../../api/notices.ts'
import { forgetSession, restoreSession, signed } from '../../api/session.ts'
import { session as tab } from '../../api/storage.ts'
import { ada, openApp, press, refusal, sent, server, type, useConsole } from '../../../test/app.tsx'
import type { AppRoute } from '../../ui/route.ts'
import { routes as auth } from './routes.tsx'

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
const options = { productName: 'Gantry', version: '', registration: false, oauth: null, notice: '', sandbox: false }

async function logIn(username = 'ada', password = 'secret') {
  await screen.findByText('Welcome')
  type('Email address or username', username)
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
    expect(showing.get().at(-1)?.text).toBe('Welcome back')
    expect(sent.find((one) => one.path === '/api/users/login')?.body).toEqual({
      username: 'ada',
      password: 'secret',
      type: 'IDENTITY',
    })
    expect(tab.get('token')).toBe('token-of-ada')
  })

  test('sends the proof of this origin, the same one each time', async () => {
    server({ 'POST /api/users/login': ada })
    await openApp('/login', routes)
    await logIn()
    await screen.findByText('the dashboard')
    forgetSession()
    await restoreSession()
    const proofOf = (path: string) => sent.find((one) => one.path === path)?.headers.get(proofHeader)
    expect(proofOf('/api/users/login')).toMatch(/^[0-9a-f]{64}$/)
    expect(proofOf('/api/users/refresh')).toBe(proofOf('/api/users/login'))
    const bearing = sent.filter(({ headers }) => headers.has('authorization'))
    expect(bearing.filter(({ headers }) => headers.has(proofHeader))).toEqual([])
  })

  test('leads to the kept return path, once', async () => {
    server({ 'POST /api/users/login': ada })
    const app = await openApp('/teams/1/audit-logs?page=2', routes)
    await logIn()
    await screen.findByText('the audit log')
    expect(app.at()).toBe('/teams/1/audit-logs?page=2')
    expect(tab.get('return')).toBeUndefined()
  })

  test.each([
    '//evil.example',
    '//evil.example/teams/1/audit-logs',
    'https://evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/500',
    '/no/such/page',
    '/login',
    '/register?x=1',
  ])('ignores a return path that is no screen of ours: %s', async (path) => {
    tab.set('return', path)
    server({ 'POST /api/users/login': ada })
    const app = await openApp('/login', routes)
    await logIn()
    await screen.findByText('the dashboard')
    expect(app.at()).toBe('/teams/1/dashboard')
  })

  test('input-userinfo: user name and password are required', async () => {
    await openApp('/login', routes)
    await logIn('  ', '')
    expect((await screen.findByRole('alert')).textContent).toBe('Enter your username and password')
    expect(sent.map((one) => one.path)).not.toContain('/api/users/login')
  })

  test('user-Unknown-team: a user without a team cannot log in', async () => {
    server({
      'POST /api/users/login': refusal(400, 'user-Unknown-team', 'You are not a member of any team yet'),
    })
    await openApp('/login', routes)
    await logIn()
    expect((await screen.findByRole('alert')).textContent).toMatch(/not a member of any team yet/)
    expect(signed.get()).toBeUndefined()
  })

  test('shows a refusal in its own text', async () => {
    server({ 'POST /api/users/login': refusal(400, 'login-refused', 'The username or the password is wrong.') })
    await openApp('/login', routes)
    await logIn()
    expect((await screen.findByRole('alert')).textContent).toBe('The username or the password is wrong.')
  })

  test('keeps input from before the directories are loaded', async () => {
    let respond = (): void => undefined
    const known = new Promise<void>((resolve) => (respond = resolve))
    const directories = async () => {
      await known
      return [{ ldapId: 3, ldapName: 'corp' }]
    }
    server({ 'GET /api/public/ldaps': directories })
    await openApp('/login', routes)
    type('Email address or username', 'ada')
    respond()
    await screen.findByRole('tab', { name: 'LDAP' })
    expect(screen.getByLabelText<HTMLInputElement>('Email address or username').value).toBe('ada')
  })

  test('has an LDAP tab only if there is a server, and lists only entries with an id', async () => {
    server({
      'GET /api/public/ldaps': [
        { ldapId: 3, ldapName: 'corp' },
        { ldapId: 0, ldapName: 'nameless' },
      ],
      'POST /api/users/login': ada,
    })
    await openApp('/login', routes)
    fireEvent.click(await screen.findByRole('tab', { name: 'LDAP' }))
    await screen.findByLabelText('LDAP server')
    const panel = screen.getByRole('tabpanel')
    type('Username', 'ada')
    type('Password', 'secret')
    fireEvent.mouseDown(within(panel).getByRole('combobox'))
    expect(screen.queryByText('nameless')).toBeNull()
    press('Log in')
    await screen.findByText('the dashboard')
    expect(sent.find((one) => one.path === '/api/users/login')?.body).toMatchObject({ type: 'LDAP', ldapId: 3 })
  })

  test('has an OAuth tab only if OAuth is enabled: a link to /api/oauth/login', async () => {
    server({ 'GET /api/public/options': { ...options, oauth: { name: 'Harbour ID' } } })
    await openApp('/login', routes)
    fireEvent.click(await screen.findByRole('tab', { name: 'OAuth' }))
    const link = await screen.findByRole('link', { name: 'Log in with Harbour ID' })
    expect(link.getAttribute('href')).toBe('/api/oauth/login?lang=en')
  })

  test('has no tabs without either', async () => {
    await openApp('/login', routes)
    await screen.findByText('Welcome')
    expect(screen.queryByRole('tab')).toBeNull()
  })

  test('exchanges an OAuth code for a session and removes it from the address', async () => {
    server({ 'GET /api/oauth/afterauth': ada })
    const app = await openApp('/login?code=abc&state=xyz&iss=https%3A%2F%2Fid.example', routes)
    await screen.findByText('the dashboard')
    expect(app.at()).toBe('/teams/1/dashboard')
    const call = sent.find((one) => one.path === '/api/oauth/afterauth')
    expect(Object.fromEntries(call?.query ?? [])).toEqual({ code: 'abc', state: 'xyz', iss: 'https://id.example' })
  })

  test.each([
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['10 kB', '字'.repeat(10_000), '字'.repeat(300)],
    ['text that turns its direction', '\u202Eلا\u2066 abc\u0000\n', 'لا  abc'],
  ])(
    'shows an OAuth error as plain text, shortened, and removes it from the address: %s',
    async (_what, error, expected) => {
      const app = await openApp(`/login?error=server_error&error_description=${encodeURIComponent(error)}`, routes)
      await waitFor(() => expect(showing.get()).toHaveLength(1))
      expect(showing.get().at(-1)?.text).toBe(`The identity provider refused the login: ${expected}`)
      expect(document.querySelector('img')).toBeNull()
      await waitFor(() => expect(app.at()).toBe('/login'))
    },
  )

  test('quotes a provider that sends only a code, and explains a cancellation there', async () => {
    await openApp('/login?error=login_required', routes)
    await waitFor(() =>
      expect(showing.get().at(-1)?.text).toBe('The identity provider refused the login: login_required'),
    )
    await openApp('/login?error=access_denied&error_description=The+user+cancelled', routes)
    await waitFor(() => expect(showing.get().at(-1)?.text).toMatch(/^The login was cancelled at the identity provider/))
  })

  test('reports the cause if the provider cannot be reached', async () => {
    await openApp('/login?error=oauth-unavailable&error_description=id.example+did+not+answer', routes)
    const words = 'You cannot log in with OAuth at the moment: id.example did not answer'
    await waitFor(() => expect(showing.get().at(-1)?.text).toBe(words))
  })

  test('shows an error that is a phrase key as its text', async () => {
    await openApp('/login?error=login-not-imported', routes)
    await waitFor(() => expect(showing.get().at(-1)?.text).toMatch(/not been imported yet/))
  })

  test('reports that the server refused a code, and logs nobody in', async () => {
    server({ 'GET /api/oauth/afterauth': refusal(400, 'oauth-state', 'This login began elsewhere.') })
    const app = await openApp('/login?code=stolen&state=x', routes)
    await waitFor(() => expect(showing.get().at(-1)?.text).toBe('This login began elsewhere.'))
    expect([app.at(), signed.get()]).toEqual(['/login', undefined])
  })

  test('Enter in the password field logs in', async () => {
    server({ 'POST /api/users/login': ada })
    await openApp('/login', routes)
    await screen.findByText('Welcome')
    type('Email address or username', 'ada')
    type('Password', 'secret')
    // jsdom submits via the form, as a browser does on Enter in a field
    const form = screen.getByLabelText<HTMLInputElement>('Password').form
    expect(
      within(form as HTMLElement)
        .getByRole('button', { name: 'Log in' })
        .getAttribute('type'),
    ).toBe('submit')
    fireEvent.submit(form as HTMLElement)
    await screen.findByText('the dashboard')
  })

  test('shows the installation’s notice as plain text', async () => {
    server({ 'GET /api/public/options': { ...options, notice: 'Maintenance <b>tonight</b>' } })
    await openApp('/login', routes)
    await screen.findByText('Maintenance <b>tonight</b>')
  })

  test('admits an auditor without a team', async () => {
    server({ 'POST /api/users/login': { ...ada, teams: [], systemRoles: ['auditor'] } })
    const app = await openApp('/login', routes)
    await logIn()
    await screen.findByText('the root')
    expect(app.at()).toBe('/')
  })

  test('remembers the directory of the last login', async () => {
    const servers = [
      { ldapId: 3, ldapName: 'corp' },
      { ldapId: 4, ldapName: 'labs' },
    ]
    server({ 'GET /api/public/ldaps': servers, 'POST /api/users/login': ada })
    const first = await openApp('/login?tab=ldap', routes)
    const select = await screen.findByLabelText<HTMLSelectElement>('LDAP server')
    expect(select.value).toBe('3')
    fireEvent.change(select, { target: { value: '4' } })
    type('Username', 'ada')
    type('Password', 'secret')
    press('Log in')
    await screen.findByText('the dashboard')
    first.unmount()
    forgetSession()
    await openApp('/login?tab=ldap', routes)
    expect((await screen.findByLabelText<HTMLSelectElement>('LDAP server')).value).toBe('4')
  })

  test('is hidden from a logged-in user', async () => {
    const { keepSession } = await import('../../api/session.ts')
    keepSession(ada)
    const app = await openApp('/login', routes)
    await screen.findByText('the dashboard')
    expect(app.at()).toBe('/teams/1/dashboard')
  })
})

describe('the first-login wizard', () => {
  async function openWizard(more: object = {}) {
    server({ 'POST /api/users/login': { ...ada, newlyBuilt: true, ...more }, 'PUT /api/users/7': { id: 7 } })
    await openApp('/login', routes)
    await logIn()
    return screen.findByRole('dialog')
  }
  const fill = (current: string, next: string, repeat: string) => {
    type('Current password', current)
    type('New password', next)
    type('Repeat new password', repeat)
    press('Save password')
  }

  test('leads in three steps to a new login, and stores no token', async () => {
    const dialog = await openWizard()
    within(dialog).getByText(/click next to change your initial password/)
    press('Next')
    expect(document.activeElement).toBe(screen.getByLabelText('Current password'))
    fill('initial', 'quay-Crane-42!', 'quay-Crane-42!')
    await screen.findByText('Password changed successfully, please log in again')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Log in again' }))
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
    [
      'valid-pwd-count',
      ['initial', 'quay-Crane-42!-harbour', 'quay-Crane-42!-harbour'],
      'A password has 6 to 20 characters',
    ],
    ['valid-pwd-strenght', ['initial', 'password', 'password'], /too easy to guess/],
    ['valid-write-new-pwd', ['initial', 'quay-Crane-42!', ''], 'Enter the new password again'],
    ['valid-pwd-diff', ['initial', 'quay-Crane-42!', 'quay-Crane-43!'], 'The two passwords differ'],
  ] as const)('%s', async (_key, [current, next, repeat], words) => {
    await openWizard()
    press('Next')
    fill(current, next, repeat)
    await screen.findByText(words)
    expect(sent.map((one) => one.method)).not.toContain('PUT')
  })

  test('has its own text for an expired password', async () => {
    const dialog = await openWizard({ passwordExpired: true })
    within(dialog).getByText('Your password has expired')
    within(dialog).getByText(/has exceeded its validity period/)
  })

  test('a user who cancels is logged out on the server, and can log in again', async () => {
    await openWizard()
    press('Close')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const out = sent.find((one) => one.path === '/api/users/logout')
    expect(out?.headers.get('authorization')).toBe('Bearer token-of-ada')
    expect([signed.get(), tab.get('token')]).toEqual([undefined, undefined])
  })

  test('reports a wrong current password, which can be entered again', async () => {
    await openWizard()
    server({ 'PUT /api/users/7': refusal(400, 'password-old-wrong', 'The current password is wrong.') })
    press('Next')
    fill('wrong', 'quay-Crane-42!', 'quay-Crane-42!')
    expect((await screen.findByRole('alert')).textContent).toBe('The current password is wrong.')
    server({ 'PUT /api/users/7': { id: 7 } })
    fill('initial', 'quay-Crane-42!', 'quay-Crane-42!')
    await screen.findByText('Password changed successfully, please log in again')
  })

  test('refuses a too long new password instead of cutting it, accepts any current one, and shows the meter only with input', async () => {
    await openWizard()
    press('Next')
    const next = screen.getByLabelText<HTMLInputElement>('New password')
    expect(next.maxLength).toBe(200)
    expect(screen.getByLabelText<HTMLInputElement>('Current password').maxLength).toBe(200)
    expect(screen.queryByRole('meter')).toBeNull()
    type('New password', 'quay-Crane-42!')
    expect(await screen.findByRole('meter')).toBeTruthy()
  })
})
