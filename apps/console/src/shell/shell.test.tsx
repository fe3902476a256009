import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { language } from '../api/language.ts'
import { showing } from '../api/notices.ts'
import { signed } from '../api/session.ts'
import { local, session } from '../api/storage.ts'
import { ada, openApp, press, refusal, sent, server, settle, signedIn, useConsole } from '../../test/app.tsx'
import { StateBadge } from '../ui/feedback/state-badge.tsx'
import { Page } from '../ui/page.tsx'
import type { AppRoute } from '../ui/route.ts'
import { manual } from './bars/top-bar.tsx'

vi.mock('../api/use-push.ts', () => ({ usePush: vi.fn(), useLive: vi.fn(() => ({})), closePush: vi.fn() }))

useConsole()

const screenOf = (name: string, path: `/${string}`, text: string, more: Partial<AppRoute> = {}): AppRoute => ({
  name,
  path,
  page: () => Promise.resolve(() => <p>{text}</p>),
  ...more,
})
const routes: readonly AppRoute[] = [
  screenOf('login', '/login', 'the login', { access: 'public' }),
  screenOf('register', '/register', 'the registration', { access: 'public' }),
  screenOf('home', '/', 'the root'),
  screenOf('new-dashboard', '/teams/$team_id/dashboard', 'the dashboard'),
  screenOf('info-basic', '/info/basic', 'the profile'),
  screenOf('pipeline-v1-list', '/teams/$team_id/cd', 'the pipelines'),
  screenOf('cd-create', '/teams/$team_id/cd/create', 'a new pipeline', { under: 'pipeline-v1-list' }),
  screenOf('sys-users', '/sysconfig/users', 'the users', { access: 'admin' }),
  screenOf('team-members', '/administration-team/$team_id/members', 'the members', {
    shortcut: '/administration-team/$team_id',
  }),
]
const open = (path: string) => openApp(path, routes)
const bars = () => [screen.queryByRole('banner'), screen.queryByRole('navigation', { name: 'Main menu' })]
const tell = (key: string, value: unknown) => {
  const text = JSON.stringify({ value })
  localStorage.setItem(`WISECLOUD__${key}`, text)
  return act(() => dispatchEvent(new StorageEvent('storage', { key: `WISECLOUD__${key}`, newValue: text })))
}

describe('a visitor', () => {
  test('is sent to the login, and the path is kept in session storage', async () => {
    const { at } = await open('/teams/1/cd?state=failed')
    await screen.findByText('the login')
    expect(at()).toBe('/login')
    expect(session.get('return')).toBe('/teams/1/cd?state=failed')
  })

  test('returns to the path after the login, unless it is the root', async () => {
    await open('/')
    await screen.findByText('the login')
    expect(session.get('return')).toBeUndefined()
  })

  test.each(['/no/such/page', '/500', '/500?x=1'])(
    'is sent there from %s too, and not led back to it',
    async (path) => {
      const { at } = await open(path)
      await screen.findByText('the login')
      expect(at()).toBe('/login')
      expect(session.get('return')).toBeUndefined()
    },
  )

  test('returns to a shorter path with its query', async () => {
    await open('/administration-team/1?team_id=2')
    await screen.findByText('the login')
    expect(session.get('return')).toBe('/administration-team/1?team_id=2')
  })

  test('may register', async () => {
    await open('/register')
    expect(await screen.findByText('the registration')).toBeTruthy()
  })
})

describe('the bars', () => {
  test.each(['/login', '/register'])('are hidden where the path is %s', async (path) => {
    await open(path)
    expect(bars()).toEqual([null, null])
  })

  test('are there elsewhere', async () => {
    signedIn()
    await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    expect(bars()).not.toContain(null)
  })

  test('are drawn with the first screen after a login, not around the login itself', async () => {
    const loaded = Promise.withResolvers<() => ReactNode>()
    const { router } = await openApp('/login', [
      screenOf('login', '/login', 'the login', { access: 'public' }),
      screenOf('new-dashboard', '/teams/$team_id/dashboard', '', { page: () => loaded.promise }),
    ])
    await screen.findByText('the login')
    signedIn()
    act(() => router.history.push('/teams/1/dashboard'))
    await settle()
    screen.getByText('the login')
    expect(bars()).toEqual([null, null])
    loaded.resolve(() => <p>the dashboard</p>)
    await screen.findByText('the dashboard')
    expect(bars()).not.toContain(null)
  })

  test('are hidden where the path contains login or register anywhere', async () => {
    signedIn()
    const { isOpen } = await import('../api/return-path.ts')
    expect(['/teams/1/login-history', '/x/register/y', '/teams/1/cd'].map(isOpen)).toEqual([true, true, false])
  })
})

describe('the page', () => {
  beforeEach(() => void signedIn())

  test('has the route title plus the product name as its title', async () => {
    const { loadProduct, product } = await import('./product.ts')
    const before = product.get()
    server({ 'GET /api/public/options': { ...before, productName: 'Harbour' } })
    await loadProduct()
    await open('/teams/1/cd')
    await waitFor(() => expect(document.title).toBe('Pipelines - Harbour'))
    act(() => product.set(before))
  })

  test('has the object that its heading names first in the title, without its state', async () => {
    const Build = () => (
      <Page
        title={
          <>
            web #12 <StateBadge state="failed" />
          </>
        }
      >
        the build
      </Page>
    )
    await openApp('/teams/1/cd', [
      { ...screenOf('pipeline-v1-list', '/teams/$team_id/cd', ''), page: async () => Build },
    ])
    await waitFor(() => expect(document.title).toBe('web #12 · Pipelines - Gantry'))
  })

  test('has the footer year, product name, release-{ip}', async () => {
    await open('/teams/1/dashboard')
    const footer = await screen.findByRole('contentinfo')
    expect(footer.textContent).toBe(`© ${new Date().getFullYear()} Gantry · release-${location.hostname}`)
  })

  test('shows a configured version in the footer', async () => {
    const { releaseOf } = await import('./product.ts')
    expect(releaseOf('release-10.0.0.7', 'localhost')).toBe('release-10.0.0.7')
  })

  test('of a shorter path redirects to its default, with its query', async () => {
    const { at } = await open('/administration-team/1?team_id=2')
    await screen.findByText('the members')
    expect(at()).toBe('/administration-team/1/members?team_id=2')
  })

  test('is 404 for an unknown path', async () => {
    await open('/teams/1/no-such-thing')
    await screen.findByText('This page does not exist')
    expect(document.title).toBe('Page not found - Gantry')
  })

  test('is the server error page at /500', async () => {
    await open('/500')
    await screen.findByText('Something went wrong on the server. Try again later.')
    await waitFor(() => expect(document.title).toBe('Server error - Gantry'))
  })

  test('opens /document/ in a new tab', async () => {
    await open('/teams/1/dashboard')
    const link = await screen.findByRole('link', { name: 'Manual' })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([manual, '_blank'])
    expect(manual).toBe('/document/?lang=en')
  })

  test('language: the button reloads, and the choice is kept for the session', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    expect(language).toBe('en')
    await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    press('中文')
    expect(session.get('language')).toBe('zh')
    expect(reload).toHaveBeenCalledOnce()
  })
})

describe('the sidebar', () => {
  const lit = async () => {
    const menu = await screen.findByRole('navigation', { name: 'Main menu' })
    return within(menu)
      .getAllByRole('link')
      .find((link) => link.getAttribute('aria-current'))?.textContent
  }

  test('keeps its collapsed state', async () => {
    signedIn()
    const first = await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    press('Collapse the menu')
    expect(local.get('collapsed')).toBe(true)
    first.unmount()
    await open('/teams/1/dashboard')
    expect((await screen.findByRole('button', { name: 'Expand the menu' })).getAttribute('aria-expanded')).toBe('false')
  })

  test('highlights the entry of the screen, and keeps it on screens without one', async () => {
    signedIn()
    const { history } = await open('/teams/1/cd/create')
    await screen.findByText('a new pipeline')
    expect(await lit()).toBe('Pipelines')
    expect(local.get('active')).toBe('pipeline-v1-list')
    act(() => history.push('/500'))
    await screen.findByText('Something went wrong on the server. Try again later.')
    expect(await lit()).toBe('Pipelines')
  })

  test('hides what is not there yet, and a group without an entry', async () => {
    const { present } = await import('./bars/menu.ts')
    const groups = [
      { entries: [{ route: 'a', icon: 'add' as const }] },
      { title: 'menu-audit' as const, entries: [{ route: 'b', icon: 'add' as const }] },
    ]
    expect(present(groups, { a: '/a' })).toEqual([groups[0]])
  })
})

describe('administrators', () => {
  test('have the gear; others do not', async () => {
    signedIn({ admin: true })
    const first = await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    // The menu lists what the whole console has, so the gear is there once a settings screen is.
    const { menuOf } = await import('./bars/menu.ts')
    expect(screen.queryAllByRole('button', { name: 'System settings' })).toHaveLength(
      menuOf('settings').length > 0 ? 1 : 0,
    )
    first.unmount()
    signedIn()
    await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    expect(screen.queryByRole('button', { name: 'System settings' })).toBeNull()
  })

  test('open system settings; others are refused with a message', async () => {
    signedIn({ admin: true })
    const first = await open('/sysconfig/users')
    await screen.findByText('the users')
    first.unmount()
    signedIn()
    await open('/sysconfig/users')
    expect(await screen.findByText('You do not have permission for this request')).toBeTruthy()
  })
})

describe('the team', () => {
  beforeEach(() => void signedIn())

  test('switches with a path that names another team, and loads its permissions', async () => {
    server({
      'POST /api/users/refresh': { ...ada, token: 'token-in-2' },
      'GET /api/teams/2/users/7/permissions': [{ name: 'pipeline_pipeline_view', enable: true }],
    })
    await open('/teams/2/cd')
    await screen.findByText('the pipelines')
    expect(signed.get()).toMatchObject({ teamId: 2, user: { token: 'token-in-2' } })
    const call = sent.find((one) => one.path === '/api/users/refresh')
    expect([call?.query.get('tenantId'), call?.headers.get('authorization')]).toEqual(['2', 'Bearer token-of-ada'])
    expect(session.get('permissions')).toEqual([{ name: 'pipeline_pipeline_view', enable: true }])
  })

  test("of a path that the user is not in (user-team) redirects to the default team's dashboard", async () => {
    server({ 'POST /api/users/refresh': refusal(403, 'user-team', 'You are not a member of this team') })
    const { at } = await open('/teams/99/cd')
    await screen.findByText('the dashboard')
    expect(at()).toBe('/teams/1/dashboard')
    expect(showing.get().at(-1)?.text).toBe('You are not a member of this team')
  })

  test('switch lists 50 teams per page and opens the dashboard of the chosen one', async () => {
    server({ 'POST /api/users/refresh': { ...ada, token: 'token-in-2' } })
    const { at } = await open('/teams/1/cd')
    await screen.findByText('the pipelines')
    press('Switch team (current: default)')
    fireEvent.click(await screen.findByRole('button', { name: 'payments' }))
    await waitFor(() => expect(at()).toBe('/teams/2/dashboard'))
    expect(sent.find((one) => one.path === '/api/tenants/brief')?.query.get('pageSize')).toBe('50')
  })

  test('follows a switch in another tab', async () => {
    server({ 'POST /api/users/refresh': { ...ada, token: 'token-in-2' } })
    const { at } = await open('/teams/1/cd')
    await screen.findByText('the pipelines')
    tell('team', { teamId: 2, userId: ada.id, at: 1 })
    await waitFor(() => expect(at()).toBe('/teams/2/dashboard'))
  })
})

describe('leaving', () => {
  beforeEach(() => void signedIn())

  test('logging out ends the session everywhere and says so', async () => {
    const { closePush } = await import('../api/use-push.ts')
    const { at } = await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    press('Account of Ada')
    fireEvent.click(await screen.findByText('Log out'))
    await screen.findByText('the login')
    expect(at()).toBe('/login')
    expect(closePush).toHaveBeenCalled()
    expect(sent.map((one) => one.path)).toContain('/api/users/logout')
    expect(['token', 'user', 'permissions'].map((key) => session.get(key))).toEqual([undefined, undefined, undefined])
    expect(local.get('logout')).toBeTypeOf('number')
    expect(showing.get().at(-1)?.text).toBe('Logged out')
  })

  test('a logout in another tab is one here', async () => {
    const { at } = await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    tell('logout', 1)
    await screen.findByText('the login')
    expect(at()).toBe('/login')
    expect(session.get('token')).toBeUndefined()
  })

  test('an expired session asks to log in again, clears the token and keeps the path', async () => {
    const { call } = await import('../api/call.ts')
    const { teams } = await import('@gantry/contract/teams/teams')
    await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    server({ 'GET /api/teams/5': refusal(401, 'session-over', 'Please log in again') })
    await act(() => call(teams.get, { params: { id: 5 } }).catch(() => undefined))
    await screen.findByText('the login')
    expect(session.get('token')).toBeUndefined()
    expect(showing.get().at(-1)?.text).toBe('Please log in again')
  })

  test('a 401 while a form is open asks for the password in place, and sends the call again', async () => {
    const { call } = await import('../api/call.ts')
    const { holdDraft } = await import('../api/draft.ts')
    const { teams } = await import('@gantry/contract/teams/teams')
    const { at } = await open('/teams/1/cd')
    await screen.findByText('the pipelines')
    server({
      'GET /api/teams/5': (one: (typeof sent)[number]) =>
        one.headers.get('authorization') === 'Bearer fresh'
          ? { id: 5, name: 'five' }
          : refusal(401, 'session-over', 'Please log in again'),
      'POST /api/users/login': { ...ada, token: 'fresh' },
    })
    const release = holdDraft()
    const running = call(teams.get, { params: { id: 5 } })
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } })
    press('Log in and continue')
    await expect(running).resolves.toMatchObject({ name: 'five' })
    await settle()
    expect(at()).toBe('/teams/1/cd')
    expect(sent.find((one) => one.path === '/api/users/login')?.body).toMatchObject({
      username: 'ada',
      password: 'secret',
    })
    release()
  })

  test('another user cannot take over a form', async () => {
    const { call } = await import('../api/call.ts')
    const { holdDraft } = await import('../api/draft.ts')
    const { teams } = await import('@gantry/contract/teams/teams')
    await open('/teams/1/cd')
    await screen.findByText('the pipelines')
    server({
      'GET /api/teams/5': refusal(401, 'session-over', 'Please log in again'),
      'POST /api/users/login': { ...ada, id: 8, token: 'of-bob' },
    })
    const release = holdDraft()
    const running = call(teams.get, { params: { id: 5 } }).catch((error: unknown) => error)
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } })
    press('Log in and continue')
    await screen.findByText(/You have logged in as a different user/)
    expect(signed.get()?.user.id).toBe(7)
    press('Leave without saving')
    await running
    release()
  })
})

describe('the keyboard', () => {
  beforeEach(() => void signedIn())

  test('Ctrl-K goes anywhere', async () => {
    const { at } = await open('/teams/1/cd')
    await screen.findByText('the pipelines')
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    const box = await screen.findByRole('combobox', { name: 'Search' })
    fireEvent.change(box, { target: { value: 'account profile' } })
    fireEvent.keyDown(box, { key: 'Enter' })
    await waitFor(() => expect(at()).toBe('/info/basic'))
  })

  test('? shows the shortcuts, but not while somebody types', async () => {
    await open('/teams/1/cd')
    await screen.findByText('the pipelines')
    const input = document.createElement('input')
    document.body.append(input)
    fireEvent.keyDown(input, { key: '?' })
    expect(screen.queryByText('Keyboard shortcuts')).toBeNull()
    fireEvent.keyDown(document.body, { key: '?' })
    await screen.findByText('Keyboard shortcuts')
    input.remove()
  })
})
