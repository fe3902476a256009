import type { Certificate } from '@gantry/contract/certificates/certificates'
import type { Domain } from '@gantry/contract/certificates/domains'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { ada, openApp, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { routes } from './routes.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const path = '/resource-manager/api/certificates'
const certificate: Certificate = {
  id: 3,
  name: 'shop',
  subject: 'CN=shop.example.com',
  issuer: 'CN=authority',
  names: ['a', 'b', 'c', 'd', 'e'].map((one) => `${one}.example.com`),
  fingerprint: 'AA:BB',
  from: at,
  until: '2026-02-01T00:00:00Z',
  daysLeft: -2,
  state: 'expired',
  teams: [{ id: 7, name: 'sales' }],
  domains: 1,
  services: 0,
  revision: 4,
  createdAt: at,
  updatedAt: at,
}
const domain: Domain = {
  id: 9,
  domain: 'a.example.com',
  certificateId: 3,
  certificateName: 'shop',
  teamId: null,
  teamName: '',
  ways: 0,
  createdAt: at,
}
const listOf = <T,>(items: T[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })

beforeEach(() => {
  signedIn({ ...ada, admin: true })
  server({
    [`GET ${path}`]: listOf([certificate]),
    [`GET ${path}/3`]: certificate,
    [`PUT ${path}/3`]: certificate,
    'GET /resource-manager/api/domains/certificates/3': listOf([domain]),
    'POST /resource-manager/api/domains/certificates/3': domain,
  })
})

test('the list marks expired certificates, and shows their host names', async () => {
  await openApp('/sysconfig/certificates', routes)
  const row = (await screen.findByRole('link', { name: 'shop' })).closest('tr')
  if (!row) throw new Error('no row')
  within(row).getByText('expired')
  within(row).getByText('a.example.com, b.example.com, c.example.com and 2 more')
  within(row).getByText('sales')
})

test('a certificate is replaced at the revision that was opened, and its key is entered anew', async () => {
  await openApp('/sysconfig/certificates/add?id=3', routes)
  fireEvent.change(await screen.findByLabelText(/^Certificate/), { target: { value: 'new certificate' } })
  fireEvent.change(screen.getByLabelText(/^Private key/), { target: { value: 'new key' } })
  press('Replace')
  await expect
    .poll(() => sent.find(({ method }) => method === 'PUT')?.body)
    .toEqual({ name: 'shop', certificate: 'new certificate', privateKey: 'new key', revision: 4 })
})

test('a domain is added under its certificate, without a team', async () => {
  await openApp('/sysconfig/certificates/3/domains', routes)
  await screen.findByText('CN=authority')
  await screen.findByText('No team yet')
  press('Add domain')
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText(/^Domain/), { target: { value: 'B.example.com' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Add domain' }))
  await expect
    .poll(() => sent.find((one) => one.method === 'POST' && one.path.endsWith('certificates/3'))?.body)
    .toEqual({ domain: 'B.example.com' })
})
