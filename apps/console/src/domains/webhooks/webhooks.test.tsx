import type { Delivery, Webhook } from '@gantry/contract/webhooks/webhooks'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { ada, openApp, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { routes } from './routes.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const path = '/api/webhook/pipelineconfig'
const form = '/sysconfig/continuous-delivery/WebHook/WebHookForm'
const webhook: Webhook = {
  id: 3,
  name: 'chat',
  kind: 'signed',
  language: 'en',
  url: 'https://chat.example.test/hook',
  secret: '********',
  enabled: true,
  teamId: null,
  teamName: '',
  events: ['build.failed'],
  revision: 2,
  createdAt: at,
  updatedAt: at,
  last: { state: 'failed', createdAt: at },
}
const delivery: Delivery = {
  id: 9,
  uuid: '00000000-0000-4000-8000-000000000000',
  event: 'build.failed',
  state: 'failed',
  attempts: 12,
  status: 503,
  problem: 'The receiver answered with status 503',
  createdAt: at,
  nextAt: null,
  body: '{"event":"build.failed"}',
}
const listOf = <T,>(items: T[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })

beforeEach(() => {
  signedIn({ ...ada, admin: true })
  server({
    [`GET ${path}`]: listOf([webhook]),
    [`GET ${path}/3`]: webhook,
    [`GET ${path}/3/deliveries`]: listOf([delivery]),
    [`PUT ${path}/3`]: webhook,
    [`POST ${path}/3/deliveries/9/redeliver`]: null,
  })
})

test('the list shows the outcome of each webhook’s last message', async () => {
  await openApp('/sysconfig/continuous-delivery/WebHook/WebHookMain', routes)
  const row = (await screen.findByRole('link', { name: 'chat' })).closest('tr')
  if (!row) throw new Error('no row')
  within(row).getByText('All teams')
  within(row).getByText('given up')
})

test('a webhook is saved with its masked secret at the revision that was opened', async () => {
  await openApp(`${form}?id=3`, routes)
  fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'chat room' } })
  press('Save')
  await expect
    .poll(() => sent.find(({ method }) => method === 'PUT')?.body)
    .toEqual({
      name: 'chat room',
      kind: 'signed',
      language: 'en',
      url: webhook.url,
      secret: webhook.secret,
      enabled: true,
      teamId: null,
      events: ['build.failed'],
      revision: 2,
    })
})

test('a delivery shows the answer of its receiver, and is sent again', async () => {
  await openApp(`${form}?id=3`, routes)
  await screen.findByText('The receiver answered with status 503')
  fireEvent.click(await screen.findByRole('button', { name: /^Actions for 0000/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Send again' }))
  await expect.poll(() => sent.some((one) => one.path.endsWith('/redeliver'))).toBe(true)
})
