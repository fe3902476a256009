import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openApp, press, refusal, sent, server, signedIn, type, useConsole } from '../../../../test/app.tsx'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

useConsole()

const url = 'https://git.example.org/team/lights.git'
const proposal = (kind: string, folder: string, because: string[], tests: string) => ({
  kind,
  folder,
  because,
  language: kind === 'go' ? 'Go' : '',
  tests,
  buildImage: '',
  lacksRegistry: false,
  definition: { stages: [{ name: kind, steps: [{ type: 'script', name: `run ${kind}`, run: 'true' }] }] },
})
const found = {
  branches: ['main', 'next'],
  branch: 'main',
  commit: 'd1d1293ab6ebd1d1293a',
  hostKey: null,
  isCut: false,
  proposals: [
    proposal('pnpm', '', ['package.json', 'pnpm-lock.yaml'], 'pnpm test'),
    proposal('go', 'services/api', ['go.mod'], ''),
    proposal('plain', '', [], ''),
  ],
}
const webhook = {
  id: 9,
  enabled: true,
  rule: { kind: 'webhook', events: ['push'], branches: [], tags: [], paths: [], forks: false, forksWait: true },
  parameters: {},
  savedBy: 'ada',
  problem: '',
  hook: null,
  nextAt: null,
  follows: '',
  last: null as object | null,
  revision: 1,
  updatedAt: '2026-01-01T00:00:00Z',
}
const pipeline = (repository: object = {}) => ({
  id: 4,
  uuid: 'u4',
  appId: 2,
  groupName: 'Pipelines',
  teamId: 1,
  projectName: 'lights',
  description: '',
  repository: {
    url,
    branch: 'main',
    username: '',
    password: '',
    privateKey: '',
    knownHosts: '',
    credentialId: null,
    ...repository,
  },
  lastBuild: null,
  paused: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
})
const bodyOf = (path: string) => sent.find((call) => call.method === 'POST' && call.path === path)?.body

beforeEach(() => {
  signedIn()
  permissions.set(
    [
      'pipeline_pipeline_create',
      'pipeline_pipeline_view',
      'pipeline_pipeline_edit',
      'pipeline_build_execute',
      'pipeline_credential_operate',
    ].map((name) => ({ name, enable: true })),
  )
  server({
    'POST /api/tenants/1/repositories/look': found,
    'POST /api/tenants/1/pipelines': pipeline(),
    'POST /api/v2/pipelines/u4/trigger/manual': { number: 1, queueId: 1 },
    'POST /api/v2/pipelines/u4/triggers': { ...webhook, secret: 'canary-of-the-hook' },
    'GET /api/v2/pipelines/4': pipeline(),
    'GET /api/v2/pipelines/4/current': null,
    'GET /api/v2/pipelines/4/triggers': [webhook],
    'GET /api/teams/1/credentials': { items: [], total: 0, page: 1, pageSize: 10 },
  })
})

const open = async () => {
  const app = await openApp('/teams/1/cd/create', routes)
  await screen.findByLabelText('Repository URL')
  return app
}
async function look(): Promise<void> {
  type('Repository URL', url)
  press('Look at the repository')
  await screen.findByRole('radio', { name: 'Node.js with pnpm' })
}

describe('one’s own repository', () => {
  test('is the first choice; creating by hand is the other', async () => {
    await open()
    const ways = screen.getAllByRole('radio').map((one) => one.getAttribute('value'))
    expect(ways).toEqual(['repository', 'hand'])
    fireEvent.click(screen.getByRole('radio', { name: 'By hand' }))
    await screen.findByRole('radio', { name: 'Empty' })
  })

  test('is inspected, and its proposals are shown with their reasons', async () => {
    await open()
    await look()
    screen.getByText('package.json, pnpm-lock.yaml at the root · tests with pnpm test')
    screen.getByText('Go · go.mod in services/api · no tests found')
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('lights')
    fireEvent.click(screen.getByRole('radio', { name: 'Go · services/api' }))
    await screen.findByText('run go')
    press('Create and build')
    await waitFor(() => expect(bodyOf('/api/tenants/1/pipelines')).toBeDefined())
    expect(bodyOf('/api/tenants/1/pipelines')).toMatchObject({
      projectName: 'lights',
      repository: { url, branch: 'main' },
      definition: { stages: [{ name: 'go' }] },
    })
  })

  test('asks for credentials if needed, and says why they fail', async () => {
    const path = 'POST /api/tenants/1/repositories/look'
    server({ [path]: refusal(400, 'git-password-needed', 'git.example.org requires a username and password.') })
    await open()
    expect(screen.queryByLabelText(/^Password or token/)).toBeNull()
    type('Repository URL', url)
    press('Look at the repository')
    await screen.findByText('git.example.org requires a username and password.')
    fireEvent.change(await screen.findByLabelText(/^Username/), { target: { value: 'robin' } })
    fireEvent.change(screen.getByLabelText(/^Password or token/), { target: { value: 'open sesame' } })
    server({ [path]: refusal(400, 'git-wrong-password', 'git.example.org rejected the username or password.') })
    press('Look at the repository')
    await screen.findByText('git.example.org rejected the username or password.')
    server({ [path]: found })
    press('Look at the repository')
    await screen.findByRole('radio', { name: 'Node.js with pnpm' })
    press('Create and build')
    await waitFor(() => expect(bodyOf('/api/tenants/1/pipelines')).toBeDefined())
    expect(bodyOf('/api/tenants/1/pipelines')).toMatchObject({
      repository: { username: 'robin', password: 'open sesame' },
      keepCredential: true,
    })
  })

  test('gets a webhook’s address and secret, and shows its first delivery', async () => {
    await open()
    await look()
    press('Create and build')
    await screen.findByText('canary-of-the-hook')
    screen.getByText(/\/api\/v2\/pipelines\/u4\/trigger$/)
    screen.getByText('Waiting for the first delivery: push a commit to see it come.')
    expect(screen.queryByRole('button', { name: 'Set up the webhook' })).toBeNull()
    const last = { id: 1, at: '2026-01-01T00:00:00Z', event: 'push main', outcome: 'started', message: '', number: 2 }
    server({ 'GET /api/v2/pipelines/4/triggers': [{ ...webhook, last }] })
    await screen.findByText(/^The first delivery has come: push main/, {}, { timeout: 8000 })
  })

  test('polls its webhook only until the first delivery', async () => {
    const reads = () => sent.filter(({ path }) => path === '/api/v2/pipelines/4/triggers').length
    const last = { id: 1, at: '2026-01-01T00:00:00Z', event: 'push main', outcome: 'started', message: '', number: 2 }
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    server({ 'GET /api/v2/pipelines/4/triggers': [webhook] })
    await openApp('/teams/1/cd/create?made=4', routes)
    await screen.findByText(/^Waiting for the first delivery/)
    server({ 'GET /api/v2/pipelines/4/triggers': [{ ...webhook, last }] })
    vi.advanceTimersByTime(10_000)
    await screen.findByText(/^The first delivery has come: push main/)
    const before = reads()
    vi.advanceTimersByTime(60_000)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(reads()).toBe(before)
  })

  test('has its webhook created by a button if there are credentials', async () => {
    server({
      'GET /api/v2/pipelines/4': pipeline({ credentialId: 3 }),
      'POST /api/v2/pipelines/4/triggers/9/hook': () => {
        server({ 'GET /api/v2/pipelines/4/triggers': [{ ...webhook, hook: 'gitea' }] })
        return { ...webhook, hook: 'gitea' }
      },
    })
    await openApp('/teams/1/cd/create?made=4', routes)
    fireEvent.click(await screen.findByRole('button', { name: 'Set up the webhook' }))
    await screen.findByText('The webhook is set up at Gitea.')
    expect(bodyOf('/api/v2/pipelines/4/triggers/9/hook')).toEqual({ forge: 'gitea' })
  })

  test('is created even if its build or its webhook is refused, with the reasons', async () => {
    server({
      'POST /api/v2/pipelines/u4/trigger/manual': refusal(429, 'pipelines-too-many', 'Too many builds wait.'),
      'POST /api/v2/pipelines/u4/triggers': refusal(403, 'permission-missing', 'You may not.'),
      'GET /api/v2/pipelines/4/triggers': [],
    })
    await open()
    await look()
    press('Create and build')
    await screen.findByText('The first build did not start: Too many builds wait.')
    await screen.findByText('The webhook was not prepared: You may not.')
  })
})
