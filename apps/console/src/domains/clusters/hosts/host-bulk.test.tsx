import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import type { Host } from '@gantry/contract/clusters/hosts'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { HostsTab } from './hosts-tab.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const base = '/resource-manager/api/hosts/environments'
const figures = { cpu: 4, memory: 8, disk: 50, pods: 110 }

const host = (name: string, more: Partial<Host> = {}): Host => ({
  uuid: `uid-${name}`,
  name,
  ip: '10.0.0.1',
  envUuid: uuid,
  envName: 'east',
  state: 'ready',
  schedulable: true,
  troubles: [],
  heldBy: [],
  roles: [],
  controller: false,
  dedicated: null,
  alone: true,
  ingress: false,
  version: 'v1.34.4',
  os: 'linux',
  podNum: 7,
  allocatable: figures,
  requested: { cpu: 1, memory: 1 },
  used: null,
  createdAt: '2026-01-01T00:00:00Z',
  ...more,
})

/** Opens the list with these hosts selected, and starts a bulk action. */
async function begin(action: string, hosts: Host[]) {
  signedIn({ admin: true })
  const all = { items: hosts, requestPage: 1, pageSize: 20, totalSize: hosts.length, stale: [] }
  const changes = hosts.flatMap(({ name }) => [
    `PUT ${base}/${uuid}/${name}/cordon`,
    `PUT ${base}/${uuid}/${name}/maintenance`,
  ])
  server({
    [`GET ${base}`]: all,
    [`POST /resource-manager/api/host-label/environments/${uuid}/label`]: null,
    ...Object.fromEntries(changes.map((call) => [call, null])),
  })
  const cluster = { uuid, name: 'east', sandbox: false } as Partial<Cluster> as Cluster
  await openPage(() => <HostsTab cluster={cluster} />)
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  press(action)
  return within(await screen.findByRole('dialog'))
}
const changed = () =>
  sent
    .filter(({ method, path }) => method !== 'GET' && path.includes('host'))
    .map(({ path, body }) => [path.split('/').slice(-2).join('/'), body])

test('several hosts are put in maintenance; one that must stay in service is named with the reason and skipped', async () => {
  const dialog = await begin('Start maintenance', [
    host('n1'),
    host('n2', { state: 'cordoned', schedulable: false, podNum: 5 }),
    host('control', { controller: true }),
    host('empty', { state: 'maintenance', schedulable: false }),
  ])
  dialog.getByText(/up to 12 running pods are evicted/)
  dialog.getByText(/The host control runs the cluster’s control plane or this platform/)
  dialog.getByText('The host is already in maintenance')
  fireEvent.click(dialog.getByRole('button', { name: 'Start maintenance' }))
  await dialog.findByText('2 of 2 done, 0 failed')
  expect(changed()).toEqual([
    ['n1/maintenance', { enable: true }],
    ['n2/maintenance', { enable: true }],
  ])
})

test('if the pods of a host are not counted, the confirmation gives no number of evicted pods', async () => {
  const dialog = await begin('Start maintenance', [host('n1'), host('n2', { podNum: null })])
  dialog.getByText(/number is not known for every host/)
  expect(dialog.queryByText(/up to 7/)).toBeNull()
})

test('maintenance ends on hosts that are in it, and their pods start again', async () => {
  const dialog = await begin('End maintenance', [host('n1'), host('n2', { state: 'maintenance', schedulable: false })])
  dialog.getByText('The host is not in maintenance')
  fireEvent.click(dialog.getByRole('button', { name: 'End maintenance' }))
  await dialog.findByText('1 of 1 done, 0 failed')
  expect(changed()).toEqual([['n2/maintenance', { enable: false }]])
})

test('hosts that can all be cordoned are cordoned without a confirmation', async () => {
  const dialog = await begin('Cordon', [host('n1'), host('n2')])
  await dialog.findByText('2 of 2 done, 0 failed')
  expect(changed()).toEqual([
    ['n1/cordon', { enable: true }],
    ['n2/cordon', { enable: true }],
  ])
})

test('an unready host shows that it is cordoned, and can be uncordoned by its menu or in bulk', async () => {
  const dialog = await begin('Uncordon', [
    host('n1', { state: 'not_ready' }),
    host('n2', { state: 'not_ready', schedulable: false }),
  ])
  dialog.getByText('The host is not cordoned')
  fireEvent.click(dialog.getByRole('button', { name: 'Uncordon' }))
  await dialog.findByText('1 of 1 done, 0 failed')
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
  const states = screen.getAllByText('not ready').map((badge) => badge.closest('td')?.textContent)
  expect(states).toEqual(['not ready', 'not readycordoned'])
  press('Actions for n2')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Uncordon' }))
  await waitFor(() =>
    expect(changed()).toEqual([
      ['n2/cordon', { enable: false }],
      ['n2/cordon', { enable: false }],
    ]),
  )
})

test('a valid label is set on each host, including one that must stay in service', async () => {
  const dialog = await begin('Set label', [host('n1'), host('control', { controller: true })])
  const set = () => fireEvent.click(dialog.getByRole('button', { name: 'Set label' }))
  const write = (field: string, value: string) => fireEvent.change(dialog.getByLabelText(field), { target: { value } })
  for (const key of ['', 'kubernetes.io/os', '-x']) {
    write('Key', key)
    set()
  }
  await waitFor(() => expect(dialog.getByText(/A key has at most 63/)).toBeTruthy())
  expect(changed()).toEqual([])
  write('Key', 'example.com/disk')
  write('Value', 'ssd')
  set()
  await dialog.findByText('2 of 2 done, 0 failed')
  expect(changed().map(([, body]) => body)).toEqual([
    { host: 'n1', key: 'example.com/disk', value: 'ssd' },
    { host: 'control', key: 'example.com/disk', value: 'ssd' },
  ])
})
