import type { Overview } from '@gantry/contract/dashboard/overview'
import type { Sample } from '@gantry/contract/sample/sample'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { permissions } from '../../api/permissions.ts'
import { openApp, openPage, press, sent, server, signedIn, team, useConsole } from '../../../test/app.tsx'
import { DashboardPage } from './dashboard-page.tsx'
import { routes } from './routes.tsx'

useConsole()

const none = { success: 0, failed: 0, aborted: 0 }
const pipelines = (total: number) => ({ total, queued: 0, building: 0, failed: 0 })
const empty: Overview = {
  pipelines: pipelines(0),
  builds: { day: none, hours: Array.from({ length: 24 }, () => none), latest: [] },
  stacks: { total: 0, running: 0, failed: 0 },
  services: { total: 0, healthy: 0, changing: 0, failed: 0, waiting: 0 },
}
const nothing: Sample = {
  state: 'none',
  reason: '',
  commits: 0,
  version: '',
  pipeline: null,
  product: null,
  stack: null,
  build: null,
  service: null,
}
const upgraded: Sample = {
  ...nothing,
  state: 'ready',
  commits: 2,
  version: '1.1.0',
  pipeline: { id: 3, groupId: 2, name: 'hello' },
  product: { id: 4, name: 'hello' },
  stack: { id: 5, uuid: 'u5', name: 'hello', envId: 'e1', state: 'running' },
  build: { number: 2, state: 'success', message: '' },
  service: {
    id: 6,
    name: 'hello',
    state: 'upgraded',
    message: '',
    image: 'x',
    url: 'http://sandbox.test/sandbox/services/a-hello/hello:8080/',
  },
}

/** The writes that were sent, except tickets of the push channel. */
const written = (): string[] =>
  sent
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/tickets'))
    .map(({ method, path, query }) => `${method} ${path}${query.size > 0 ? `?${query}` : ''}`)

async function open(overview: Overview, sample: Sample, more: Record<string, unknown> = {}, admin = true) {
  signedIn({ admin })
  server({
    'GET /api/tenants/1/overview': overview,
    'GET /api/tenants/1/sample': sample,
    'GET /api/tenants/1/sample/answer': { status: 200, text: 'Hello from 1.1.0\n', at: '2026-01-01T00:00:00Z' },
    'GET /resource-manager/api/environments/tenants/1': [],
    ...more,
  })
  return openPage(() => <DashboardPage />, '/login-free/1', '/login-free/$team_id')
}

test('an empty team is offered the first minute, and one click starts it', async () => {
  await open(empty, nothing, { 'POST /api/tenants/1/sample': upgraded })
  expect(await screen.findByRole('heading', { name: 'Watch a commit become a running service' })).toBeTruthy()
  press('Start the first minute')
  await waitFor(() => expect(written()).toEqual(['POST /api/tenants/1/sample']))
})

test('a user without the permissions sees what is missing and who can grant it, instead of a button', async () => {
  permissions.set([])
  await open(empty, nothing, {}, false)
  await screen.findByText(/You do not have the permission .* can grant it/)
  expect(screen.queryByRole('button', { name: 'Start the first minute' })).toBeNull()
})

test('a cluster shows its usage if it is measured, and nothing otherwise', async () => {
  const cluster = (name: string, cpu: number | null) => ({
    uuid: name,
    name,
    health: 'healthy',
    healthMessage: '',
    version: 'v1.34.4',
    nodeNum: 1,
    usage: { cpu, memory: null },
  })
  const clusters = [cluster('measured', 40), cluster('silent', null)]
  await open(empty, nothing, { 'GET /resource-manager/api/environments/tenants/1': clusters })
  const entry = async (name: string) => (await screen.findByRole('link', { name })).closest('li')?.textContent
  expect(await entry('measured')).toMatch(/hosts: 1CPU40 %$/)
  expect(await entry('silent')).toMatch(/hosts: 1$/)
})

test('without the prerequisites the reason replaces the button', async () => {
  await open(empty, { ...nothing, state: 'unavailable', reason: 'The sandbox is off' })
  expect(await screen.findByText('The sandbox is off')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Start the first minute' })).toBeNull()
})

test('a team with objects of its own gets no offer', async () => {
  await open({ ...empty, pipelines: pipelines(4) }, nothing)
  expect(await screen.findByText('Builds in 24 hours')).toBeTruthy()
  expect(screen.queryByText('The first minute')).toBeNull()
})

test('an upgrade shows its answer and waits for a decision', async () => {
  await open({ ...empty, pipelines: pipelines(1) }, upgraded, { 'POST /orchestration/api/1/env/e1/service/6': {} })
  expect(
    await screen.findByRole('heading', { name: 'Version 1.1.0 is running and waiting for your decision' }),
  ).toBeTruthy()
  const answer = await screen.findByRole('group', { name: 'The service’s response' })
  expect(within(answer).getByText('Hello from 1.1.0')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Make a change' })).toBeNull()
  press('Roll back')
  await waitFor(() => expect(written()).toEqual(['POST /orchestration/api/1/env/e1/service/6?action=rollBack']))
})

test('deleting names everything that is deleted, and asks first', async () => {
  await open({ ...empty, pipelines: pipelines(1) }, upgraded, {
    'DELETE /api/tenants/1/sample': { ...upgraded, state: 'removing' },
  })
  await screen.findByRole('heading', { name: /Version 1.1.0/ })
  press('Delete the sample')
  const dialog = await screen.findByRole('dialog')
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'Pipeline hello with its builds and their images',
    'Stack hello with its services',
    'Product hello',
    'The git repository',
  ])
  expect(written()).toEqual([])
  within(dialog).getByRole('button', { name: 'Delete the sample' }).click()
  await waitFor(() => expect(written()).toEqual(['DELETE /api/tenants/1/sample']))
})

test('figures equal those of the server, and each links to the list that it counts', async () => {
  await open(
    {
      pipelines: { total: 12, queued: 1, building: 2, failed: 3 },
      builds: { ...(empty.builds ?? never()), day: { success: 8, failed: 1, aborted: 3 } },
      stacks: { total: 4, running: 2, failed: 2 },
      services: { total: 5, healthy: 3, changing: 1, failed: 1, waiting: 2 },
    },
    nothing,
  )
  const tile = async (title: string) => {
    const box = (await screen.findByText(title)).closest('li')
    const links = [...(box?.querySelectorAll('a') ?? [])].map((link) => [
      link.textContent,
      link.getAttribute('href')?.replace('/teams/1/', ''),
    ])
    return { text: box?.textContent, links }
  }
  expect(await tile('Pipelines')).toEqual({
    text: 'Pipelines122 building1 waiting3 failed',
    links: [
      ['Pipelines12', 'cd?state=all'],
      ['2 building', 'cd?state=building'],
      ['1 waiting', 'cd?state=queued'],
      ['3 failed', 'cd?state=failed'],
    ],
  })
  expect(await tile('Builds in 24 hours')).toEqual({
    text: 'Builds in 24 hours1288% succeeded',
    links: [['Builds in 24 hours12', 'cd/builds?state=all&ended=day']],
  })
  expect((await tile('Stacks')).links).toEqual([
    ['Stacks4', 'appcenter?state=all'],
    ['2 running', 'appcenter?state=running'],
    ['2 failed', 'appcenter?state=failed'],
  ])
  expect((await tile('Services')).links).toEqual([
    ['Services5', 'appcenter?tab=services&serviceState=all'],
    ['3 healthy', 'appcenter?tab=services&serviceState=healthy'],
    ['1 changing', 'appcenter?tab=services&serviceState=changing'],
    ['2 to confirm', 'appcenter?tab=services&serviceState=upgraded'],
    ['1 failed', 'appcenter?tab=services&serviceState=failed'],
  ])
})

test('each of the latest builds shows its pipeline, state, commit, and who caused it', async () => {
  const build = {
    pipelineId: 3,
    groupId: 2,
    cause: 'manual',
    branch: 'main',
    commit: 'c0ffee',
    queuedAt: '2026-01-01T00:00:00Z',
  }
  const times = { startedAt: null, endedAt: null }
  const latest = [
    {
      ...build,
      ...times,
      pipelineName: 'web',
      number: 7,
      state: 'failed' as const,
      userCause: 'robin',
      commitMessage: 'greet\n\nmore',
    },
    {
      ...build,
      ...times,
      pipelineName: 'api',
      number: 8,
      state: 'queued' as const,
      userCause: 'kim',
      commitMessage: '',
    },
  ]
  await open({ ...empty, pipelines: pipelines(2), builds: { ...(empty.builds ?? never()), latest } }, nothing)
  const row = async (name: string) =>
    (await screen.findByText(name, { exact: false, selector: 'a' })).closest('li')?.textContent
  expect(await row('web')).toMatch(/^failedweb #7greet · robin/)
  expect(await row('api')).toMatch(/^queuedapi #8kim/)
})

test('a part that the user may not see has no figure', async () => {
  await open({ ...empty, pipelines: pipelines(12), stacks: null, services: null }, nothing)
  await screen.findByText('Builds in 24 hours')
  expect(screen.queryByText('Stacks')).toBeNull()
  expect(screen.queryByText('Services')).toBeNull()
})

const never = (): never => {
  throw new Error('not here')
}

test('an administrator without a team begins at the dashboard of the first one', async () => {
  const user = signedIn({ admin: true, teams: [] })
  server({
    'POST /api/users/refresh': user,
    'GET /api/tenants/brief': { items: [team(1)], requestPage: 1, pageSize: 1, totalSize: 1 },
    'GET /api/tenants/1/overview': empty,
    'GET /api/tenants/1/sample': nothing,
    'GET /resource-manager/api/environments/tenants/1': [],
  })
  const app = await openApp('/', routes)
  await waitFor(() => expect(app.at()).toBe('/teams/1/dashboard'))
})
