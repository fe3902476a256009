import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { TapdForm } from './tapd-form.tsx'

useConsole()

const stored = {
  enabled: true,
  url: 'https://api.tapd.cn',
  user: 'robot',
  password: '********',
  workspaces: ['20375571'],
  comment: true,
  status: 'resolved',
}

test('an unchanged connection is saved with the masked password, at the revision that was read', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/tapd/config': { ...stored, revision: 3 },
    'PUT /api/tapd/config': { ...stored, revision: 4 },
  })
  await openPage(TapdForm)
  await screen.findByDisplayValue('robot')
  type(/^Status when a build succeeds/, 'done')
  press('Save')
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ ...stored, status: 'done', revision: 3 }),
  )
})

test('a first connection starts with TAPD’s own address, and requires the missing fields', async () => {
  signedIn({ admin: true })
  server({ 'GET /api/tapd/config': null })
  await openPage(TapdForm)
  await screen.findByDisplayValue('https://api.tapd.cn')
  press('Save')
  await screen.findByText(/^Name at least one workspace/)
  expect(sent.some(({ method }) => method === 'PUT')).toBe(false)
})
