import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { CommonPage } from './common-page.tsx'

useConsole()

const mail = {
  enabled: true,
  host: 'smtp.example.com',
  port: 587,
  security: 'starttls',
  userName: 'mailer',
  password: '********',
  from: 'gantry@example.com',
  fromName: 'Gantry',
  lang: 'en',
}

test('a changed mail setting is saved with the other values, and the password as its mask', async () => {
  signedIn({ admin: true })
  server({ 'GET /api/system/mail': mail, 'GET /api/system/mail/outbox': [], 'PUT /api/system/mail': mail })
  await openPage(() => <CommonPage />)
  await screen.findByDisplayValue('smtp.example.com')
  type('Sender address', 'new@example.com')
  press('Save')
  await waitFor(() =>
    expect(sent.find((one) => one.method === 'PUT')?.body).toEqual({ ...mail, from: 'new@example.com' }),
  )
})

test('a test mail uses the values in the form, saved or not', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/system/mail': mail,
    'GET /api/system/mail/outbox': [],
    'POST /api/system/mailserver/test': null,
  })
  await openPage(() => <CommonPage />)
  await screen.findByDisplayValue('smtp.example.com')
  type(/^Sender name/, 'Other')
  fireEvent.change(screen.getByRole('textbox', { name: 'Test recipient' }), { target: { value: 'ann@example.com' } })
  press('Send test email')
  await waitFor(() => expect(sent.some((one) => one.path.endsWith('/mailserver/test'))).toBe(true))
  const call = sent.find((one) => one.path.endsWith('/mailserver/test'))
  expect(call?.query.get('mail')).toBe('ann@example.com')
  expect(call?.body).toEqual({ ...mail, fromName: 'Other' })
})

test('the outbox shows what waits and why', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/system/mail': null,
    'GET /api/system/mail/outbox': [
      {
        id: 1,
        to: 'ann@example.com',
        subject: 'Hello',
        state: 'waiting',
        attempts: 2,
        problem: 'It refuses the connection',
        createdAt: '2026-01-02T03:04:05Z',
      },
    ],
  })
  await openPage(() => <CommonPage />)
  expect(await screen.findByText('It refuses the connection')).toBeTruthy()
  expect(screen.getByText('Waiting')).toBeTruthy()
})

test('the number of kept slots of a shared agent is saved', async () => {
  signedIn({ admin: true })
  server({ 'GET /api/system/queue': { keptPlaces: 1 }, 'PUT /api/system/queue': { keptPlaces: 2 } })
  await openPage(() => <CommonPage />, '/login-free?tab=builds')
  await screen.findByDisplayValue('1')
  type(/^Slots reserved for other teams/, '2')
  press('Save')
  await waitFor(() => expect(sent.find((one) => one.method === 'PUT')?.body).toEqual({ keptPlaces: 2 }))
})

test('host settings may be empty; after saving, the page announces that it reloads', async () => {
  signedIn({ admin: true })
  const body = { publicUrl: '', notice: 'On Sunday' }
  server({
    'GET /api/system/host': { publicUrl: '', notice: '', effectiveUrl: 'http://127.0.0.1:8080' },
    'PUT /api/system/host': body,
  })
  await openPage(() => <CommonPage />, '/login-free?tab=host')
  await screen.findByRole('button', { name: 'Check address' })
  type(/^Notice on the login page/, 'On Sunday')
  press('Save')
  await waitFor(() => expect(sent.find((one) => one.method === 'PUT')?.body).toMatchObject({ notice: 'On Sunday' }))
  expect(await screen.findByText(/reloads in 3 seconds/)).toBeTruthy()
})
