import type { Catalog } from '@gantry/contract/catalog/catalogs'
import type { CatalogTemplate } from '@gantry/contract/catalog/templates'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { ada, openApp, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { routes } from './routes.tsx'

useConsole()

const catalog: Catalog = {
  id: 3,
  name: 'PostgreSQL',
  description: 'A database',
  tags: [{ id: 5, name: 'database' }],
  imageVersion: '',
  versionNum: 2,
  draftNum: 1,
  newest: { id: 8, version: '17' },
  stackNum: 4,
  forAll: false,
  teams: [{ id: 7, name: 'sales' }],
  shipped: true,
  revision: 6,
  updatedAt: '2026-01-01T00:00:00Z',
  updatedBy: 'gantry',
}
const template: CatalogTemplate = {
  id: 8,
  catalogId: 3,
  catalogName: 'PostgreSQL',
  version: '17',
  notes: 'new',
  published: true,
  toscaVersion: 'gantry_1_0_0',
  outdated: false,
  serviceNum: 1,
  stackNum: 4,
  revision: 2,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  updatedBy: 'gantry',
  template: `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    DATABASE: { type: string, default: app }
    PASSWORD: { type: secret }
  node_templates: {}
`,
}
const listOf = <T,>(items: T[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })

beforeEach(() => {
  signedIn({ ...ada, admin: true })
  server({
    'GET /catalog/api/catalogs': listOf([catalog]),
    'GET /catalog/api/catalogs/3': catalog,
    'PUT /catalog/api/catalogs/3': catalog,
    'GET /catalog/api/tags': [{ id: 5, name: 'database', catalogNum: 1 }],
    'GET /catalog/api/templates/catalogs/3': listOf([template]),
    'GET /catalog/api/templates/8': template,
    'PUT /catalog/api/templates/8': template,
    'GET /catalog/api/catalogs/tenants/1': listOf([catalog]),
  })
})

test('the catalogue shows who may deploy what, and an entry is changed at the revision that was opened', async () => {
  await openApp('/sysconfig/admin-version', routes)
  const row = (await screen.findByRole('link', { name: /PostgreSQL/ })).closest('tr')
  if (!row) throw new Error('no row')
  for (const text of ['shipped', 'sales', 'database']) within(row).getByText(text)
  press('Actions for PostgreSQL')
  fireEvent.click(await screen.findByText('Edit'))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText(/^Description/), { target: { value: 'A relational database' } })
  fireEvent.click(dialog.getByRole('switch'))
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => sent.find(({ method }) => method === 'PUT')?.body)
    .toMatchObject({ description: 'A relational database', forAll: true, tagIds: [5], revision: 6 })
})

test('a version is made a draft, and keeps all its fields', async () => {
  await openApp('/sysconfig/admin-version/edition/3', routes)
  await screen.findByText('published')
  press('Actions for 17')
  fireEvent.click(await screen.findByText('Make it a draft'))
  await expect
    .poll(() => sent.find(({ method }) => method === 'PUT')?.body)
    .toEqual({ version: '17', notes: 'new', template: template.template, published: false, revision: 2 })
})

test('a team sees cards with the newest version and its own stacks', async () => {
  await openApp('/teams/1/products/system', routes)
  const card = within(await screen.findByRole('article', { name: 'PostgreSQL' }))
  card.getByText('Version 17 · 2 versions · 4 stacks')
  card.getByRole('button', { name: 'Deploy PostgreSQL' })
  card.getByText('database')
})
