import type { ArtifactEntry } from '@gantry/contract/pipelines/artifacts'
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { ArtifactTable } from './artifact-table.tsx'

useConsole()

const createdAt = '2026-01-01T00:00:00Z'
const folder = (path: string, files: number): ArtifactEntry => ({
  id: null,
  name: path.split('/').at(-1) ?? '',
  path,
  size: 10,
  files,
  sha256: '',
  step: '',
  createdAt,
})
const file = (id: number, path: string): ArtifactEntry => ({
  ...folder(path, 1),
  id,
  sha256: 'ab'.repeat(32),
  step: 'Keep',
})
const listOf = (items: ArtifactEntry[]) => ({ items, requestPage: 1, pageSize: 50, totalSize: items.length })
const tree = 'GET /api/v2/pipelines/4/builds/12/artifacts/tree'

beforeEach(() => {
  signedIn()
  server({ [tree]: listOf([folder('dist', 3), file(1, 'report.txt')]) })
})

test('a folder of the artifacts opens in the address, and its path leads back', async () => {
  const { at } = await openPage(() => <ArtifactTable pipelineId={4} number={12} />)
  await screen.findByText('report.txt')
  server({ [tree]: listOf([file(2, 'dist/app.js')]) })
  fireEvent.click(screen.getByRole('button', { name: /^dist/ }))
  await screen.findByText('app.js')
  expect(at()).toContain('folder=dist')
  expect(sent.findLast((one) => one.path.endsWith('/tree'))?.query.get('folder')).toBe('dist')
  server({ [tree]: listOf([folder('dist', 3)]) })
  fireEvent.click(screen.getByRole('button', { name: 'All artifacts' }))
  await screen.findByRole('button', { name: /^dist/ })
  expect(at()).not.toContain('folder')
})

test('a folder is downloaded by a ticket for its ZIP file', async () => {
  server({ 'POST /api/tickets': { ticket: 't' } })
  await openPage(() => <ArtifactTable pipelineId={4} number={12} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Download dist' }))
  await expect
    // The push channel requests tickets as well.
    .poll(() => sent.filter((one) => one.path.endsWith('/tickets')).map(({ body }) => body))
    .toContainEqual(expect.objectContaining({ method: 'GET', path: '/api/v2/pipelines/4/builds/12/artifacts/zip' }))
})
