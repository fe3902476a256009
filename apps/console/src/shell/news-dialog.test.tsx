import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, sent, server, signedIn, useConsole } from '../../test/app.tsx'
import { signed } from '../api/session.ts'
import { NewsDialog } from './news-dialog.tsx'

useConsole()

const news = { version: '0.1.0', title: 'What is new in 0.1.0', notes: ['Alarms', 'Backups'], unread: true }
const path = '/api/upgradeLog/updateUpIsSuccessful'

test('shows news once, and closing marks them as read', async () => {
  signedIn({ news: '0.1.0' })
  server({ [`GET ${path}`]: news, [`PUT ${path}`]: { ...news, unread: false } })
  await openPage(NewsDialog)
  await screen.findByText('What is new in 0.1.0')
  for (const note of news.notes) screen.getByText(note)
  // the button beside the cross
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body)
  await waitFor(() => expect(sent.some(({ method, path: url }) => method === 'PUT' && url === path)).toBe(true))
  expect(signed.get()?.user.news).toBe('')
})

test('opens no dialog if the server has no notes for the version', async () => {
  signedIn({ news: '0.1.0' })
  server({ [`GET ${path}`]: { ...news, version: '0.0.9', notes: [] } })
  await openPage(NewsDialog)
  await waitFor(() => expect(sent.some(({ path: url }) => url === path)).toBe(true))
  expect(screen.queryByRole('dialog')).toBeNull()
})
