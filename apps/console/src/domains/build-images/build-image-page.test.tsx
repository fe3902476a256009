import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { CustomerImagePage } from './build-image-page.tsx'

useConsole()

const row = {
  id: 9,
  kind: 'customer',
  type: 'BUILD',
  name: 'java tools',
  image: 'registry.example.org/tools/java:21',
  description: '',
  catalog: 'Java',
  teamId: 2,
  teamName: 'payments',
  environments: [],
  pipelineNum: 3,
  revision: 1,
  updatedAt: '2026-11-24T10:00:00Z',
  updatedBy: 'admin',
}

beforeEach(() => {
  signedIn({ admin: true })
  server({
    'GET /api/build-images': { items: [row], requestPage: 1, pageSize: 10, totalSize: 1 },
    'GET /api/build-images/catalogs': [{ name: 'Java', count: 1 }],
    'POST /api/build-images': row,
  })
})

test('customer images name their teams, and only they are requested', async () => {
  await openPage(() => <CustomerImagePage />)
  expect(await screen.findByText('payments')).toBeTruthy()
  expect(sent.find(({ path }) => path === '/api/build-images')?.query.get('kind')).toBe('customer')
})

test('a build image is added', async () => {
  await openPage(() => <CustomerImagePage />)
  fireEvent.click((await screen.findAllByRole('button', { name: 'Add build image' }))[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  type('Name', 'java tools')
  type(/^Image/, 'registry.example.org/tools/java:21')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add build image' }))
  // the page also requests a ticket of the push channel
  const added = () => sent.find(({ method, path }) => method === 'POST' && path.startsWith('/api/build-images'))
  await waitFor(() => expect(added()).toBeDefined())
  expect(added()?.body).toMatchObject({
    name: 'java tools',
    image: 'registry.example.org/tools/java:21',
    type: 'BUILD',
  })
})
