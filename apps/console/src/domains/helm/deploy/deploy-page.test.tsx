import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, press, refusal, sent, server, signedIn, type, useConsole } from '../../../../test/app.tsx'
import { DeployPage } from './deploy-page.tsx'

useConsole()

const cluster = '00000000-0000-4000-8000-000000000001'
const schema = JSON.stringify({
  properties: { greeting: { type: 'string', title: 'Greeting' }, colour: { type: 'string', title: 'Colour' } },
})
const chart = (version: string) => ({
  name: 'hello',
  version,
  appVersion: version,
  description: 'Says hello',
  home: '',
  icon: '',
  readme: '',
  values: `greeting: hello\ncolour: grey\nversion: ${version}\n`,
  schema,
  dependencies: [],
  definitions: [],
})
const release = {
  id: 4,
  name: 'web',
  stackId: 2,
  stack: 'shop',
  namespace: 'team-shop',
  cluster,
  clusterName: 'prod',
  repositoryId: 1,
  repository: 'charts',
  chart: 'hello',
  version: '0.1.0',
  state: 'deployed',
  message: '',
  actor: 'ada',
  updatedAt: '2026-01-02T03:04:05Z',
  history: [],
  values: 'colour: blue\n',
  manifest: '',
  notes: '',
  live: [],
  problem: '',
}
const dryRun = {
  upgrade: true,
  objects: [],
  hooks: [],
  findings: [],
  allowed: true,
  quota: { hard: { cpu: null, memory: null }, before: null, after: null, problem: '' },
  notes: '',
}
const versions = ['0.2.0', '0.1.0'].map((version) => ({ version, appVersion: '', created: null, deprecated: false }))
const deployCall = 'POST /helm/api/charts/deploy/tenant/1'

beforeEach(() => {
  signedIn({})
  server({
    'GET /helm/api/repositories/all': [
      { id: 1, name: 'charts', kind: 'index', charts: 1, state: 'ready', readAt: null },
    ],
    'GET /helm/api/releases/4/tenant/1': release,
    'GET /helm/api/charts/hello/repo/1/tenant/1/versions': {
      items: versions,
      requestPage: 1,
      pageSize: 20,
      totalSize: 2,
    },
    ...Object.fromEntries(
      versions.map(({ version }) => [
        `GET /helm/api/charts/hello/repo/charts/tenant/1/versions/${version}/inspect`,
        chart(version),
      ]),
    ),
    [deployCall]: { release: null, dryRun },
  })
})

const open = () =>
  openPage(
    () => <DeployPage />,
    `/teams/1/helm/deploy?release=4&cluster=${cluster}&values=form`,
    '/teams/$team_id/helm/deploy',
  )
const upgrade = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Upgrade/ })
const isOpen = () => !upgrade().disabled && upgrade().getAttribute('aria-disabled') !== 'true'

test('the user’s values stay when another version is chosen, and each line shows its origin', async () => {
  await open()
  await screen.findByLabelText('Greeting')
  type('Greeting', 'good morning')
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Version' }))
  fireEvent.click(await screen.findByTitle('0.2.0'))
  await waitFor(() => expect(screen.getByLabelText('Greeting')).toHaveProperty('value', 'good morning'))
  fireEvent.click(screen.getByRole('tab', { name: 'Result' }))
  const lines = within(await screen.findByRole('list', { name: 'Result' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    'greeting: good morningyours',
    'colour: bluelast deployment',
    'version: 0.2.0chart',
  ])
  press(/Show what would change/)
  const wish = () => sent.find(({ path }) => path === '/helm/api/charts/deploy/tenant/1')
  await waitFor(() => expect(wish()?.body).toMatchObject({ version: '0.2.0', values: 'greeting: good morning\n' }))
  expect(wish()?.query.get('dryRun')).toBe('true')
})

test('the button is enabled after the difference was seen, and disabled by changed input', async () => {
  await open()
  await screen.findByLabelText('Greeting')
  expect(isOpen()).toBe(false)
  press(/Show what would change/)
  await waitFor(() => expect(isOpen()).toBe(true))
  type('Greeting', 'good morning')
  await waitFor(() => expect(isOpen()).toBe(false))
})

test('objects that only an administrator may deploy are listed, and keep the button disabled', async () => {
  const finding = { kind: 'ClusterRole', apiVersion: 'rbac', namespace: '', name: 'all', reason: 'cluster-wide' }
  server({ [deployCall]: { release: null, dryRun: { ...dryRun, findings: [finding], allowed: false } } })
  await open()
  await screen.findByLabelText('Greeting')
  press(/Show what would change/)
  expect(await screen.findByText('ClusterRole all')).toBeTruthy()
  expect(isOpen()).toBe(false)
})

test('a server without helm explains how to get it', async () => {
  server({ [deployCall]: () => refusal(503, 'helm-missing', 'Install helm 3 there, or name it in GANTRY_HELM.') })
  await open()
  await screen.findByLabelText('Greeting')
  press(/Show what would change/)
  expect((await screen.findByRole('alert')).textContent).toContain('GANTRY_HELM')
  expect(isOpen()).toBe(false)
})
