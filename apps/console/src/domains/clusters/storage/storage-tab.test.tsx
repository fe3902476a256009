import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import type { Driver, Volume } from '@gantry/contract/clusters/storage'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { queryClient } from '../../../api/queries.ts'
import { StorageTab } from './storage-tab.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const base = `/resource-manager/api/storage/environments/${uuid}`
const cluster = (alone = true) => ({ uuid, name: 'east', alone }) as Partial<Cluster> as Cluster

const volume = (state: Volume['state'], more: Partial<Volume> = {}): Volume => ({
  name: 'archive',
  capacity: 50,
  accessModes: ['ReadWriteOnce'],
  reclaimPolicy: 'Retain',
  state,
  driver: 'manual',
  source: 'nfs 10.0.0.1:/x',
  claim: null,
  message: '',
  heldBy: null,
  createdAt: '2026-01-01T00:00:00Z',
  ...more,
})

async function open(one: Volume, { alone = true, admin = true, drivers = [] as Driver[] } = {}) {
  signedIn({ admin })
  server({
    [`GET ${base}/persistent-volumes`]: {
      items: [one],
      requestPage: 1,
      pageSize: 20,
      totalSize: 1,
      age: { staleSince: null, message: '' },
    },
    [`GET ${base}/drivers`]: drivers,
    [`GET /resource-manager/api/environments/${uuid}/host-folders`]: [],
    [`PUT ${base}/persistent-volumes/archive/reclaim`]: { ...one, state: 'Failed', message: 'no deleter' },
  })
  await openPage(() => <StorageTab cluster={cluster(alone)} />)
  await screen.findByText('archive')
}
const menu = async () => {
  press('Actions for archive')
  const items = await screen.findAllByRole('menuitem')
  return items.filter((item) => item.querySelector('[aria-disabled=false]')).map((item) => item.textContent)
}

test.each<[string, Partial<Volume>, string]>([
  [
    'its claim',
    { heldBy: ['kubernetes.io/pv-protection'], claim: { namespace: 'shop', name: 'data', pods: [] } },
    'Kept until its claim shop/data is gone (kubernetes.io/pv-protection)',
  ],
  [
    'a finalizer',
    { heldBy: ['example.com/backup'] },
    'Kept until what set these finalizers takes them off: example.com/backup',
  ],
])('a volume that is being deleted is kept by %s', async (_, more, words) => {
  await open(volume('Bound', more))
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('deleting')).toBeTruthy()
})

test.each<[Volume['state'], string[]]>([
  ['Pending', ['Delete']],
  ['Available', ['Delete']],
  ['Bound', []],
  ['Released', ['Activate', 'Reclaim', 'Delete']],
  ['Failed', ['Activate', 'Delete']],
])('a volume that is %s offers: %j', async (state, actions) => {
  await open(volume(state, { claim: { namespace: 'shop', name: 'data', pods: ['web-1'] } }))
  expect(await menu()).toEqual(actions)
  if (state === 'Bound') expect(screen.getAllByText(/is bound to shop\/data/).length).toBe(3)
})

test('shows who claims a volume and which pods use it', async () => {
  const pods = ['a', 'b', 'c', 'd']
  await open(volume('Bound', { claim: { namespace: 'shop', name: 'data', pods } }))
  const row = within(screen.getByText('archive').closest('tr') as HTMLElement)
  expect(row.getByText('used by a, b, c …').getAttribute('title')).toBe('a, b, c, d')
  expect(row.getByText('RWO').getAttribute('title')).toBe('ReadWriteOnce')
})

test('a volume is reclaimed once its name is typed, and the driver’s message is shown', async () => {
  await open(volume('Released', { claim: { namespace: 'shop', name: 'data', pods: [] } }))
  await menu()
  fireEvent.click(screen.getByRole('menuitem', { name: 'Reclaim' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('its data: up to 50 GiB at nfs 10.0.0.1:/x')
  const put = () => sent.filter(({ method }) => method === 'PUT')
  fireEvent.click(dialog.getByRole('button', { name: 'Reclaim' }))
  expect(put()).toEqual([])
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'archive' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Reclaim' }))
  await waitFor(() => expect(put()).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a team that shares the cluster cannot change its storage', async () => {
  await open(volume('Released'), { alone: false, admin: false })
  expect(await menu()).toEqual([])
})

test('a default driver can be chosen unless there is exactly one', async () => {
  const driver = (name: string, isDefault: boolean): Driver => ({
    name,
    provisioner: 'example.test/none',
    reclaimPolicy: 'Delete',
    binding: 'Immediate',
    expandable: false,
    isDefault,
    parameters: {},
    volumeNum: 0,
    createdAt: '2026-01-01T00:00:00Z',
  })
  const choice = async (drivers: Driver[]) => {
    await open(volume('Available'), { drivers })
    press('Actions for fast')
    const item = await screen.findByRole('menuitem', { name: /Make default/ })
    const disabled = item.querySelector('[aria-disabled]')?.getAttribute('aria-disabled')
    cleanup()
    queryClient.clear()
    return disabled
  }
  expect(await choice([driver('fast', true), driver('slow', false)])).toBe('true')
  expect(await choice([driver('fast', true), driver('slow', true)])).toBe('false')
})
