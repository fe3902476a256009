import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { OpenStack } from '@gantry/contract/openstack/openstack'
import type { Zone } from '@gantry/contract/openstack/zones'
import { openPage, press, refusal, sent, server, signedIn, type, useConsole, type Sent } from '../../../test/app.tsx'
import { showing } from '../../api/notices.ts'
import { permissions } from '../../api/permissions.ts'
import { AddOpenStackPage } from './add-openstack-page.tsx'
import { AddZonePage } from './add-zone-page.tsx'
import { missingFields } from './missing-fields.tsx'
import { OpenStackListPage } from './openstack-list-page.tsx'
import { ZoneListPage } from './zone-list-page.tsx'
import { ZonePage } from './zone-page.tsx'

useConsole()

const [east, west] = ['0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11', '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e22']
const at = (kind: 'openstacks' | 'zones', env: string) => `/resource-manager/api/${kind}/environments/${env}`
const list = (items: readonly unknown[]) => ({ items, requestPage: 1, pageSize: 1000, totalSize: items.length })

const openstack = (name: string, envUuid: string): OpenStack => ({
  uuid: `${name}-uuid`,
  name,
  envUuid,
  keystone: {
    authUrl: 'https://keystone.example/v3',
    username: 'kuryr',
    password: '********',
    projectName: 'demo',
    projectDomainName: 'Default',
    userDomainName: 'Heimdall',
  },
  zoneNum: 0,
  state: 'ready',
  createdAt: '2026-01-02T03:04:05Z',
})

const zone = (name: string, envUuid: string, openStackName: string): Zone => ({
  uuid: `${name}-uuid`,
  name,
  type: 'normal',
  envUuid,
  state: 'ready',
  openStackUuid: `${openStackName}-uuid`,
  openStackName,
  neutronDefaults: {
    project: 'project-id',
    podSecurityGroups: ['group-id'],
    podSubnet: 'pods-id',
    serviceSubnet: 'services-id',
    reservedIp: [{ start: '10.20.0.10', end: '10.20.0.20' }],
  },
  k8s: { name: envUuid === east ? 'east' : 'west', podVifDriver: '' },
  binding: { driver: '', linkIface: '' },
  podVifNested: { workerNodesSubnet: '' },
  names: { 'pods-id': 'pods (10.20.0.0/16)', 'group-id': 'pods-open' },
  written: { namespace: 'kuryr-system', configMap: `kuryr-zone-${name}`, secret: `kuryr-zone-${name}` },
  createdAt: '2026-01-02T03:04:05Z',
})

const cluster = (uuid: string, name: string, alone = true) => ({ uuid, name, sandbox: false, teams: [], alone })
const ofTeam = '/resource-manager/api/environments/tenants/1'
const clouds = [openstack('berlin', east), openstack('paris', east)]

beforeEach(() => {
  signedIn({ admin: true })
  server({
    [`GET ${ofTeam}`]: [cluster(east, 'east'), cluster(west, 'west')],
    [`GET ${at('openstacks', east)}`]: list(clouds),
    [`GET ${at('openstacks', west)}`]: list([]),
    [`GET ${at('zones', east)}`]: list([zone('blue', east, 'berlin'), zone('red', east, 'paris')]),
    [`GET ${at('zones', west)}`]: list([zone('grey', west, 'oslo')]),
  })
})

const requestsTo = (path: string) => sent.filter((one: Sent) => one.path === path)
const open = (page: () => React.ReactNode, pattern: `/${string}`, address: string) => openPage(page, address, pattern)
const openStacks = () => openPage(() => <OpenStackListPage />)
const zonesPage = (query = '') => openPage(() => <ZoneListPage />, `/login-free${query}`)

/** Opens a select field and chooses an option of its own list, not of one that was open before. */
async function choose(label: string, option: string) {
  fireEvent.mouseDown(screen.getByLabelText(label, { exact: false, selector: 'input' }))
  const found = await waitFor(() => {
    const lists = [...document.querySelectorAll('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')]
    const options = lists.flatMap((one) => [...one.querySelectorAll(`.ant-select-item-option[title="${option}"]`)])
    const last = options.at(-1)
    if (!last) throw new Error(`${option} is not offered`)
    return last
  })
  fireEvent.click(found)
}

test('the first cluster is open, with every column of the specification', async () => {
  await openStacks()
  const row = (await screen.findByText('berlin')).closest('tr')
  expect(
    within(row as HTMLElement)
      .getAllByRole('cell')
      .slice(0, 6)
      .map((cell) => cell.textContent.trim()),
  ).toEqual(['berlin', 'https://keystone.example/v3', 'kuryr', 'Heimdall', 'demo', 'Default'])
  expect(requestsTo(at('openstacks', west))).toEqual([])
})

test('without a cluster nothing can be added', async () => {
  server({ [`GET ${ofTeam}`]: [] })
  await openStacks()
  await screen.findByText('No clusters')
  expect(screen.getByRole('button', { name: 'Add OpenStack' }).getAttribute('aria-disabled')).toBe('true')
})

test('a deletion counts the zones first, and warns if there are any', async () => {
  const path = `${at('openstacks', east)}/berlin-uuid`
  server({ [`GET ${path}/check`]: { zoneNum: 1 }, [`DELETE ${path}`]: { gone: true } })
  await openStacks()
  await screen.findByText('berlin')
  press('Actions for berlin')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('Delete the OpenStack connection berlin?')
  dialog.getByText(/Zones still use this OpenStack connection \(1\)/)
  dialog.getByText('blue')
  expect(dialog.queryByText('red')).toBeNull()
  expect(requestsTo(path)).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(requestsTo(path).map(({ method }) => method)).toEqual(['DELETE']))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a connection without zones is deleted without the warning', async () => {
  const path = `${at('openstacks', east)}/paris-uuid`
  server({ [`GET ${path}/check`]: { zoneNum: 0 } })
  await openStacks()
  await screen.findByText('paris')
  press('Actions for paris')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.queryByText(/Zones still use/)).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a refusal by Keystone is shown at its field; blank domains are not sent', async () => {
  const path = at('openstacks', west)
  server({
    [`POST ${path}`]: refusal(400, 'openstack-password-refused', 'Wrong', [
      { path: 'keystone.password', key: 'openstack-password-refused', text: 'Keystone refuses the password' },
    ]),
  })
  await open(() => <AddOpenStackPage />, '/os/$env_uuid/add', `/os/${west}/add`)
  await screen.findByLabelText('Name')
  type('Name', 'oslo')
  type('Auth URL', 'https://keystone.example')
  type('Username', 'kuryr')
  type('Password', 'secret-word')
  type('Project name', 'demo')
  type(/User domain name/, '  ')
  press('Save')
  await screen.findByText('Keystone refuses the password')
  const [call] = requestsTo(path)
  expect(call?.body).toMatchObject({ name: 'oslo', keystone: { username: 'kuryr', projectName: 'demo' } })
  expect(call?.body).not.toHaveProperty('keystone.projectDomainName')
})

test('zones are found by their name and their OpenStack’s, without another call', async () => {
  await zonesPage('?keyword=BERL')
  await screen.findByText('blue')
  expect(screen.queryByText('red')).toBeNull()
  const row = screen.getByText('blue').closest('tr')
  const cells = [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)
  expect(cells.slice(0, 4)).toEqual(['blue', 'east', 'berlin', 'pods (10.20.0.0/16)'])
  expect(requestsTo(at('zones', east))).toHaveLength(1)
  expect(requestsTo(at('zones', east))[0]?.query.get('limit')).toBe('1000')
})

test('another cluster clears the search and reads again', async () => {
  const { at: address } = await zonesPage('?keyword=berl')
  await screen.findByText('blue')
  await choose('Cluster', 'west')
  await screen.findByText('grey')
  expect(address()).toBe(`/login-free?env=${west}`)
  expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('')
})

test('everybody can view details; deleting requires a permission', async () => {
  signedIn()
  permissions.set([])
  await zonesPage()
  await screen.findByText('blue')
  press('Actions for blue')
  await screen.findByText('View details')
  const entries = screen.getAllByRole('menuitem').map((entry) => entry.querySelector('[aria-disabled]'))
  expect(entries.map((entry) => entry?.getAttribute('aria-disabled'))).toEqual(['false', 'true'])
})

test('a zone is saved once all required fields are filled; a normal one sends no fields of nesting', async () => {
  const choices = {
    project: 'a'.repeat(32),
    projects: [{ id: 'a'.repeat(32), name: 'demo' }],
    networks: [],
    subnets: ['1', '2'].map((n) => ({
      id: n.repeat(32),
      name: `net-${n}`,
      cidr: `10.2${n}.0.0/16`,
      networkId: 'x',
      pools: [],
    })),
    securityGroups: [{ id: 'c'.repeat(32), name: 'pods-open' }],
    truncated: false,
  }
  const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e33'
  server({
    [`GET ${at('openstacks', east)}`]: list([{ ...clouds[0], uuid }]),
    [`GET ${at('openstacks', east)}/${uuid}/networks`]: choices,
    [`GET ${at('zones', east)}/check`]: ({ query }: Sent) => ({ free: query.get('name') !== 'taken' }),
  })
  await openPage(() => <AddZonePage />)
  const button = () => screen.getByText('Save').closest('button') as HTMLElement
  const save = () => button().getAttribute('aria-disabled')
  await screen.findByLabelText('Name')
  type('Name', 'taken')
  await screen.findByText(/already has a zone with this name/)
  await choose('OpenStack', 'berlin · demo')
  await screen.findByTitle('demo')
  expect(save()).toBe('true')
  await choose('Pod security groups', 'pods-open')
  await choose('Pod subnet', 'net-1 (10.21.0.0/16)')
  await choose('Service subnet', 'net-2 (10.22.0.0/16)')
  expect(save()).toBe('true')
  type('Name', 'fresh')
  await waitFor(() => expect(save()).toBe('false'))
  fireEvent.click(button())
  await waitFor(() => expect(requestsTo(at('zones', east)).filter(({ method }) => method === 'POST')).toHaveLength(1))
  expect(requestsTo(at('zones', east)).at(-1)?.body).toEqual({
    name: 'fresh',
    type: 'normal',
    openStackUuid: uuid,
    neutronDefaults: {
      project: 'a'.repeat(32),
      podSecurityGroups: ['c'.repeat(32)],
      podSubnet: '1'.repeat(32),
      serviceSubnet: '2'.repeat(32),
      reservedIp: [],
    },
  })
}, 60_000)

test('the missing fields depend on the type', () => {
  const neutronDefaults = { project: 'a', podSecurityGroups: ['b'], podSubnet: 'c', serviceSubnet: 'd' }
  const values = { name: 'x', type: 'normal', openStackUuid: 'y', neutronDefaults }
  expect(missingFields(values)).toEqual([])
  expect(missingFields({ ...values, type: 'nested' })).toEqual(['Worker node subnet'])
  expect(missingFields({ ...values, neutronDefaults: { ...neutronDefaults, podSecurityGroups: [] } })).toEqual([
    'Pod security groups',
  ])
  expect(missingFields({ type: 'normal' })).toHaveLength(6)
})

test('one zone is shown read-only', async () => {
  server({ [`GET ${at('zones', east)}/blue-uuid`]: zone('blue', east, 'berlin') })
  await open(() => <ZonePage />, '/z/$zone_uuid/env/$env_uuid', `/z/blue-uuid/env/${east}`)
  await screen.findByRole('heading', { level: 1, name: 'blue' })
  for (const text of ['pods-open', '10.20.0.10 – 10.20.0.20', 'kuryr-system']) screen.getByText(text)
  expect(screen.queryByRole('textbox')).toBeNull()
})

describe('on a cluster of several teams', () => {
  const reason = /Several teams use this cluster/
  const whyNot = async (button: HTMLElement) => {
    expect(button.getAttribute('aria-disabled')).toBe('true')
    fireEvent.focus(button)
    await screen.findByText(reason)
  }
  beforeEach(() => {
    signedIn()
    permissions.set(undefined)
    server({ [`GET ${ofTeam}`]: [cluster(east, 'east', false), cluster(west, 'west')] })
  })

  test.each([
    ['connections', () => openStacks(), 'Add OpenStack', 'berlin'],
    ['zones', () => zonesPage(), 'Create zone', 'blue'],
  ])('%s are shown, but cannot be added or deleted, with the reason', async (_, open, add, name) => {
    await open()
    await screen.findByText(name)
    await whyNot(screen.getByRole('button', { name: add }))
    press(`Actions for ${name}`)
    const entry = await screen.findByRole('menuitem', { name: /Delete/ })
    within(entry).getByText(reason)
    fireEvent.click(entry)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('does not offer a connection form that could not be saved', async () => {
    await open(() => <AddOpenStackPage />, '/os/$env_uuid/add', `/os/${east}/add`)
    await screen.findByText(reason)
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('another cluster can still be chosen for a zone', async () => {
    await openPage(() => <AddZonePage />)
    await screen.findByText(reason)
    expect(screen.queryByLabelText('Name')).toBeNull()
    await choose('Cluster', 'west')
    await screen.findByLabelText('Name')
    expect(screen.queryByText(reason)).toBeNull()
  })
})

describe('an object that is being removed', () => {
  /** Five seconds pass, after which reads are repeated. */
  const later = () => act(() => vi.advanceTimersByTimeAsync(5000))
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))

  test('is polled until it is gone, in both lists', async () => {
    const leaving = { ...zone('blue', east, 'berlin'), state: 'removing' as const }
    server({
      [`GET ${at('openstacks', east)}`]: list([{ ...clouds[0], state: 'removing' }]),
      [`GET ${at('zones', east)}`]: list([leaving]),
    })
    await openPage(() => (
      <>
        <OpenStackListPage />
        <ZoneListPage />
      </>
    ))
    await waitFor(() => expect(screen.getAllByText('removing')).toHaveLength(2))
    server({ [`GET ${at('openstacks', east)}`]: list([]), [`GET ${at('zones', east)}`]: list([]) })
    await later()
    await waitFor(() => expect(screen.queryByText('removing')).toBeNull())
    const before = sent.length
    await later()
    expect(sent).toHaveLength(before)
  })

  test('is no longer shown once it is gone', async () => {
    const leaving = { ...zone('blue', east, 'berlin'), state: 'removing' as const }
    const path = `GET ${at('zones', east)}/blue-uuid`
    server({ [path]: leaving })
    await open(() => <ZonePage />, '/z/$zone_uuid/env/$env_uuid', `/z/blue-uuid/env/${east}`)
    await screen.findByText('removing')
    server({ [path]: () => refusal(404, 'resource-missing', 'The zone does not exist') })
    await later()
    await screen.findByText('The zone does not exist')
    const before = sent.length
    await later()
    expect(sent).toHaveLength(before)
  })
})

test.each([
  [{ gone: true }, ' deleted'],
  [{ gone: false }, ': deletion started'],
])('a deletion with the answer %j reports “%s”', async (answer, words) => {
  server({
    [`DELETE ${at('zones', east)}/blue-uuid`]: answer,
    [`GET ${at('openstacks', east)}/berlin-uuid/check`]: { zoneNum: 0 },
    [`DELETE ${at('openstacks', east)}/berlin-uuid`]: answer,
  })
  for (const [page, name, object] of [
    [<ZoneListPage key="zones" />, 'blue', 'Zone blue'],
    [<OpenStackListPage key="openstacks" />, 'berlin', 'Connection berlin'],
  ] as const) {
    const { unmount } = await openPage(() => page)
    await screen.findAllByText(name)
    press(`Actions for ${name}`)
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(showing.get().map(({ text }) => text)).toEqual([`${object}${words}`]))
    showing.set([])
    unmount()
  }
})
