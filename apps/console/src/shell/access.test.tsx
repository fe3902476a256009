import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { loading } from '../api/loading.ts'
import { showing } from '../api/notices.ts'
import { signed } from '../api/session.ts'
import { local, session } from '../api/storage.ts'
import { ada, press, refusal, sent, server, settle, signedIn, useConsole } from '../../test/app.tsx'
import { open } from '../../test/shell.tsx'

useConsole()

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
    'is sent there from %s too, and not returned to it',
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

describe('administrators', () => {
  test('have the gear; others do not', async () => {
    signedIn({ admin: true })
    const first = await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    // The menu lists existing routes only, so the gear appears once a settings screen exists.
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
    const covered: boolean[] = []
    server({
      'POST /api/users/refresh': () => {
        covered.push(loading.get())
        return { ...ada, token: 'token-in-2' }
      },
      'GET /api/teams/2/users/7/permissions': [{ name: 'pipeline_pipeline_view', enable: true }],
    })
    await open('/teams/2/cd')
    await screen.findByText('the pipelines')
    expect(signed.get()).toMatchObject({ teamId: 2, user: { token: 'token-in-2' } })
    const call = sent.find((one) => one.path === '/api/users/refresh')
    expect([call?.query.get('tenantId'), call?.headers.get('authorization')]).toEqual(['2', 'Bearer token-of-ada'])
    expect(session.get('permissions')).toEqual([{ name: 'pipeline_pipeline_view', enable: true }])
    expect(covered).toEqual([true])
    await waitFor(() => expect(loading.get()).toBe(false))
  })

  test('redirects from the path of another team (user-team) to the default team’s dashboard', async () => {
    server({ 'POST /api/users/refresh': refusal(403, 'user-team', 'You are not a member of this team') })
    const { at } = await open('/teams/99/cd')
    await screen.findByText('the dashboard')
    expect(at()).toBe('/teams/1/dashboard')
    expect(showing.get().at(-1)?.text).toBe('You are not a member of this team')
  })

  test('the switch lists 50 teams per page and opens the dashboard of the chosen one', async () => {
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

  test('a logout ends the session everywhere and says so', async () => {
    const { push } = await import('../api/use-push.ts')
    const closePush = vi.spyOn(push, 'close')
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

  test('on a 401 with an open form, asks for the password in place, and repeats the call', async () => {
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
