import type { AuditRow } from '@gantry/contract/audit/audit'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { AuditListPage } from './audit-list-page.tsx'

useConsole()

const row: AuditRow = {
  id: 5,
  userId: 9,
  username: 'grace',
  ip: '10.0.0.9',
  teamId: 1,
  teamName: 'default',
  method: 'PUT',
  url: '/api/projects/1',
  apiValue: 'pipeline-group.update',
  action: 'Edit pipeline group',
  object: 'shop',
  result: 0,
  msg: 'user-team',
  reason: 'You are not a member of this team',
  startTime: '2026-01-02T03:04:05Z',
  durationMs: 12,
}
const list = { items: [row], requestPage: 1, pageSize: 10, totalSize: 1 }
const entry = { ...row, requestId: 'request-5', before: { name: 'shop' }, after: { name: 'shop two' } }
const lastQuery = () => sent.filter((one) => one.path === '/api/audit-logs/search').at(-1)?.query

test('a row shows user, action and reason of a refusal; it opens the changes', async () => {
  signedIn()
  server({ 'GET /api/audit-logs/search': list, 'GET /api/audit-logs/5': entry })
  const { at, history } = await openPage(() => <AuditListPage />)
  expect(await screen.findByText('You are not a member of this team')).toBeTruthy()
  press('Edit pipeline group')
  const drawer = within(await screen.findByRole('dialog'))
  expect((await drawer.findByText('shop two')).tagName).toBe('INS')
  expect(drawer.getByText('request-5')).toBeTruthy()
  fireEvent.click(drawer.getByRole('button', { name: 'Only this user' }))
  await waitFor(() => expect(lastQuery()?.get('userId')).toBe('9'))
  expect(at()).toBe('/login-free?userId=9')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => history.back())
  await screen.findByRole('dialog')
  expect(at()).toBe('/login-free?entry=5')
})

test('filters are sent to the server, and a short text says what it searches', async () => {
  signedIn()
  server({ 'GET /api/audit-logs/search': list })
  await openPage(() => <AuditListPage />)
  const field = await screen.findByRole('searchbox', { name: 'Part of the URL' })
  fireEvent.change(field, { target: { value: 'ab' } })
  fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' })
  await waitFor(() => expect(lastQuery()?.get('url')).toBe('ab'))
  expect(await screen.findByText(/newest 50,000 entries/)).toBeTruthy()
  expect(lastQuery()?.has('range')).toBe(false)
})

test('session renewals are hidden unless the switch or the action requests them, and the address records that', async () => {
  signedIn()
  server({ 'GET /api/audit-logs/search': list })
  const { at } = await openPage(() => <AuditListPage />)
  const toggle = await screen.findByRole('switch', { name: 'Session renewals' })
  await waitFor(() => expect(lastQuery()?.get('routine')).toBe('hide'))
  fireEvent.click(toggle)
  await waitFor(() => expect(lastQuery()?.has('routine')).toBe(false))
  expect(at()).toBe('/login-free?routine=show')
})

test('only an administrator sees the retention', async () => {
  signedIn()
  server({ 'GET /api/audit-logs/search': list })
  await openPage(() => <AuditListPage />)
  await screen.findByRole('button', { name: 'Export CSV' })
  expect(screen.queryByRole('button', { name: 'Retention' })).toBeNull()
})
