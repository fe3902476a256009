import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { permissions } from '../../../api/permissions.ts'
import { openApp, openPage, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { HostListPage } from '../hosts/host-list-page.tsx'
import { routes } from '../routes.tsx'

useConsole()

const base = '/resource-manager/api/environments'
const address = '/teams/1/resourcemanager/cluster'
const row = (name: string) => ({
  uuid: `0b6a3f4e-7a52-4d0a-9a55-${name.padEnd(12, '0')}`,
  name,
  health: 'healthy',
  healthMessage: '',
  version: 'v1.34.4',
  nodeNum: 1,
  capacity: null,
  usage: { cpu: null, memory: null },
  teams: [{ id: 2, name: 'payments' }],
})
const paged = (items: unknown[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })

const lists = () => sent.filter(({ path }) => path.startsWith(base)).map(({ path }) => path)

function begin(...names: string[]) {
  signedIn()
  permissions.set(names.map((name) => ({ name, enable: true })))
  server({ [`GET ${base}`]: paged([row('all')]), [`GET ${base}/tenants/1`]: [row('own')] })
}

test('a viewer of all clusters gets them with their teams, read-only: one request, made ahead, serves the page', async () => {
  begin('system_cluster_view')
  await openApp(address, routes)
  await screen.findByText('all')
  screen.getByText('payments')
  expect(lists()).toEqual([base])
  expect(screen.getByRole('button', { name: 'Add cluster' }).getAttribute('aria-disabled')).toBe('true')
})

test('other users get their team’s clusters, with one request too', async () => {
  begin('resource_cluster_view')
  await openApp(address, routes)
  await screen.findByText('own')
  expect(lists()).toEqual([`${base}/tenants/1`])
})

test('a user who may see neither is told who can grant it, and no request is made', async () => {
  begin('resource_host_view')
  await openApp(address, routes)
  await screen.findByText('You cannot view this')
  expect(lists()).toEqual([])
})

test('hosts are listed without clusters that the user may not see', async () => {
  begin('resource_host_view')
  server({ 'GET /resource-manager/api/hosts/environments': { ...paged([]), stale: [] } })
  await openApp('/teams/1/resourcemanager/cn', routes)
  await waitFor(() => expect(sent.some(({ path }) => path === '/resource-manager/api/hosts/environments')).toBe(true))
  expect(lists()).toEqual([])
})

test.each([
  ['all clusters', 'system_cluster_view', 'true', base],
  ['those of the team', 'resource_cluster_view', 'false', `${base}/tenants/1`],
])('hosts are searched and filtered within %s', async (_, permission, all, list) => {
  begin(permission)
  server({ 'GET /resource-manager/api/hosts/environments': { ...paged([]), stale: [] } })
  await openPage(() => <HostListPage />, address, '/teams/$team_id/resourcemanager/cluster')
  const requests = () => sent.filter(({ path }) => path === '/resource-manager/api/hosts/environments')
  await waitFor(() => expect([requests()[0]?.query.get('all'), lists()]).toEqual([all, [list]]))
})
