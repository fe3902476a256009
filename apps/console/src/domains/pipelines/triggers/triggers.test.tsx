import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import type { Trigger } from '@gantry/contract/pipelines/triggers'
import { openPage, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { permissions } from '../../../api/permissions.ts'
import { TriggerList } from './trigger-list.tsx'

useConsole()

const at = '2026-01-01T00:00:00Z'
const trigger = (change: Partial<Trigger>): Trigger => ({
  id: 1,
  enabled: true,
  rule: { kind: 'schedule', cron: '0 3 * * *', zone: 'UTC', branch: '' },
  parameters: {},
  savedBy: 'grace',
  problem: '',
  hook: null,
  nextAt: at,
  follows: '',
  last: null,
  revision: 4,
  updatedAt: at,
  ...change,
})
const webhook = trigger({
  id: 2,
  rule: { kind: 'webhook', events: ['push'], branches: ['main'], tags: [], paths: [], forks: false, forksWait: true },
  nextAt: null,
  hook: 'gitea',
  problem: 'grace may no longer start builds',
  last: { id: 9, at, event: 'push main', outcome: 'refused', message: 'grace may not', number: null },
})

const open = () => openPage(() => <TriggerList pipeline={pipeline()} />)
const may = (...names: string[]) => permissions.set(names.map((name) => ({ name, enable: true })))
const wrote = (method: string) => sent.find((call) => call.method === method && call.path.includes('/triggers'))

beforeEach(() => {
  signedIn()
  may('pipeline_pipeline_view', 'pipeline_pipeline_edit', 'pipeline_build_execute')
  server({
    'POST /api/tickets': refusal(404, 'resource-missing', 'no push here'),
    'GET /api/v2/pipelines/4/triggers': [trigger({}), webhook],
    'GET /api/projects/2/pipelines/4/setting': {
      parameters: [
        Parameter.parse({ name: 'TARGET', defaultValue: 'quay' }),
        Parameter.parse({ name: 'CODE', kind: 'secret' }),
      ],
      repository: null,
    },
    'GET /api/pipeline-schedules/slots': ['2026-01-02T03:00:00Z', '2026-01-03T03:00:00Z'],
  })
})

describe('the triggers of a pipeline', () => {
  test('show when they fire, for whom, and the outcome of the last event', async () => {
    await open()
    const rows = await screen.findAllByRole('row')
    expect(rows[1]?.textContent).toContain('0 3 * * * · UTC')
    expect(rows[2]?.textContent).toContain('Push · main')
    for (const words of ['set up at Gitea', 'refused', 'grace may not', 'grace may no longer start builds'])
      expect(rows[2]?.textContent).toContain(words)
  })

  test('a schedule shows its next times while it is typed, and is added with the entered values', async () => {
    server({ 'POST /api/v2/pipelines/4/triggers': { ...trigger({}), secret: '' } })
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Add trigger' }))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.click(dialog.getByLabelText('At set times'))
    const cron = await dialog.findByLabelText('Schedule')
    fireEvent.change(cron, { target: { value: '0 3 * * *' } })
    await waitFor(() => expect(dialog.getByRole('status').textContent).toContain('2026-01-02'))
    expect(dialog.queryByLabelText(/CODE/)).toBeNull()
    fireEvent.change(dialog.getByLabelText(/TARGET/), { target: { value: 'dock' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(wrote('POST')?.body).toMatchObject({
        enabled: true,
        rule: { kind: 'schedule', cron: '0 3 * * *' },
        parameters: { TARGET: 'dock' },
      }),
    )
  })

  test('the secret of a new webhook is shown once', async () => {
    server({ 'POST /api/v2/pipelines/4/triggers': { ...webhook, secret: 'whsec_once' } })
    await open()
    fireEvent.click(await screen.findByRole('button', { name: 'Add trigger' }))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.click(await dialog.findByRole('button', { name: 'Save' }))
    await screen.findByText('whsec_once')
    expect(wrote('POST')?.body).toMatchObject({
      rule: { kind: 'webhook', events: ['push'], forks: false, forksWait: true },
    })
  })

  test('one that a colleague may not change says so', async () => {
    may('pipeline_pipeline_view')
    await open()
    const add = await screen.findByRole('button', { name: 'Add trigger' })
    expect(add.getAttribute('aria-disabled')).toBe('true')
  })
})
