import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ada, openPage, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { LicenseForm } from './license-form.tsx'

useConsole()

const license = {
  holder: 'Example Ltd',
  issuedAt: '2026-01-01T00:00:00Z',
  expiredAt: '2027-01-01T00:00:00Z',
  notes: 'With support',
  limits: { users: '500' },
}
const fine = { expired: false, expiresInTenDays: false, expiredAt: license.expiredAt, message: '' }

test('an installation that takes no license says that it needs none', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/system/license': { issuer: '', license: null },
    'GET /api/system/license/status': { ...fine, expiredAt: null },
  })
  await openPage(LicenseForm)
  await screen.findByText(/takes no licenses/)
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('a license is shown and replaced, and the session is refreshed', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/system/license': { issuer: 'key', license },
    'GET /api/system/license/status': fine,
    'PUT /api/system/license': { issuer: 'key', license },
    'POST /api/users/refresh': { ...ada, admin: true },
  })
  await openPage(LicenseForm)
  for (const text of ['Example Ltd', 'With support', '500', 'Valid']) await screen.findByText(text)
  type(/^New license/, 'a.b.c')
  press('Save')
  await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ license: 'a.b.c' }))
  await waitFor(() => expect(sent.some(({ path }) => path.endsWith('/refresh'))).toBe(true))
})

test('a user who may only view gets no form', async () => {
  signedIn()
  server({ 'GET /api/system/license': { issuer: 'key', license: null }, 'GET /api/system/license/status': fine })
  await openPage(LicenseForm)
  await screen.findByText('No license has been entered.')
  expect(screen.queryByRole('textbox')).toBeNull()
})
