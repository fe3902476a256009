import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openApp, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { permissions } from '../../api/permissions.ts'
import { routes } from './routes.tsx'

useConsole()

const condition = { metric: 'cpu_percent', operator: '>', threshold: 80, for: 5, severity: 'critical' }
const status = {
  condition: 'cpu_percent > 80 critical',
  metric: 'cpu_percent',
  severity: 'critical',
  state: 'firing',
  since: '2026-01-01T00:00:00Z',
  value: 93.25,
  acknowledgedBy: '',
  serviceId: 7,
  serviceName: 'web',
  serviceType: 'business',
  stackId: 2,
  stackName: 'shop',
  stackUuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  envId: '3f2504e0-4f89-41d3-9a0c-0305e82c3302',
}
const rule = {
  id: 3,
  teamId: 1,
  name: 'busy',
  enabled: true,
  rules: [condition],
  templateId: null,
  templateName: '',
  conditions: [condition],
  maps: [{ resource: 'stack', id: 2, name: 'shop', stackName: 'shop', envId: status.envId, envName: 'lab' }],
  channels: [{ id: 4, name: 'bell', kind: 'push' }],
  repeatHours: 4,
  state: 'firing',
  since: '2026-01-01T00:00:00Z',
  firing: 1,
  states: [status],
  silencedUntil: null,
  silencedBy: '',
  revision: 2,
  updatedAt: '2026-01-01T00:00:00Z',
}
const channel = {
  id: 4,
  name: 'bell',
  kind: 'push',
  addresses: [],
  users: [],
  members: true,
  url: '',
  secret: '',
  language: 'en',
  used: 1,
  last: null,
  revision: 1,
  updatedAt: '2026-01-01T00:00:00Z',
}
const listed = (...items: object[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })
const all = ['view', 'edit', 'operate', 'delete'].map((verb) => ({ name: `monitor_alarm_${verb}`, enable: true }))

beforeEach(() => {
  signedIn()
  permissions.set(all)
})

test('a rule shows what it watches, its severity and whom it notifies', async () => {
  server({ 'GET /api/monitor': null, 'GET /monitor-api/v1/alerts/1': listed(rule) })
  await openApp('/teams/1/rule', routes)
  await screen.findByText('busy')
  for (const words of ['firing', 'shop (whole stack)', 'CPU (% of limit) > 80 for 5 min', 'bell'])
    expect(screen.getByText(words)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'web' }).getAttribute('href')).toContain('/services/7/web/business/')
  expect(screen.getByText(/93\.3 %/)).toBeTruthy()
})

test('a change is sent with its base revision and all fields of the rule', async () => {
  server({
    'GET /monitor-api/v2/alerts/3': rule,
    'GET /monitor-api/v1/notifications/1': listed(channel),
    'GET /monitor-api/v1/templates/1': listed(),
    'PUT /monitor-api/v1/alerts': rule,
    'GET /monitor-api/v1/alerts/1': listed(rule),
  })
  await openApp('/teams/1/rule/edit?rule=3', routes)
  await screen.findByDisplayValue('busy')
  type('Name', 'very busy')
  press('Save')
  await waitFor(() =>
    expect(sent.find(({ method, path }) => method === 'PUT' && path === '/monitor-api/v1/alerts')?.body).toEqual({
      id: 3,
      revision: 2,
      name: 'very busy',
      enabled: true,
      rules: [condition],
      templateId: null,
      maps: [{ resource: 'stack', id: 2 }],
      channels: [4],
      repeatHours: 4,
    }),
  )
})

test('a method shows the fields of its kind', async () => {
  server({ 'GET /monitor-api/v1/notifications/1': listed() })
  await openApp('/teams/1/rule?tab=notifications', routes)
  await screen.findByText('No notification methods')
  fireEvent.click(screen.getAllByRole('button', { name: 'Add notification method' })[0] as HTMLElement)
  await screen.findByRole('dialog')
  expect(screen.getByRole('switch', { name: /^All members/ })).toBeTruthy()
  expect(screen.queryByLabelText('Address')).toBeNull()
})

test('a user with view permission only cannot change anything', async () => {
  permissions.set([{ name: 'monitor_alarm_view', enable: true }])
  server({ 'GET /monitor-api/v1/alerts/1': listed(rule) })
  await openApp('/teams/1/rule', routes)
  await screen.findByText('busy')
  expect(screen.getByRole('button', { name: 'Create alarm rule' }).getAttribute('aria-disabled')).toBe('true')
})
