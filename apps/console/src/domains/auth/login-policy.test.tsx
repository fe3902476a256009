import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { LoginPolicyForm } from './login-policy-form.tsx'

useConsole()

const policy = { passwordDays: 180, retries: 3 }
const saved = () => sent.filter((call) => call.method === 'PUT').map((call) => call.body)

async function open() {
  signedIn({ admin: true })
  server({ 'GET /api/system/login': policy, 'PUT /api/system/login': policy })
  await openPage(() => <LoginPolicyForm />)
  await screen.findByLabelText('Password validity')
}

test('saves the entered values', async () => {
  await open()
  type('Password validity', '90')
  type('Wrong passwords allowed', '5')
  press('Save')
  await waitFor(() => expect(saved()).toEqual([{ passwordDays: 90, retries: 5 }]))
})

test.each([
  ['Password validity', '6', /whole number from 7 to 730 days/],
  ['Password validity', '731', /whole number from 7 to 730 days/],
  ['Wrong passwords allowed', '2', /whole number from 3 to 10/],
  ['Wrong passwords allowed', '11', /whole number from 3 to 10/],
])('refuses %s of %s at its field', async (label, value, words) => {
  await open()
  type(label, value)
  press('Save')
  await screen.findByText(words)
  expect(saved()).toEqual([])
})
