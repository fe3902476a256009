import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { Session } from '@gantry/contract/auth/session'
import { dirtyForms } from '../src/api/draft.ts'
import { queryClient } from '../src/api/queries.ts'
import { loadLanguage } from '../src/api/language.ts'
import { loading } from '../src/api/loading.ts'
import { forget } from '../src/api/notices.ts'
import { permissions } from '../src/api/permissions.ts'
import { forgetSession, keepSession, signed } from '../src/api/session.ts'
import { ConfirmHost, loadDialogs } from '../src/ui/feedback/dialog.tsx'
import { HintHost } from '../src/ui/feedback/hint.tsx'
import type { AppRoute } from '../src/ui/route.ts'
import { Theme } from '../src/ui/theme/theme.tsx'
import { makeRouter } from '../src/shell/router.tsx'
import { loadFrame } from '../src/shell/shell.tsx'

/** The answer to a call: data, a Response, or a function of the request. */
export type Answer = unknown

export interface Sent {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: unknown
}

/** The calls that the page made, oldest first. */
export let sent: Sent[] = []
let answers: Record<string, Answer> = {}

/** Answers calls by `METHOD /path`; a function gets the call. Other calls are answered with 404. */
export function server(more: Record<string, Answer>): void {
  Object.assign(answers, more)
}

export const refusal = (status: number, message: string, errorMsg: string, data: unknown = null): Response =>
  Response.json({ status: 0, data, errorMsg, code: status, message }, { status })

async function answer(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : String(input), 'http://localhost')
  const method = init.method ?? 'GET'
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
  const call: Sent = { method, path: url.pathname, query: url.searchParams, headers: new Headers(init.headers), body }
  sent.push(call)
  const given = answers[`${method} ${url.pathname}`]
  const data: unknown = typeof given === 'function' ? await (given as (call: Sent) => unknown)(call) : given
  if (data instanceof Response) return data
  if (data === undefined) return refusal(404, 'resource-missing', 'It does not exist')
  return Response.json({ status: 1, data, errorMsg: null, code: 200, message: '' })
}

export const ada: Session = {
  token: 'token-of-ada',
  id: 7,
  newlyBuilt: false,
  passwordExpired: false,
  userName: 'ada',
  nickname: 'Ada',
  email: 'ada@example.com',
  admin: false,
  spaceName: '',
  type: 'IDENTITY',
  teams: [
    { id: 1, name: 'default', roleName: 'dev', teamLeader: false },
    { id: 2, name: 'payments', roleName: 'dev', teamLeader: false },
  ],
  systemRoles: [],
  viewAs: null,
  licensedUntil: null,
  news: '',
}

export const team = (id: number) => ({
  id,
  name: ada.teams.find((t) => t.id === id)?.name ?? `team-${id}`,
  description: '',
  creator: '',
  managers: ['Grace'],
  userNum: 2,
  createdAt: '2026-01-02T03:04:05Z',
})

/** Signs a user in before the page opens. */
export function signedIn(user: Partial<Session> = {}): Session {
  const session = { ...ada, ...user }
  keepSession(session)
  return session
}

/** Opens the whole console at an address. */
export async function openApp(path: string, routes: readonly AppRoute[]) {
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = makeRouter(routes, history)
  // as at the console's start
  if (signed.get()) await loadFrame()
  const view = render(
    <QueryClientProvider client={queryClient}>
      <Theme nonce="">
        <RouterProvider router={router} />
      </Theme>
    </QueryClientProvider>,
  )
  await waitFor(() => {
    if (router.state.status === 'pending') throw new Error('still loading')
  })
  return { ...view, router, history, at: () => history.location.href }
}

/** Opens one page, with dialogs and hints but without bars. */
export const openPage = (page: () => React.ReactNode, path = '/login-free', pattern: `/${string}` = '/login-free') =>
  openApp(path, [
    {
      name: 'page',
      path: pattern,
      access: signed.get() ? 'user' : 'public',
      page: () =>
        Promise.resolve(() => (
          <>
            {page()}
            <ConfirmHost />
            <HintHost />
          </>
        )),
    },
    { name: 'login', path: '/login', access: 'public', page: () => Promise.resolve(() => <p>the login</p>) },
    {
      name: 'new-dashboard',
      path: '/teams/$team_id/dashboard',
      page: () => Promise.resolve(() => <p>the dashboard</p>),
    },
  ])

export const type = (label: string | RegExp, text: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
}
export const press = (name: string | RegExp): void => {
  fireEvent.click(screen.getByRole('button', { name }))
}
export const settle = (): Promise<void> => act(() => new Promise<void>((resolve) => setTimeout(resolve, 0)))

// Without the whole document in the message, which would hide the failure.
configure({ getElementError: (message) => new Error(message ?? 'not found'), asyncUtilTimeout: 15_000 })

/** The set-up and tear-down of every test of the console. Call it once per file. */
export function useConsole(): void {
  beforeAll(() => loadLanguage('en'))
  // In production they arrive a moment after the first dialog was requested.
  beforeAll(loadDialogs)
  beforeEach(() => {
    sent = []
    answers = {
      'GET /api/public/options': {
        productName: 'Gantry',
        version: '0.1.0',
        registration: false,
        oauth: null,
        notice: '',
        sandbox: false,
      },
      'GET /api/public/ldaps': [],
      'GET /api/teams/1': team(1),
      'GET /api/teams/2': team(2),
      'GET /api/tenants/brief': { items: ada.teams, requestPage: 1, pageSize: 50, totalSize: 2 },
      'GET /api/teams/1/users/7/permissions': [],
      'GET /api/teams/2/users/7/permissions': [],
      'POST /api/users/logout': { logoutUrl: null },
      'GET /api/sessions': [],
    }
    vi.stubGlobal('fetch', vi.fn(answer))
  })
  afterEach(() => {
    cleanup()
    forgetSession()
    queryClient.clear()
    permissions.set(undefined)
    dirtyForms.set(0)
    loading.set(false)
    forget()
    localStorage.clear()
    sessionStorage.clear()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
