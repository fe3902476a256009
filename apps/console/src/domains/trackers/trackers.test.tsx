import type { Build } from '@gantry/contract/pipelines/builds'
import type { BuildIssue } from '@gantry/contract/trackers/issues'
import type { JiraConfig } from '@gantry/contract/trackers/jira'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ada, openApp, openPage, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { BuildIssues } from './build-issues.tsx'
import { routes } from './routes.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const config: JiraConfig = {
  id: 3,
  name: 'company',
  url: 'https://jira.example.test',
  kind: 'cloud',
  email: 'robot@example.test',
  token: '********',
  allTeams: true,
  teams: [],
  projects: ['SHOP', 'PAY'],
  comment: true,
  transition: 'Done',
  version: '1001.0.0',
  login: 'Build robot',
  checkedAt: at,
  problem: '',
  revision: 2,
  createdAt: at,
  updatedAt: at,
}

test('the list shows the result of the last check, and a change keeps token and revision', async () => {
  signedIn({ ...ada, admin: true })
  server({
    'GET /api/jira/configs': { items: [config], requestPage: 1, pageSize: 10, totalSize: 1 },
    'PUT /api/jira/configs/3': config,
  })
  await openApp('/sysconfig/continuous-delivery/jira', routes)
  await screen.findByText('Version 1001.0.0, as Build robot')
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for company' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText(/^Transition/), { target: { value: 'Closed' } })
  press('Save')
  await expect
    .poll(() => sent.find(({ method }) => method === 'PUT')?.body)
    .toMatchObject({ token: config.token, transition: 'Closed', projects: config.projects, revision: 2 })
})

const issue: BuildIssue = {
  jiraId: 3,
  jira: 'company',
  key: 'SHOP-1',
  url: 'https://jira.example.test/browse/SHOP-1',
  state: 'known',
  title: 'Baskets',
  status: 'In Progress',
  category: 'doing',
  problem: '',
  told: null,
}
const buildOf = (commitMessage: string) =>
  ({ pipelineId: 5, number: 7, state: 'success', branch: 'main', commitMessage }) as Build
const call = '/api/v2/pipelines/5/builds/7/issues'

test('issues are links with title and status, and show failures', async () => {
  server({
    [`GET ${call}`]: [
      issue,
      { ...issue, key: 'SHOP-2', state: 'failed', problem: 'Jira is silent' },
      { ...issue, key: 'SHOP-3', told: { state: 'failed', problem: 'no way' } },
    ],
  })
  await openPage(() => <BuildIssues build={buildOf('SHOP-1 SHOP-2 SHOP-3')} />)
  expect((await screen.findByRole('link', { name: 'SHOP-1' })).getAttribute('href')).toBe(issue.url)
  expect(screen.getAllByText('Baskets').length).toBe(3)
  screen.getByText('Not up to date: Jira is silent')
  screen.getByText('The issue could not be told that the build succeeded: no way')
})

test('makes no call if no text looks like an issue', async () => {
  server({})
  await openPage(() => (
    <>
      <BuildIssues build={buildOf('a small change')} />
      <p>shown</p>
    </>
  ))
  await screen.findByText('shown')
  expect(sent.some(({ path }) => path === call)).toBe(false)
})
