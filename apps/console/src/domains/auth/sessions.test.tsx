import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { SessionsSection } from './sessions-section.tsx'

useConsole()

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0'
const other = '0f0e8e2a-7a3c-4d35-9c1b-111111111111'
const one = (family: string, userAgent: string, current: boolean) => ({
  family,
  userAgent,
  current,
  ip: '192.0.2.7',
  createdAt: '2026-01-02T03:04:05Z',
  lastSeenAt: '2026-01-02T04:04:05Z',
})
const list = [one('here', chrome, true), one(other, firefox, false)]

beforeEach(() => {
  signedIn()
  server({ 'GET /api/sessions': list })
})

test('describes each login, and marks the present one', async () => {
  await openPage(() => <SessionsSection />)
  const [here, there] = await screen.findAllByRole('listitem')
  within(here as HTMLElement).getByText('Chrome on Linux')
  within(here as HTMLElement).getByText('this session')
  expect(within(here as HTMLElement).queryByRole('button')).toBeNull()
  within(there as HTMLElement).getByText('Firefox on Windows')
  within(there as HTMLElement).getByText('192.0.2.7')
})

test('ends one of them', async () => {
  server({ [`DELETE /api/sessions/${other}`]: null })
  await openPage(() => <SessionsSection />)
  fireEvent.click(await screen.findByRole('button', { name: 'End the session of Firefox on Windows' }))
  server({ 'GET /api/sessions': list.slice(0, 1) })
  await waitFor(() => expect(screen.queryByText('Firefox on Windows')).toBeNull())
  expect(sent.some((call) => call.method === 'DELETE' && call.path === `/api/sessions/${other}`)).toBe(true)
})

test('ends all others after a confirmation', async () => {
  server({ 'DELETE /api/sessions': null })
  await openPage(() => <SessionsSection />)
  await screen.findByText('Firefox on Windows')
  press('End all other sessions')
  const dialog = await screen.findByRole('dialog')
  expect(sent.some((call) => call.method === 'DELETE')).toBe(false)
  fireEvent.click(within(dialog).getByRole('button', { name: 'End all other sessions' }))
  await waitFor(() => expect(sent.some((call) => call.method === 'DELETE' && call.path === '/api/sessions')).toBe(true))
})

test('has no button to end others if there are none', async () => {
  server({ 'GET /api/sessions': list.slice(0, 1) })
  await openPage(() => <SessionsSection />)
  await screen.findByText('Chrome on Linux')
  expect(screen.getByRole('button', { name: 'End all other sessions' }).getAttribute('aria-disabled')).toBe('true')
})
