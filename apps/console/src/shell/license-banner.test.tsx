import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, sent, server, signedIn, useConsole } from '../../test/app.tsx'
import { LicenseBanner } from './license-banner.tsx'

useConsole()

const over = { expired: true, expiresInTenDays: false, expiredAt: '2026-01-01T00:00:00Z', message: 'It has expired' }

test.each([
  ['an administrator is led to the setting', true],
  ['a user is told', false],
])('%s', async (_, admin) => {
  signedIn({ admin })
  server({ 'GET /api/system/license/status': over })
  await openPage(LicenseBanner)
  expect((await screen.findByRole('status')).textContent).toContain('It has expired')
  const link = screen.queryByRole('link')
  expect(link?.getAttribute('href')).toBe(admin ? '/sysconfig/common?tab=license' : undefined)
})

test('a license that does not matter is not mentioned', async () => {
  signedIn()
  server({ 'GET /api/system/license/status': { ...over, expired: false, message: '' } })
  await openPage(LicenseBanner)
  await waitFor(() => expect(sent.some(({ path }) => path.endsWith('/status'))).toBe(true))
  expect(screen.queryByRole('status')).toBeNull()
})
