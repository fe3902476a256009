import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { joinHeader } from '@gantry/contract/envelope'
import { session as tab } from '../../api/storage.ts'
import { openApp, press, refusal, sent, server, type, useConsole } from '../../../test/app.tsx'
import { routes } from './routes.tsx'

useConsole()

const options = { productName: 'Gantry', version: '', registration: true, oauth: null, notice: '', sandbox: false }
const path = '/api/public/registerUser'
const calls = () => sent.filter((one) => one.path === path)

async function fill(password = 'quay-Crane-42!', again = password) {
  await screen.findByText('Create an account')
  type('Username', 'grace')
  type('Nickname', 'Grace')
  type('Email address', 'grace@example.com')
  type('Password', password)
  type('Repeat password', again)
  press('Register')
}

test('is offered on the login page only if enabled', async () => {
  const first = await openApp('/login', routes)
  await screen.findByText('Welcome')
  expect(screen.queryByRole('link', { name: 'Register' })).toBeNull()
  first.unmount()
  const { queryClient } = await import('../../api/queries.ts')
  queryClient.clear()
  server({ 'GET /api/public/options': options })
  await openApp('/login', routes)
  expect((await screen.findByRole('link', { name: 'Register' })).getAttribute('href')).toBe('/register')
})

test('if disabled, the page says who creates accounts', async () => {
  await openApp('/register', routes)
  await screen.findByText(/Registration is turned off. Ask an administrator/)
  expect(screen.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe('/login')
})

test('creates an account, and says that an administrator must approve it', async () => {
  server({ 'GET /api/public/options': options, [`POST ${path}`]: null })
  await openApp('/register', routes)
  await fill()
  await screen.findByText('One more step')
  screen.getByText(/awaiting approval by an administrator/)
  expect(calls().map((one) => one.body)).toEqual([
    {
      userName: 'grace',
      nickname: 'Grace',
      email: 'grace@example.com',
      password: 'quay-Crane-42!',
      rePassword: 'quay-Crane-42!',
    },
  ])
})

test.each([
  ['aB3!x', 'aB3!x', 'A password has 6 to 20 characters'],
  ['password', 'password', /too easy to guess/],
  ['quay-Crane-42!', '', 'Enter the new password again'],
  ['quay-Crane-42!', 'quay-Crane-43!', 'The two passwords differ'],
])('%s, %s: %s', async (password, again, words) => {
  server({ 'GET /api/public/options': options })
  await openApp('/register', routes)
  await fill(password, again)
  await screen.findByText(words)
  expect(calls()).toEqual([])
})

test('the meter shows the password’s strength, and its fields do not cut a long one', async () => {
  server({ 'GET /api/public/options': options })
  await openApp('/register', routes)
  await screen.findByText('Create an account')
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('Password').maxLength).toBe(200)
  type('Password', 'quay-Crane-42!')
  expect((await screen.findByRole('meter')).textContent).toMatch(/strong/i)
})

test('reports a taken name, and keeps the input', async () => {
  server({
    'GET /api/public/options': options,
    [`POST ${path}`]: refusal(409, 'user-name-taken', 'The username grace is already in use. Choose another one.'),
  })
  await openApp('/register', routes)
  await fill()
  expect((await screen.findByText(/already in use/)).closest('[role=alert]')).not.toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('grace')
})

test('uses the tab’s link to join, reports if it has expired, and then registers without it', async () => {
  tab.set('join', 'gj_secret')
  const over = refusal(404, 'join-link-over', 'This link to join is no longer valid.')
  server({ 'GET /api/public/options': options, [`POST ${path}`]: () => (calls().length === 1 ? over : null) })
  const first = await openApp('/register', routes)
  await fill()
  await screen.findByText(/no longer valid/)
  press('Register')
  await screen.findByText('One more step')
  first.unmount()
  tab.set('join', 'gj_other')
  await openApp('/register', routes)
  await fill()
  await screen.findByText('One more step')
  expect(calls().map(({ headers }) => headers.get(joinHeader))).toEqual(['gj_secret', null, 'gj_other'])
  expect(tab.get('join')).toBeUndefined()
})
