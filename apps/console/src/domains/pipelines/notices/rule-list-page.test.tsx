import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openApp, sent, server, signedIn, type, useConsole } from '../../../../test/app.tsx'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

useConsole()

const rule = {
  id: 3,
  teamId: 1,
  name: 'broken main',
  enabled: true,
  events: ['build.failed', 'build.fixed'],
  groupId: null,
  pipelineId: 5,
  scopeName: 'web',
  branches: ['main'],
  channels: ['mail'],
  triggerer: true,
  deciders: false,
  users: [2, 4],
  roles: [],
  methods: [],
  revision: 1,
  updatedAt: '2026-01-01T00:00:00Z',
}
const listed = (...items: object[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })
const people = {
  'GET /api/teams/1/users': listed({ id: 2, userName: 'ann', nickname: 'Ann', leader: false, role: null }),
  'GET /api/tenants/1/roles': [],
}

beforeEach(() => {
  signedIn()
  permissions.set(['pipeline_pipeline_view', 'pipeline_pipeline_edit'].map((name) => ({ name, enable: true })))
})

test('a rule describes its events, its builds and its recipients', async () => {
  server({ 'GET /api/teams/1/notification-rules': listed(rule) })
  await openApp('/teams/1/cd/notification-rules', routes)
  await screen.findByText('broken main')
  for (const words of ['Build failed, Build fixed', 'web', 'Whoever started the build, 2 members', 'Email'])
    expect(screen.getByText(words)).toBeTruthy()
})

test('a new rule begins with common settings', async () => {
  server({
    ...people,
    'GET /api/teams/1/notification-rules': listed(),
    'POST /api/teams/1/notification-rules': rule,
  })
  await openApp('/teams/1/cd/notification-rules', routes)
  await screen.findByText('No notification rules')
  fireEvent.click(screen.getAllByRole('button', { name: 'Add rule' })[0] as HTMLElement)
  await screen.findByRole('dialog')
  type('Name', 'broken main')
  fireEvent.click(screen.getByRole('switch', { name: /^Whoever may decide/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(
      sent.find(({ method, path }) => method === 'POST' && path.endsWith('/notification-rules'))?.body,
    ).toMatchObject({
      name: 'broken main',
      events: ['build.failed', 'build.fixed', 'build.waiting'],
      channels: ['mail'],
      triggerer: true,
      deciders: false,
    }),
  )
})
