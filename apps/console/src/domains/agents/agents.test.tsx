import type { AgentDetail, AgentJob, AgentRow } from '@gantry/contract/agents/agents'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp, openPage, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { AgentListPage } from './agent-list-page.tsx'
import { routes } from './routes.tsx'

useConsole()

const row: AgentRow = {
  id: 7,
  uuid: '00000000-0000-4000-8000-000000000007',
  name: 'builder-1',
  osType: 'linux',
  labels: ['gpu', 'big'],
  givenLabels: ['gpu'],
  ownLabels: ['big'],
  capacity: 2,
  running: 1,
  state: 'online',
  paused: false,
  cleaning: false,
  teamId: null,
  teamName: '',
  environment: null,
  environmentName: '',
  version: '1.0',
  update: null,
  isolated: true,
  waits: '',
  executors: ['process'],
  embedded: false,
  lastSeenAt: '2026-01-02T03:04:05Z',
  revision: 3,
}
const detail: AgentDetail = {
  ...row,
  createdAt: '2026-01-01T00:00:00Z',
  cleanedAt: null,
  protocol: '2.1',
  tokenUntil: null,
  offline: null,
  machine: {
    name: 'box',
    system: 'Linux 6',
    architecture: 'x64',
    cpus: 8,
    memory: 2 ** 34,
    disk: 2 ** 40,
    diskFree: 2 ** 39,
  },
}
const job: AgentJob = {
  jobId: 70,
  name: 'hello',
  pipelineId: 5,
  appId: 4,
  teamId: 1,
  teamName: 'red',
  number: 12,
  queueId: 99,
  job: 'test (20)',
  state: 'building',
  attempt: 1,
  queuedAt: '2026-01-02T03:00:00Z',
  startedAt: '2026-01-02T03:01:00Z',
  endedAt: null,
}
const made = {
  id: 7,
  name: 'builder-1',
  token: 'gr_x',
  until: '2026-01-03T00:00:00Z',
  ways: { file: 'node gantry-agent.mjs # gr_x', container: 'docker run gr_x', kubernetes: null },
}
const agents = '/sysconfig/continuous-delivery/agents'

test('the list says which agents are offline, paused, cleaning or outdated', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/agents': [
      row,
      { ...row, id: 8, name: 'resting', paused: true },
      { ...row, id: 9, name: 'away', state: 'offline', paused: true },
      { ...row, id: 10, name: 'washing', cleaning: true },
      { ...row, id: 11, name: 'old', update: 'agent' },
    ],
  })
  await openPage(() => <AgentListPage />)
  const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') ?? document.body)
  expect((await rowOf('resting')).getByText('paused')).toBeTruthy()
  expect((await rowOf('away')).getByText('offline')).toBeTruthy()
  expect((await rowOf('washing')).getByText('cleaning')).toBeTruthy()
  expect((await rowOf('old')).getByText('update').closest('[title]')?.getAttribute('title')).toContain('older')
})

test('an agent is added for all teams, and its start lines are shown with the token', async () => {
  signedIn({ admin: true })
  server({ 'POST /api/agents': made, 'GET /api/agents': [row] })
  await openApp(`${agents}/add`, routes)
  await screen.findByLabelText('Name')
  type('Name', 'builder-1')
  press('Add build agent')
  await screen.findByText('node gantry-agent.mjs # gr_x')
  expect(sent.find((one) => one.method === 'POST' && one.path === '/api/agents')?.body).toEqual({
    name: 'builder-1',
    labels: [],
    capacity: 2,
    osType: 'linux',
    teamId: null,
    environment: null,
  })
  // no tab for a way that does not exist
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['One file', 'Container'])
})

test('an agent’s screen shows the origin of its labels, and stops a running build', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/agents/7': detail,
    'GET /api/agents/7/jobs': [job],
    'DELETE /api/agents/7/jobs/hello/70/stop': null,
  })
  await openApp(`${agents}/7/jobs`, routes)
  expect(await screen.findByText('from here: gpu · from the agent: big')).toBeTruthy()
  await screen.findByText('hello #12')
  press('Actions for hello #12')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Stop build' }))
  expect(await screen.findByText('Stop build #12 of hello?')).toBeTruthy()
  press('Stop build')
  await waitFor(() => expect(sent.some((one) => one.method === 'DELETE')).toBe(true))
})

test('the screen of an offline agent says since when, and its last version', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/agents/7': {
      ...detail,
      state: 'offline',
      offline: { since: '2026-01-02T03:04:05Z', version: '0.9' },
    },
    'GET /api/agents/7/history': { items: [], requestPage: 1, pageSize: 10, totalSize: 0 },
  })
  await openApp(`${agents}/7/history`, routes)
  expect(await screen.findByText(/version 0.9 at that time/)).toBeTruthy()
  expect(await screen.findByText('It has run nothing yet')).toBeTruthy()
})

test('an agent’s cluster is shown, and stays when another field is changed', async () => {
  signedIn({ admin: true })
  const placed = { ...detail, environment: '00000000-0000-4000-8000-00000000000c', environmentName: 'north' }
  server({ 'GET /api/agents/7': placed, 'GET /api/agents/7/jobs': [], 'PUT /api/agents/7': placed })
  await openApp(`${agents}/7/jobs`, routes)
  expect(await screen.findByText('north')).toBeTruthy()
  press('Actions for builder-1')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit builder-1' })
  expect(within(dialog).getByText('north')).toBeTruthy()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      environment: placed.environment,
      teamId: null,
    }),
  )
})

test('cleaning is a GET by its action, after a confirmation', async () => {
  signedIn({ admin: true })
  server({ 'GET /api/agents': [row], 'GET /api/agents/7': null })
  await openPage(() => <AgentListPage />)
  await screen.findByText('builder-1')
  press('Actions for builder-1')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Clean' }))
  expect(await screen.findByText('Clean builder-1?')).toBeTruthy()
  press('Clean')
  await waitFor(() => expect(sent.some((one) => one.query.get('action') === 'CLEAN')).toBe(true))
})

test('machines are listed with their agents', async () => {
  signedIn({ admin: true })
  const host = {
    ...detail.machine,
    seenAt: '2026-01-02T03:04:05Z',
    agents: [{ id: 7, name: 'builder-1', state: 'online' }],
  }
  server({ 'GET /api/agents/hosts': { items: [host], requestPage: 1, pageSize: 10, totalSize: 1 } })
  await openApp('/sysconfig/continuous-delivery/hosts', routes)
  expect(await screen.findByText('box')).toBeTruthy()
  expect(screen.getByText('16.0 GiB')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'builder-1' }).getAttribute('href')).toBe(`${agents}/7/jobs`)
})
