import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { repoIdOf, tagIdOf } from '@gantry/contract/images/keys'
import { beforeEach, expect, test } from 'vitest'
import { openPage, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { permissions } from '../../../api/permissions.ts'
import { TagListPage } from './tag-page.tsx'

useConsole()

const key = { registryId: 5, repository: 'shop/web', tag: '1' }
const repoId = repoIdOf(key)
const digest = `sha256:${'a'.repeat(64)}`
const row = {
  tagId: tagIdOf(key),
  tag: '1',
  digest,
  type: 'image',
  size: 3_000_000,
  createdAt: '2026-01-02T03:04:05Z',
  platforms: ['linux/amd64'],
  layers: 2,
  uses: { services: ['shop/web', 'shop/api', 'shop/db'], running: 5, back: 2, others: 1 },
  problem: null,
}
const list = { items: [row], requestPage: 1, pageSize: 10, totalSize: 1, registryName: 'r', image: 'r.test/shop/web' }
const open = () =>
  openPage(
    () => <TagListPage />,
    `/teams/1/registries/thirdpart/repos/${repoId}/tag-list`,
    '/teams/$team_id/registries/thirdpart/repos/$repo_id/tag-list',
  )

beforeEach(() => {
  signedIn({})
  server({ 'GET /api/v2/docker-repos/5/tags': { ...list, problem: null } })
})

const written = (method: string) => sent.find((one) => one.method === method)

test('a tag shows what uses its image, the first services by name', async () => {
  await open()
  expect(
    await screen.findByText(/shop\/web, shop\/api, shop\/db and 2 more · 2 may return to it · 1 of other teams/),
  ).toBeTruthy()
  expect(screen.getByText('2.9 MiB')).toBeTruthy()
})

test('an image is deleted by the digest and the tags that the confirmation showed', async () => {
  const together = { key: 'images-tag-together', text: 'more' }
  server({
    [`POST /api/v2/docker-repos/${repoId}/tags/check`]: [
      { tag: '1', digest, done: false, goes: ['1', 'latest'], problem: together },
    ],
    [`DELETE /api/v2/docker-repos/${repoId}/tags/${row.tagId}`]: { tags: ['1', 'latest'] },
  })
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for 1' }))
  fireEvent.click(await screen.findByText('Delete'))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText(/goes with 1/)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(written('DELETE')).toBeDefined())
  expect(written('DELETE')?.query.toString()).toBe(new URLSearchParams({ digest, tags: 'latest' }).toString())
})

test('a dangling tag is marked, and can neither be opened nor selected', async () => {
  const dangling = {
    ...row,
    tagId: tagIdOf({ ...key, tag: 'lost' }),
    tag: 'lost',
    digest: '',
    problem: { key: 'registry-tag-dangling', text: 'Dangling: lost' },
  }
  server({ 'GET /api/v2/docker-repos/5/tags': { ...list, items: [row, dangling], totalSize: 2, problem: null } })
  await open()
  expect(await screen.findByText('Dangling: lost')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'lost' })).toBeNull()
  expect(screen.getByRole('checkbox', { name: /lost/ })).toHaveProperty('disabled', true)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  expect(screen.getByRole('region', { name: 'Selected rows' }).textContent).toContain('1')
})

test('a user without permission is told so, and an unreachable registry causes a notice', async () => {
  permissions.set([{ name: 'image_registry_view', enable: true }])
  server({
    'GET /api/v2/docker-repos/5/tags': {
      ...list,
      items: [],
      totalSize: 0,
      problem: { key: 'outbound-timeout', text: 'r.test is silent' },
    },
  })
  await open()
  expect(await screen.findByText('r.test is silent')).toBeTruthy()
  expect(screen.getByText('No tags')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Delete unused tags' }).getAttribute('aria-disabled')).toBe('true')
})
