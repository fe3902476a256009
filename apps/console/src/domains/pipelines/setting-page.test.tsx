import { fireEvent, screen, waitFor } from '@testing-library/react'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { beforeEach, expect, test } from 'vitest'
import { openApp, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { refreshReads } from '../../api/hooks.ts'
import { permissions } from '../../api/permissions.ts'
import { routes } from './routes.tsx'

useConsole()

const stored = {
  projectName: 'lights',
  description: 'ours',
  repository: null,
  timeoutMinutes: 0,
  keepBuilds: 0,
  concurrent: true,
  agentLabels: [],
  variables: [],
  parameters: [],
  revision: 5,
}
const path = '/api/projects/2/pipelines/4/setting'
const put = () => sent.findLast((call) => call.method === 'PUT')?.body
const description = () => screen.findByRole('textbox', { name: /^Description/ })

beforeEach(() => {
  signedIn()
  permissions.set([{ name: 'pipeline_pipeline_edit', enable: true }])
  server({
    'GET /api/v2/pipelines/4': {
      id: 4,
      uuid: '',
      appId: 2,
      groupName: 'Harbour',
      teamId: 1,
      projectName: 'lights',
      description: '',
      repository: null,
      lastBuild: null,
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
    },
    [`GET ${path}`]: stored,
    [`PUT ${path}`]: ({ body }: { body: unknown }) => body,
  })
})

const open = () => openApp('/teams/1/cd/pipeline_group_id/2/pipeline_id/4/setting', routes)
/** Somebody else saves. */
async function theySave() {
  server({ [`GET ${path}`]: { ...stored, description: 'theirs', revision: 9 } })
  await refreshReads([pipelines.setting])
}

test('settings that others save are followed until one changes them', async () => {
  await open()
  expect(await description()).toHaveProperty('value', 'ours')
  await theySave()
  await waitFor(async () => expect(await description()).toHaveProperty('value', 'theirs'))
  fireEvent.change(await description(), { target: { value: 'both' } })
  press('Save')
  await waitFor(() => expect(put()).toMatchObject({ description: 'both', revision: 9 }))
})

test('nothing is typed while the settings are being saved', async () => {
  let saved: (body: unknown) => void = () => {}
  server({ [`PUT ${path}`]: () => new Promise((resolve) => (saved = resolve)) })
  await open()
  fireEvent.change(await description(), { target: { value: 'mine' } })
  press('Save')
  await waitFor(() => expect(put()).toMatchObject({ description: 'mine' }))
  await waitFor(async () => expect(await description()).toHaveProperty('disabled', true))
  server({ [`GET ${path}`]: { ...stored, description: 'mine', revision: 6 } })
  saved(stored)
  await waitFor(async () => expect(await description()).toHaveProperty('disabled', false))
  expect(await description()).toHaveProperty('value', 'mine')
})

test('what was changed here is sent with the revision that it was changed on, for the server to compare', async () => {
  await open()
  fireEvent.change(await description(), { target: { value: 'mine' } })
  await theySave()
  expect(await description()).toHaveProperty('value', 'mine')
  press('Save')
  await waitFor(() => expect(put()).toMatchObject({ description: 'mine', revision: 5 }))
})
