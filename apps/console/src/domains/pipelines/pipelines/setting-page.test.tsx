import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { beforeEach, expect, test } from 'vitest'
import { openApp, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { refreshReads } from '../../../api/queries.ts'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

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
  permissions.set(['pipeline_pipeline_view', 'pipeline_pipeline_edit'].map((name) => ({ name, enable: true })))
  server({
    'GET /api/v2/pipelines/4': pipeline(),
    [`GET ${path}`]: stored,
    [`PUT ${path}`]: ({ body }: { body: unknown }) => body,
  })
})

const open = () => openApp('/teams/1/cd/pipeline_group_id/2/pipeline_id/4/setting', routes)
/** Simulates a save by another user. */
async function theySave() {
  server({ [`GET ${path}`]: { ...stored, description: 'theirs', revision: 9 } })
  await refreshReads([pipelines.setting])
}

test('others’ changes are adopted until there is an edit', async () => {
  await open()
  expect(await description()).toHaveProperty('value', 'ours')
  await theySave()
  await waitFor(async () => expect(await description()).toHaveProperty('value', 'theirs'))
  fireEvent.change(await description(), { target: { value: 'both' } })
  press('Save')
  await waitFor(() => expect(put()).toMatchObject({ description: 'both', revision: 9 }))
})

test('the form is disabled while the settings are being saved', async () => {
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

test('an edit is sent with its base revision, for the server to compare', async () => {
  await open()
  fireEvent.change(await description(), { target: { value: 'mine' } })
  await theySave()
  expect(await description()).toHaveProperty('value', 'mine')
  press('Save')
  await waitFor(() => expect(put()).toMatchObject({ description: 'mine', revision: 5 }))
})

test('an edit of fields that somebody else changed is rebased, and shown for review first', async () => {
  const variables = (...names: string[]) => names.map((name) => ({ name, value: `of ${name}`, secret: false }))
  server({
    [`GET ${path}`]: { ...stored, variables: variables('A') },
    [`PUT ${path}`]: refusal(409, 'pipelines-changed-since', 'revision 9 by now'),
  })
  await open()
  fireEvent.change(await description(), { target: { value: 'mine' } })
  fireEvent.change(screen.getByRole('textbox', { name: 'Value' }), { target: { value: 'mine too' } })
  press('Save')
  await screen.findByText('revision 9 by now')
  server({
    [`GET ${path}`]: { ...stored, description: 'theirs', keepBuilds: 3, variables: variables('A', 'B'), revision: 9 },
    [`PUT ${path}`]: refusal(409, 'pipelines-changed-since', 'revision 10 by now'),
  })
  press('Apply to the current revision')
  const dialog = await screen.findByRole('dialog', { name: 'Your changes to lights' })
  within(dialog).getByText(/based on revision 9/)

  // another user was faster once more
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await within(dialog).findByText('revision 10 by now')
  server({
    [`GET ${path}`]: { ...stored, description: 'theirs', keepBuilds: 4, variables: variables('A', 'B'), revision: 10 },
    [`PUT ${path}`]: ({ body }: { body: unknown }) => ({ ...(body as object), revision: 11 }),
  })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Apply to the current revision' }))
  const newer = await screen.findByText(/based on revision 10/)
  const again = newer.closest<HTMLElement>('[role=dialog]') ?? document.body
  fireEvent.click(within(again).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(put()).toMatchObject({
      description: 'mine',
      keepBuilds: 4,
      variables: [{ name: 'A', value: 'mine too' }, variables('B')[0]],
      revision: 10,
    }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await description()).toHaveProperty('value', 'mine')
})
