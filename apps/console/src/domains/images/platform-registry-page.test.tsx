import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { PlatformRegistryPage } from './platform-registry-page.tsx'

useConsole()

const row = {
  id: 5,
  name: 'shared images',
  url: 'https://registry.example.test',
  username: 'ann',
  password: '******',
  ca: '',
  teamId: null,
  sandbox: false,
  prefix: '',
  createdAt: '2026-11-24T10:00:00Z',
  teams: [{ id: 2, name: 'payments' }],
}
const simulated = { ...row, id: 6, name: 'sandbox', sandbox: true, teams: [] }

beforeEach(() => {
  signedIn({ admin: true })
  server({ 'GET /api/registries': [row, simulated] })
})

const written = (method: string) => sent.find((one) => one.method === method && one.path === '/api/registries')

test('registries of the platform name the teams that use them', async () => {
  await openPage(() => <PlatformRegistryPage />)
  expect(await screen.findByText('payments')).toBeTruthy()
  expect(screen.getByText('all teams')).toBeTruthy()
})

test('a registry of the platform is added', async () => {
  server({ 'POST /api/registries': row })
  await openPage(() => <PlatformRegistryPage />)
  fireEvent.click((await screen.findAllByRole('button', { name: 'Add registry' }))[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  type('Name', 'shared images')
  type('URL', 'https://registry.example.test')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add registry' }))
  await waitFor(() => expect(written('POST')).toBeDefined())
  expect(written('POST')?.body).toEqual({ name: 'shared images', url: 'https://registry.example.test' })
})
