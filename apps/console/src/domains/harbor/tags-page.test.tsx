import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { SystemRepositoriesPage } from './repositories-page.tsx'
import { SystemTagsPage } from './tags-page.tsx'

useConsole()

const digest = `sha256:${'a'.repeat(64)}`
const page = (items: object[], more: object = {}) => ({
  items,
  requestPage: 1,
  pageSize: 10,
  totalSize: items.length,
  ...more,
})
const image = {
  digest,
  type: 'IMAGE',
  size: 1,
  tags: [{ name: '1.0', immutable: false, pushedAt: null }],
  platforms: [],
  pushedAt: null,
  pulledAt: null,
  uses: { services: [], running: 0, back: 0, others: 0 },
}
const scan = { digest, state: 'done', severity: 'High', total: 2, fixable: 1, bySeverity: { High: 2 }, endedAt: null }
const finding = { severity: 'high', package: 'zlib', version: '1.2', description: 'Overflows', link: '' }

beforeEach(() => {
  signedIn({ admin: true })
  server({
    'GET /api/harbors/3/tags': page([image]),
    'GET /api/harbors/3/scans': [scan],
    'GET /api/harbors/3/report': page(
      [
        { ...finding, id: 'CVE-2026-1', fixedIn: '1.3', link: 'https://cve.example.org/1' },
        { ...finding, id: 'CVE-2026-2', fixedIn: '' },
      ],
      { totalSize: 120, scanner: 'Trivy 0.60', at: null },
    ),
    'POST /api/harbors/3/scans': null,
    'GET /api/harbors/3/projects/7/repositories': { ...page([]), project: 'shop' },
    'GET /api/harbors/3/projects/7/rules': {
      used: 2048,
      limit: 4096,
      retention: [
        {
          template: 'latestPushedK',
          count: 10,
          repositories: [{ fits: true, pattern: '**' }],
          tags: [{ fits: false, pattern: 'dev-*' }],
          disabled: true,
        },
      ],
      schedule: '0 0 0 * * *',
      immutable: [],
    },
  })
})

const openTags = () =>
  openPage(
    () => <SystemTagsPage />,
    '/sysconfig/registry/harbor/3/projects/7/repositories/shop%2Fweb/tags',
    '/sysconfig/registry/harbor/$harbor_id/projects/$project_id/repositories/$repository_id/tags',
  )

test('the report of a scan lists its findings, and a scan can be requested', async () => {
  await openTags()
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for 1.0' }))
  fireEvent.click(await screen.findByText('Show scan report'))
  const dialog = await screen.findByRole('dialog')
  const link = await within(dialog).findByRole('link', { name: 'CVE-2026-1' })
  expect(link.getAttribute('href')).toBe('https://cve.example.org/1')
  within(dialog).getByText('1.3')
  within(dialog).getByText(/The 2 worst of 120 are shown/)
  fireEvent.change(within(dialog).getByRole('searchbox'), { target: { value: 'zlib' } })
  await waitFor(() => expect(sent.some(({ query }) => query.get('keyword') === 'zlib')).toBe(true))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for 1.0' }))
  fireEvent.click(await screen.findByText('Scan now'))
  await screen.findByText('The scan of 1.0 has begun.')
  expect(sent.find(({ method, path }) => method === 'POST' && path.endsWith('/scans'))?.body).toEqual({
    repo: 'shop/web',
    digest,
  })
})

test('an image names the services that run it and the build that made it', async () => {
  const service = {
    serviceId: 4,
    serviceName: 'web',
    type: 'deployment',
    stackId: 2,
    stackUuid: 'u',
    stackName: 'shop',
  }
  server({
    'GET /api/harbors/3/uses': {
      services: [{ ...service, envId: 'e', teamId: 1, image: 'h.test/shop/web:1.0' }],
      revisions: [],
      pipelines: [],
      builds: [
        { pipelineId: 6, groupId: 5, pipeline: 'build web', number: 12, teamId: 1, createdAt: '2026-01-02T03:04:05Z' },
      ],
      others: 0,
    },
  })
  await openTags()
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for 1.0' }))
  fireEvent.click(await screen.findByText('Who uses it'))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('Who uses 1.0')
  expect(await within(dialog).findByText('shop/web')).toBeTruthy()
  expect(within(dialog).getByText(/build web.*12/)).toBeTruthy()
})

test('a project’s rules are described below its repositories', async () => {
  await openPage(
    () => <SystemRepositoriesPage />,
    '/sysconfig/registry/harbor/3/projects/7',
    '/sysconfig/registry/harbor/$harbor_id/projects/$project_id',
  )
  await screen.findByText('2.0 KiB of 4.0 KiB')
  screen.getByText('the 10 most recently pushed images · repositories any · tags not dev-* · switched off')
  screen.getByText('0 0 0 * * *')
  screen.getByText('no tags')
})
