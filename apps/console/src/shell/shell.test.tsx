import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { language } from '../api/language.ts'
import { local, session } from '../api/storage.ts'
import { openApp, press, server, settle, signedIn, useConsole } from '../../test/app.tsx'
import { open, screenOf } from '../../test/shell.tsx'
import { StateBadge } from '../ui/feedback/state-badge.tsx'
import { Page } from '../ui/page.tsx'
import { manual } from './bars/top-bar.tsx'

useConsole()

const bars = () => [screen.queryByRole('banner'), screen.queryByRole('navigation', { name: 'Main menu' })]

describe('the bars', () => {
  test.each(['/login', '/register'])('are hidden where the path is %s', async (path) => {
    await open(path)
    expect(bars()).toEqual([null, null])
  })

  test('are shown elsewhere', async () => {
    signedIn()
    await open('/teams/1/dashboard')
    await screen.findByText('the dashboard')
    expect(bars()).not.toContain(null)
  })

  test('are rendered with the first screen after a login, not around the login itself', async () => {
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

  test('begins its title with the object in its heading, without its state and marks', async () => {
    const Build = () => (
      <Page
        title={
          <>
            web #12 <StateBadge state="failed" /> <span className="g-tag">simulated</span>
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

  test('redirects from a shorter path to its default, with its query', async () => {
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

  test('hides entries without a route, and groups without an entry', async () => {
    const { present } = await import('./bars/menu.ts')
    const groups = [
      { entries: [{ route: 'a', icon: 'add' as const }] },
      { title: 'menu-audit' as const, entries: [{ route: 'b', icon: 'add' as const }] },
    ]
    expect(present(groups, { a: '/a' })).toEqual([groups[0]])
  })
})

describe('the keyboard', () => {
  beforeEach(() => void signedIn())

  test('Ctrl-K opens the search', async () => {
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
