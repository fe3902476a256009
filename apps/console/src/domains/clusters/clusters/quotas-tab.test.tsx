import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { permissions } from '../../../api/permissions.ts'
import { openPage, press, sent, server, signedIn, useConsole, type Sent } from '../../../../test/app.tsx'
import { QuotasTab } from './quotas-tab.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const cluster = { uuid, name: 'east', sandbox: false, teams: [] } as Partial<Cluster> as Cluster
const quota = {
  envUuid: uuid,
  envName: 'east',
  hard: { cpu: 4, memory: null },
  allocated: { cpu: 2, memory: 2 },
  used: { cpu: 0.5, memory: 1 },
}
const many = Array.from({ length: 23 }, (_, at) => ({ ...quota, team: { id: at + 1, name: `team-${at + 1}` } }))
const all = 'GET /resource-manager/api/quotas/tenants'
const namespaces = { 'GET /resource-manager/api/namespaces/tenants/1': [] }

const paged = ({ query }: Sent) => {
  const [page, size] = [Number(query.get('requestPage')), Number(query.get('pageSize'))]
  return {
    items: many.slice((page - 1) * size, page * size),
    requestPage: page,
    pageSize: size,
    totalSize: many.length,
  }
}
const requests = () => sent.filter(({ path }) => path === '/resource-manager/api/quotas/tenants')

test('administrators see all teams of a cluster, one page per request', async () => {
  signedIn({ admin: true })
  server({ [all]: paged, ...namespaces })
  await openPage(() => <QuotasTab cluster={cluster} />)
  await screen.findByText('team-10')
  expect(requests()).toHaveLength(1)
  expect(requests()[0]?.query.get('envUuid')).toBe(uuid)
  press('Page 3')
  await screen.findByText('team-23')
  expect(requests()).toHaveLength(2)
  expect(screen.queryByText('team-10')).toBeNull()
})

test('quota, allocated and used share one bar with figures; without a limit there are figures only', async () => {
  signedIn({ admin: true })
  server({ [all]: { items: many.slice(0, 1), requestPage: 1, pageSize: 10, totalSize: 1 }, ...namespaces })
  await openPage(() => <QuotasTab cluster={cluster} />)
  const row = within((await screen.findByText('team-1')).closest('tr') as HTMLElement)
  const [cpu, ...others] = row.getAllByRole('meter')
  expect(cpu?.getAttribute('aria-valuetext')).toBe('0.5 used · 2 allocated · of 4 cores (50%)')
  expect(others).toEqual([])
  expect(Array.from(cpu?.querySelectorAll('i') ?? [], (part) => [part.className, part.style.width])).toEqual([
    ['g-meter-pale', '50%'],
    ['', '13%'],
  ])
  expect(row.getByText('1 used · 2 allocated · no limit (GiB)')).toBeTruthy()
})

test.each([
  [80, false],
  [81, true],
])('at %s percent the bar is red: %s', async (given, red) => {
  signedIn({ admin: true })
  const full = { ...quota, hard: { cpu: 100, memory: 100 }, allocated: { cpu: given, memory: 0 }, used: null }
  server({
    [all]: { items: [{ ...full, team: many[0]?.team }], requestPage: 1, pageSize: 10, totalSize: 1 },
    ...namespaces,
  })
  await openPage(() => <QuotasTab cluster={cluster} />)
  await waitFor(() => expect(screen.getAllByRole('meter')).toHaveLength(2))
  expect(document.querySelectorAll('.g-meter-short')).toHaveLength(red ? 1 : 0)
  expect(screen.getAllByText(/usage not known yet/).length).toBeGreaterThan(0)
})

test('other users see only their own team', async () => {
  signedIn()
  permissions.set([])
  server({ [`GET /resource-manager/api/quotas/tenants/1/environments/${uuid}`]: quota })
  await openPage(() => <QuotasTab cluster={cluster} />)
  await waitFor(() => expect(screen.getAllByRole('meter')).toHaveLength(1))
  expect(requests()).toEqual([])
})
