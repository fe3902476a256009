import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { BuildSummary } from '@gantry/contract/pipelines/builds'
import type { TeamBuild } from '@gantry/contract/pipelines/builds/team-builds'
import { openApp, refusal, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { routes } from '../routes.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const build = (change: Partial<BuildSummary>): TeamBuild => ({
  pipelineId: 4,
  number: 1,
  queueId: change.number ?? 1,
  state: 'success',
  cause: 'webhook',
  userCause: 'ada',
  retriedBy: '',
  branch: 'main',
  fork: false,
  tag: '',
  commit: 'd1d1293ab6eb20821f73bb8dabb8ebb294bc5847',
  commitMessage: '',
  agentName: '',
  attempt: 1,
  message: '',
  queuedAt: at,
  startedAt: at,
  endedAt: at,
  earlierSeconds: 0,
  waitedSeconds: 0,
  askedAt: null,
  tests: null,
  artifactNum: 0,
  pinned: false,
  draft: false,
  emptiedAt: null,
  imageId: null,
  imageTag: '',
  version: '',
  pipelineName: 'web',
  appId: 2,
  groupName: 'shop',
  ...change,
})

test('a list of builds distinguishes a fork’s branch from the repository’s own', async () => {
  signedIn()
  const items = [build({ number: 2, fork: true }), build({ number: 1 })]
  server({
    'GET /api/tenants/1/builds': { items, totalSize: 2, pageSize: 10, requestPage: 1 },
    'POST /api/tickets': refusal(404, 'resource-missing', 'no push here'),
  })
  await openApp('/teams/1/cd/builds', routes)
  const rows = (await screen.findAllByRole('row')).map((row) => row.textContent)
  // nested links are invalid
  expect(document.querySelectorAll('a a')).toHaveLength(0)
  expect(screen.getByRole('link', { name: 'web #2' }).getAttribute('href')).toContain('/history/2/info')
  expect(rows[1]).toContain('main of a fork@d1d1293a')
  expect(rows[2]).toContain('main@d1d1293a')
})
