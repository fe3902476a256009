import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { SearchHit } from '@gantry/contract/search/search'
import { loadLanguage } from '../../api/language.ts'
import { permissions } from '../../api/permissions.ts'
import { ada, openApp, refusal, sent, server, signedIn, useConsole, type Sent } from '../../../test/app.tsx'
import { paths } from '../../paths.gen.ts'
import type { AppRoute } from '../../ui/route.ts'
import { placeOf } from './things.ts'
import { hrefOf } from '../../ui/link.tsx'

useConsole()
beforeEach(() => void signedIn())

const routes: readonly AppRoute[] = Object.entries(paths).map(([name, path]) => ({
  name,
  path,
  ...(path === '/login' && { access: 'public' as const }),
  page: () => Promise.resolve(() => <p>screen {name}</p>),
}))

const team = { id: 1, name: 'default' }
const web: SearchHit = { kind: 'pipeline', name: 'web shop', hint: 'shops', team, place: { id: 5, appId: 3 } }
const build: SearchHit = {
  kind: 'build',
  name: 'web shop #12',
  hint: 'Faster',
  team,
  place: { id: 5, appId: 3, number: 12 },
}
const foreign: SearchHit = {
  kind: 'product',
  name: 'web of payments',
  hint: '',
  team: { id: 2, name: 'payments' },
  place: { id: 9 },
}
const answer = (items: SearchHit[], more: Partial<{ more: boolean; unread: string[] }> = {}) =>
  server({ 'GET /api/search': { items, more: false, unread: [], ...more } })

async function palette(path = '/teams/1/cd') {
  const app = await openApp(path, routes)
  await screen.findByText(/^screen/)
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  const box = await screen.findByRole('combobox', { name: 'Search' })
  return {
    ...app,
    box,
    type: (text: string) => fireEvent.change(box, { target: { value: text } }),
    options: () => screen.queryAllByRole('option').map((one) => one.textContent),
    chosen: () => screen.queryByRole('option', { selected: true })?.textContent,
    key: (name: string) => fireEvent.keyDown(box, { key: name }),
  }
}
const keywords = () => sent.filter((one) => one.path === '/api/search').map((one) => one.query.get('keyword'))

describe('objects', () => {
  test('are listed below pages and actions, each with its kind and context', async () => {
    answer([web, build, foreign])
    const { type, options } = await palette()
    type('web')
    await screen.findByText('web shop')
    expect(options()).toEqual([
      'web shopPipeline · shops',
      'web shop #12Build · Faster',
      'web of paymentsProduct · payments',
      'Run web shopPipeline',
    ])
    type('pipelines')
    await waitFor(() =>
      expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
        'Pages and actions',
        'In your teams',
        'Actions',
      ]),
    )
    expect(options()[0]).toContain('Pipelines')
  })

  test('are searched after a pause in typing, in the current team, and not without a text', async () => {
    answer([web])
    const { type } = await palette()
    for (const text of ['w', 'we', 'web', 'web ']) type(text)
    await screen.findByText('web shop')
    expect(keywords()).toEqual(['web'])
    expect(sent.find((one) => one.path === '/api/search')?.headers.get('x-tenant-id')).toBe('1')
    type('')
    await waitFor(() => expect(screen.queryByText('web shop')).toBeNull())
    expect(keywords()).toEqual(['web'])
  })

  test('cancel an outdated request, and do not show its answer', async () => {
    const signals: AbortSignal[] = []
    const answered = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (url.startsWith('/api/search?keyword=slow'))
        return new Promise((_, reject) => {
          if (!init.signal) return
          signals.push(init.signal)
          init.signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
        })
      return answered(url, init)
    })
    answer([web])
    const { type } = await palette()
    type('slow')
    await waitFor(() => expect(signals).toHaveLength(1))
    type('web')
    await screen.findByText('web shop')
    expect(signals[0]?.aborted).toBe(true)
    expect(screen.getByRole('status').textContent).toBe('')
  })

  test('arrow keys move through pages and objects alike, wrapping around, and Enter opens', async () => {
    answer([web, build])
    const { type, key, chosen, box, at } = await palette()
    type('web')
    await screen.findByText('web shop')
    expect(chosen()).toContain('web shopPipeline')
    key('ArrowDown')
    expect(chosen()).toContain('#12')
    expect(box.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
    key('ArrowDown')
    expect(chosen()).toContain('web shopPipeline')
    key('ArrowUp')
    key('Enter')
    await waitFor(() => expect(at()).toBe('/teams/1/cd/pipeline_group_id/3/pipeline_id/5/history/12/info'))
    expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull()
  })

  test('Enter that completes a word of an input method opens nothing', async () => {
    const { box, at } = await palette()
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
    expect(at()).toBe('/teams/1/cd')
  })

  test('an object of another team switches to it', async () => {
    answer([foreign])
    server({ 'POST /api/users/refresh': { ...signedIn(), token: 'in-2' } })
    const { type, at } = await palette()
    type('payments')
    fireEvent.click(await screen.findByText('web of payments'))
    await waitFor(() => expect(at()).toBe('/teams/2/products/personal/9/app'))
  })

  test('without a text the recently opened objects are listed, newest first, each once', async () => {
    answer([web, build])
    const { history, type, key } = await palette()
    type('web')
    await screen.findByText('web shop')
    key('Enter')
    for (const name of ['web shop #12', 'web shop']) {
      act(() => history.push('/teams/1/dashboard'))
      await screen.findByText('screen new-dashboard')
      fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
      const box = await screen.findByRole('combobox', { name: 'Search' })
      fireEvent.change(box, { target: { value: 'web' } })
      fireEvent.click(await screen.findByText(name))
      await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search' })).toBeNull())
    }
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    const recent = within(await screen.findByRole('group', { name: 'Recently opened' }))
    expect(recent.getAllByRole('option').map((one) => one.textContent)).toEqual([
      'web shopPipeline · shops',
      'web shop #12Build · Faster',
    ])
  })

  test('another user’s are not shown', async () => {
    localStorage.setItem('WISECLOUD__recent-8', JSON.stringify({ value: [web] }))
    await palette()
    expect(screen.queryByRole('group', { name: 'Recently opened' })).toBeNull()
  })
})

describe('actions', () => {
  const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  const service = (name: string, state: 'stable' | 'upgraded', inTeam = team): SearchHit => ({
    kind: 'service',
    name,
    hint: 'shop',
    team: inTeam,
    state,
    place: { id: 4, type: 'bs', envId: uuid, stackId: 1, stackUuid: uuid, stackName: 'shop' },
  })
  const stack: SearchHit = { kind: 'stack', name: 'shop', hint: '', team, uuid, place: { id: 1, envId: uuid } }

  test('create what the user may create, on a screen that asks', async () => {
    permissions.set([{ name: 'product_product_create', enable: true }])
    answer([])
    const { type, options, key, at } = await palette()
    type('create')
    expect(options()).toEqual(['Create productProducts'])
    key('Enter')
    await waitFor(() => expect(at()).toBe('/teams/1/products/personal?do=create'))
  })

  test('users and teams are created by administrators', async () => {
    signedIn({ admin: true })
    const { type, options } = await palette()
    type('create')
    expect(options()).toEqual(
      expect.arrayContaining(['Create userUsers', 'Create teamTeams', 'Create pipelineCreate pipeline']),
    )
  })

  test.for(['run web', 'Run web shop'])('%s searches the pipeline, and asks on its screen', async (text) => {
    answer([web, build])
    const { type, key, chosen, at } = await palette()
    type(text)
    await waitFor(() => expect(chosen()).toBe('Run web shopPipeline'))
    expect(keywords()).toEqual([text.slice(4)])
    key('Enter')
    await waitFor(() => expect(at()).toBe('/teams/1/cd/pipeline_group_id/3/pipeline_id/5/history?do=run'))
    expect(sent.filter(({ method, path }) => method !== 'GET' && path !== '/api/tickets')).toEqual([])
  })

  test('an open upgrade can be confirmed or rolled back; others cannot', async () => {
    answer([service('web', 'upgraded'), service('web-2', 'stable'), stack])
    const { type, options } = await palette()
    type('web')
    await screen.findByText('Confirm the upgrade of web')
    expect(options().slice(3)).toEqual([
      'Confirm the upgrade of webService',
      'Roll back webService',
      'Add a service to shopStack',
    ])
    type('roll back web')
    await waitFor(() => expect(options()).toEqual(['Roll back webService']))
    fireEvent.click(screen.getByRole('option'))
    await screen.findByText('screen containers')
  })

  test('are offered for the open team only, by the permissions there, and not while viewing as a role', async () => {
    permissions.set([{ name: 'stack_service_operate', enable: true }])
    answer([web, service('web', 'upgraded', { id: 2, name: 'payments' })])
    const { type, options } = await palette()
    type('web')
    await screen.findByText('web shop')
    expect(options()).toHaveLength(2)
  })

  test('are not offered to a user who views as a role', async () => {
    signedIn({ viewAs: { teamId: 1, roleId: 3, roleName: 'viewer' } })
    answer([web])
    const { type, options } = await palette()
    type('web')
    await screen.findByText('web shop')
    expect(options()).toEqual(['web shopPipeline · shops'])
    type('create')
    await waitFor(() => expect(options()).toEqual(['web shopPipeline · shops'].slice(1)))
  })

  test('switch the team', async () => {
    answer([])
    const { type, key, at } = await palette()
    server({ 'POST /api/users/refresh': { ...ada } })
    type('switch payments')
    key('Enter')
    await waitFor(() => expect(at()).toBe('/teams/2/dashboard'))
  })

  test.for(['theme', 'language', 'manual', 'log out'])('%s is found without the server', async (text) => {
    answer([])
    const { type, options } = await palette()
    type(text)
    expect(options()).toHaveLength(1)
  })
})

describe('messages', () => {
  const said = (text: string | RegExp) => waitFor(() => expect(screen.getByRole('status').textContent).toMatch(text))

  test('say that nothing was found, what was searched, and what to do', async () => {
    answer([])
    const { type } = await palette()
    type('zebra')
    await said(/^Searching/)
    await said('Nothing that you can see matches “zebra”. Try fewer letters, or “name #12” for a build.')
  })

  test('do not report missing objects below a matching page', async () => {
    answer([])
    const { type, options } = await palette()
    type('pipelines')
    await waitFor(() => expect(keywords()).toEqual(['pipelines']))
    await said(/^$/)
    expect(options().length).toBeGreaterThan(0)
  })

  test('say that there are more matches, or that not everything could be searched', async () => {
    answer([web], { more: true })
    const { type } = await palette()
    type('web')
    await said(/There are more matches/)
    answer([web], { more: true, unread: ['image'] })
    type('web s')
    await said(/Not everything/)
  })

  test('say that the search failed, while pages still work', async () => {
    server({ 'GET /api/search': (_: Sent) => refusal(400, 'search-too-long', 'at most 100 characters') })
    const { type, options } = await palette()
    type('account')
    await said(/is not responding/)
    expect(options().join()).toContain('Profile')
  })

  test('are in Chinese too', async () => {
    await loadLanguage('zh')
    try {
      answer([web])
      await openApp('/teams/1/cd', routes)
      await screen.findByText(/^screen/)
      fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
      fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'web' } })
      await screen.findByText('流水线 · shops')
      answer([])
      fireEvent.change(screen.getByRole('combobox'), { target: { value: '斑马' } })
      await said(/没有您可查看且与“斑马”匹配的内容/)
    } finally {
      await loadLanguage('en')
    }
  })
})

test('every kind of object has a page with a complete address', () => {
  const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  const all: SearchHit[] = [
    web,
    build,
    foreign,
    { kind: 'pipeline-group', name: 'g', hint: '', team, place: { id: 3 } },
    { kind: 'image', name: 'i', hint: '', team, place: { id: 5, appId: 3 } },
    { kind: 'dockerfile', name: 'd', hint: '', team, place: { id: 7 } },
    { kind: 'stack', name: 's 1', hint: '', team, uuid, place: { id: 1, envId: uuid } },
    {
      kind: 'service',
      name: 'api',
      hint: 's',
      team,
      state: 'stable',
      place: { id: 4, type: 'bs', envId: uuid, stackId: 1, stackUuid: uuid, stackName: 's' },
    },
    { kind: 'helm-release', name: 'h', hint: 's', team, place: { id: 2, cluster: uuid } },
    { kind: 'cluster', name: 'c', hint: '', team: null, place: { uuid } },
    { kind: 'registry', name: 'r', hint: '', team, place: { id: 1 } },
    { kind: 'harbor-project', name: 'p', hint: '', team, place: { id: 1, harborId: 2, projectId: 3 } },
    { kind: 'certificate', name: 'c', hint: '', team: null, place: { id: 1 } },
    { kind: 'domain', name: 'd.example.com', hint: '', team: null, place: { id: 3, certificateId: 1 } },
    { kind: 'harbor', name: 'h', hint: '', team: null, place: { id: 2 } },
    { kind: 'team', name: 't', hint: '', team, place: { id: 1 } },
    { kind: 'user', name: 'ann', hint: '', team: null, place: { id: 1 } },
    { kind: 'agent', name: 'a', hint: '', team: null, place: { id: 1 } },
    { kind: 'alarm-rule', name: 'a', hint: '', team, place: { id: 1 } },
  ]
  const hrefs = all.map((hit) => hrefOf(placeOf(hit)))
  expect(hrefs.filter((href) => /\/-(\/|$)|undefined/.test(href))).toEqual([])
  expect(hrefs).toContain(`/teams/1/appcenter?keyword=s+1&env=${uuid}`)
})
