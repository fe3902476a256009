import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Topic } from '@gantry/contract/topic'
import { showing } from '../api/notices.ts'
import { permissions } from '../api/permissions.ts'
import { forgetSession, signed } from '../api/session.ts'
import { ada, openApp, refusal, sent, server, settle, signedIn, useConsole } from '../../test/app.tsx'

const handlers = vi.hoisted(() => new Map<string, (content: unknown) => void>())
const missed = vi.hoisted(() => new Map<string, (() => void) | undefined>())
vi.mock('../api/use-push.ts', () => ({
  usePush: (
    topics: readonly Topic[],
    params: object | undefined,
    onContent: (content: unknown) => void,
    onLost?: () => void,
  ) => {
    for (const topic of params ? topics : []) {
      handlers.set(topic.name({ ...params }), onContent)
      missed.set(topic.name({ ...params }), onLost)
    }
  },
  useFollow: vi.fn(),
  closePush: vi.fn(),
}))

useConsole()
beforeEach(() => handlers.clear())

/** Delivers an event on the push channel. */
const say = (topic: string, content: unknown) => act(() => handlers.get(topic)?.(content))
const may = (name: string) => permissions.get()?.find((entry) => entry.name === name)?.enable

async function open() {
  signedIn()
  const app = await openApp('/teams/1/cd', [
    { name: 'cd', path: '/teams/$team_id/cd', page: () => Promise.resolve(() => <p>the pipelines</p>) },
    {
      name: 'new-dashboard',
      path: '/teams/$team_id/dashboard',
      page: () => Promise.resolve(() => <p>the dashboard</p>),
    },
  ])
  await screen.findByText('the pipelines')
  return app
}
const refreshes = () => sent.filter(({ path }) => path === '/api/users/refresh')

test('changed permissions apply at once, and the user stays on the page', async () => {
  const { at } = await open()
  server({
    'POST /api/users/refresh': { ...ada, token: 'again' },
    'GET /api/teams/1/users/7/permissions': [{ name: 'pipeline_pipeline_create', enable: true }],
  })
  say('user/7', { changed: 'rights' })
  await waitFor(() => expect(may('pipeline_pipeline_create')).toBe(true))
  expect(refreshes()[0]?.query.get('tenantId')).toBe('1')
  expect(at()).toBe('/teams/1/cd')
})

test('after a possibly missed change permissions are loaded once more; the known ones stay until the answer', async () => {
  await open()
  const path = 'GET /api/teams/1/users/7/permissions'
  const lose = () => act(() => missed.get('user/7')?.())
  server({ [path]: [{ name: 'pipeline_pipeline_create', enable: true }] })
  lose()
  await waitFor(() => expect(may('pipeline_pipeline_create')).toBe(true))
  server({ [path]: () => refusal(503, 'unavailable', 'Not now') })
  sent.length = 0
  lose()
  await waitFor(() => expect(sent).toHaveLength(1))
  await settle()
  expect(may('pipeline_pipeline_create')).toBe(true)
  expect(refreshes()).toEqual([])
})

test('a user who is removed from the open team is sent to the default one, and told why', async () => {
  const { at } = await open()
  const rest = { ...ada, teams: ada.teams.filter(({ id }) => id === 2) }
  server({
    'POST /api/users/refresh': ({ query }: { query: URLSearchParams }) =>
      query.get('tenantId') === '1' ? refusal(403, 'user-team', 'You are not a member') : rest,
  })
  say('user/7', { changed: 'rights' })
  await screen.findByText('the dashboard')
  expect(at()).toBe('/teams/2/dashboard')
  expect(signed.get()?.teamId).toBe(2)
  expect(showing.get().at(-1)?.text).toBe('You are not a member of this team')
})

/** An answer that the test gives at a chosen time. */
function deferred<T>(): { answer: () => Promise<T>; give: (value: T) => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<T>()
  return { answer: () => promise, give: (value) => act(async () => resolve(value)) }
}

test('permissions that arrive after a logout log nobody in', async () => {
  await open()
  const { answer, give } = deferred()
  server({ 'POST /api/users/refresh': answer })
  say('user/7', { changed: 'rights' })
  await waitFor(() => expect(refreshes()).toHaveLength(1))
  act(forgetSession)
  await give({ ...ada, token: 'again' })
  await settle()
  expect(signed.get()).toBeUndefined()
  expect(permissions.get()).toBeUndefined()
  expect(sessionStorage.length).toBe(0)
})

test.each(['session', 'rights'] as const)(
  'a user who switches teams before the %s arrive stays in the new team, with its permissions',
  async (late) => {
    const { router } = await open()
    const { answer, give } = deferred<unknown>()
    server({
      'POST /api/users/refresh': ({ query }: { query: URLSearchParams }) =>
        late === 'session' && query.get('tenantId') === '1' ? answer() : ada,
      'GET /api/teams/1/users/7/permissions': late === 'rights' ? answer : [],
      'GET /api/teams/2/users/7/permissions': [{ name: 'pipeline_pipeline_create', enable: true }],
    })
    const before = sent.length
    say('user/7', { changed: 'rights' })
    const awaited = late === 'session' ? '/api/users/refresh' : '/api/teams/1/users/7/permissions'
    await waitFor(() => expect(sent.slice(before).map(({ path }) => path)).toContain(awaited))
    await act(() => router.navigate({ to: '/teams/2/dashboard' }))
    await screen.findByText('the dashboard')
    await give(late === 'session' ? ada : [{ name: 'stack_stack_create', enable: true }])
    await settle()
    expect(signed.get()?.teamId).toBe(2)
    expect(permissions.get()).toEqual([{ name: 'pipeline_pipeline_create', enable: true }])
  },
)

test('however often permissions change while they load, they are loaded once more', async () => {
  await open()
  const first = deferred()
  let calls = 0
  server({
    'POST /api/users/refresh': () => (++calls === 1 ? first.answer() : ada),
    'GET /api/teams/1/users/7/permissions': () => [{ name: 'pipeline_pipeline_create', enable: calls > 1 }],
  })
  for (let time = 0; time < 10; time++) say('user/7', { changed: 'rights' })
  await waitFor(() => expect(calls).toBe(1))
  await first.give(ada)
  await waitFor(() => expect(may('pipeline_pipeline_create')).toBe(true))
  await settle()
  expect(refreshes()).toHaveLength(2)
})

test('a renamed team is renamed in the bar', async () => {
  await open()
  const [first, ...others] = ada.teams
  server({ 'POST /api/users/refresh': { ...ada, teams: [{ ...first, name: 'renamed' }, ...others] } })
  say('team/1', { changed: 'members' })
  expect(refreshes()).toEqual([])
  say('team/1', { changed: 'team' })
  expect(await screen.findByText('renamed')).toBeTruthy()
})

test('a server error leaves everything as it is', async () => {
  const { at } = await open()
  server({ 'POST /api/users/refresh': refusal(500, 'server-error', 'broken') })
  say('user/7', { changed: 'rights' })
  await waitFor(() => expect(refreshes().length).toBeGreaterThan(0))
  expect([at(), signed.get()?.teamId]).toEqual(['/teams/1/cd', 1])
})
