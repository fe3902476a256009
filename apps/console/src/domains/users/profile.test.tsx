import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { signed } from '../../api/session.ts'
import { session as tab } from '../../api/storage.ts'
import { ada, openPage, press, refusal, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { PasswordPage } from './password-page.tsx'
import { ProfilePage } from './profile-page.tsx'

useConsole()

const user = { ...ada, state: 'normal', updatedAt: '2026-01-02T03:04:05Z' }

describe('the profile', () => {
  test('saves a new name, which appears everywhere at once', async () => {
    signedIn()
    server({ 'GET /api/users/7': user, 'PUT /api/users/7': user })
    await openPage(() => <ProfilePage />)
    fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
    type('Nickname', 'Captain')
    press('Save')
    await waitFor(() => expect(signed.get()?.user.nickname).toBe('Captain'))
    expect(sent.find((one) => one.method === 'PUT')?.body).toEqual({
      nickname: 'Captain',
      email: 'ada@example.com',
      revision: user.updatedAt,
    })
  })

  test('if somebody else saved it first, says what to do and keeps what was typed', async () => {
    signedIn()
    const older = 'Someone else has changed this in the meantime. Reload and make your change again.'
    server({ 'GET /api/users/7': user, 'PUT /api/users/7': refusal(409, 'edit-on-older', older) })
    await openPage(() => <ProfilePage />)
    fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
    type('Nickname', 'Captain')
    press('Save')
    await screen.findByText(older)
    expect(screen.getByDisplayValue('Captain')).toBeTruthy()
  })

  test('of an external account is read-only, because it is changed there', async () => {
    signedIn({ type: 'LDAP' })
    server({ 'GET /api/users/7': { ...user, type: 'LDAP' } })
    await openPage(() => <ProfilePage />)
    const edit = await screen.findByRole('button', { name: 'Edit' })
    expect(edit.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('the password', () => {
  test('leads to a new login after a change', async () => {
    signedIn()
    server({ 'PUT /api/users/7': user })
    await openPage(() => <PasswordPage />)
    type('Current password', 'old-Secret-1')
    type('New password', 'quay-Crane-42!')
    type('Repeat new password', 'quay-Crane-42!')
    press('Save password')
    await screen.findByText('the login')
    expect([signed.get(), tab.get('token')]).toEqual([undefined, undefined])
  })

  test('of an external account cannot be changed here', async () => {
    signedIn({ type: 'OAUTH' })
    await openPage(() => <PasswordPage />)
    expect(screen.getByText(/logs in with OAUTH/)).toBeTruthy()
  })
})
