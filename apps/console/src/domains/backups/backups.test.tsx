import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { BackupFiles, ScheduleForm } from './public.tsx'

useConsole()

const path = '/backup-restore/backupfile'
const settings = { enabled: true, cron: '0 2 * * *', zone: 'UTC', keep: 7, revision: 3, nextAt: '2026-11-28T02:00:00Z' }
const file = (more: object) => ({
  id: '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11',
  cause: 'schedule',
  state: 'done',
  by: '',
  createdAt: '2026-11-27T02:00:00.000Z',
  endedAt: '2026-11-27T02:00:03.000Z',
  size: 5_242_880,
  sha256: 'ab',
  release: '0.1.0',
  problem: '',
  ...more,
})
const listOf = (...items: object[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })

test('the schedule is saved with the revision that was read', async () => {
  signedIn({ admin: true })
  server({ 'GET /backup-restore/backup': settings, 'PUT /backup-restore/backup': { ...settings, revision: 4 } })
  await openPage(() => <ScheduleForm />)
  fireEvent.change(await screen.findByDisplayValue('0 2 * * *'), { target: { value: '30 1 * * *' } })
  press('Save')
  await waitFor(() => expect(sent.some(({ method }) => method === 'PUT')).toBe(true))
  const { nextAt: _, ...body } = settings
  expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ ...body, cron: '30 1 * * *' })
})

test('a backup is started by hand, but not during another; a failed one shows the reason and has no download', async () => {
  signedIn({ admin: true })
  server({
    [`GET ${path}`]: listOf(file({ state: 'failed', size: null, problem: 'The store is full' })),
    [`POST ${path}`]: file({}),
  })
  await openPage(() => <BackupFiles />)
  await screen.findByText('The store is full')
  fireEvent.click(screen.getByRole('button', { name: /^Actions/ }))
  await screen.findByRole('menuitem', { name: 'Delete' })
  expect(screen.queryByRole('menuitem', { name: 'Download' })).toBeNull()
  server({ [`GET ${path}`]: listOf(file({ state: 'running', size: null })) })
  press('Back up now')
  await screen.findByText('Being made')
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Back up now' }).getAttribute('aria-disabled')).toBe('true')
})
