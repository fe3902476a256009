import type { ConfigRevision } from '@gantry/contract/config-centre/history'
import type { ConfigEntry, Profile } from '@gantry/contract/config-centre/profiles'
import type { Project } from '@gantry/contract/config-centre/projects'
import type { ConfigReader } from '@gantry/contract/config-centre/readers'
import { mask } from '@gantry/contract/validators'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openApp, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { permissions } from '../../api/permissions.ts'
import { routes } from './routes.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const path = '/config-center/api/tenants/1'
const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const by = { updatedAt: at, updatedBy: 'grace' }
const project: Project = { name: 'shop', description: '', profiles: 1, templates: 0, services: 1, ...by }
const profile: Profile = {
  uuid,
  project: 'shop',
  name: 'production',
  description: '',
  keys: 2,
  services: 1,
  revision: 7,
  ...by,
}
const entries: ConfigEntry[] = [
  { key: 'HOST', value: 'db', secret: false, revision: 3, ...by },
  { key: 'PASSWORD', value: mask, secret: true, revision: 4, ...by },
]
const revision: ConfigRevision = { revision: 3, action: 'import', keys: ['HOST'], changes: 2, at, by: 'ada' }
const differences = [
  { key: 'HOST', secret: false, before: 'old-db', now: 'db' },
  { key: 'PASSWORD', secret: true, before: null, now: mask },
]
const reader: ConfigReader = {
  project: 'shop',
  profile: 'production',
  templates: ['app.conf'],
  env: true,
  stackId: 1,
  stackUuid: uuid,
  stack: 'live',
  envId: uuid,
  cluster: 'sandbox',
  serviceId: 5,
  service: 'web',
  type: 'business',
  state: 'restarting',
  current: false,
}
const listOf = <T,>(items: T[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })
const may = (...names: string[]) => permissions.set(names.map((name) => ({ name, enable: true })))

beforeEach(() => {
  signedIn({})
  may('config_project_view', 'config_project_edit', 'stack_service_view')
  server({
    [`GET ${path}/projects`]: listOf([project]),
    [`GET ${path}/projects/shop/profiles`]: listOf([profile]),
    [`GET ${path}/profiles/${uuid}`]: profile,
    [`GET ${path}/profiles/${uuid}/kv`]: listOf(entries),
    [`PUT ${path}/profiles/${uuid}/kv`]: entries[0],
    [`GET ${path}/profiles/${uuid}/revisions`]: listOf([revision]),
    [`GET ${path}/profiles/${uuid}/revisions/3`]: { current: 7, differences },
    [`POST ${path}/profiles/${uuid}/revisions/3`]: profile,
    [`GET ${path}/stacks/relate`]: listOf([reader]),
  })
})

const ofProfile = `/teams/1/configcenter/manage?project=shop&profile=${uuid}`
const written = () => sent.find(({ method }) => method === 'PUT')?.body

test('projects are filtered by excluded name prefixes', async () => {
  await openApp('/teams/1/configcenter/manage?prefix=test&reverse_logic=true', routes)
  await screen.findByRole('link', { name: 'shop' })
  const request = sent.find((one) => one.path.endsWith('/projects'))
  expect(Object.fromEntries(request?.query ?? [])).toMatchObject({ prefix: 'test', reverse_logic: 'true' })
})

test('a change names the services that it restarts, and sends the revision that was read', async () => {
  await openApp(ofProfile, routes)
  await screen.findByText('db')
  press('Actions for HOST')
  fireEvent.click(await screen.findByText('Edit'))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('1 service is restarted: live/web')
  fireEvent.change(dialog.getByLabelText(/^Value/), { target: { value: 'db2' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.poll(written).toEqual({ key: 'HOST', value: 'db2', secret: false, revision: 3 })
})

test('a secret value stays unless a new one is typed', async () => {
  await openApp(ofProfile, routes)
  await screen.findByText('PASSWORD')
  expect(screen.queryByText(mask)).toBeNull()
  press('Actions for PASSWORD')
  fireEvent.click(await screen.findByText('Edit'))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.poll(written).toEqual({ key: 'PASSWORD', value: mask, secret: true, revision: 4 })
})

test('a user who may not view services is told that some restart; one who may not edit, which permission is missing', async () => {
  may('config_project_view')
  await openApp(ofProfile, routes)
  const add = await screen.findByRole('button', { name: 'Add key' })
  expect(add.getAttribute('aria-disabled')).toBe('true')
  may('config_project_view', 'config_project_edit')
  fireEvent.click(await screen.findByRole('button', { name: 'Add key' }))
  await screen.findByText(/Services that read it are restarted\. To see which/)
})

test('marks a service that does not run the newest revision', async () => {
  await openApp('/teams/1/configcenter/app', routes)
  const row = (await screen.findByRole('link', { name: 'web' })).closest('tr')
  if (!row) throw new Error('no row')
  within(row).getByText('shop/production')
  within(row).getByText('variables, app.conf')
  within(row).getByText('Not yet')
})

test('a revision is compared with the present state before returning to it', async () => {
  await openApp(`${ofProfile}&tab=history`, routes)
  await screen.findByText('Imported HOST, …')
  press('Actions for 3')
  fireEvent.click(await screen.findByText('Compare and return'))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('old-db')
  dialog.getByText('no such key')
  await dialog.findByText('1 service is restarted: live/web')
  fireEvent.click(dialog.getByRole('button', { name: 'Return to revision 3' }))
  await expect
    .poll(() => sent.find((one) => one.method === 'POST' && one.path.endsWith('/revisions/3'))?.body)
    .toEqual({ current: 7 })
})
