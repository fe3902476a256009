import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { pipeline } from '../../../../test/pipelines.ts'
import { routes } from '../routes.tsx'

useConsole()

const list = { items: [], requestPage: 1, pageSize: 10, totalSize: 0 }
const open = async (change: Parameters<typeof pipeline>[0] = {}) => {
  signedIn()
  server({
    'GET /api/v2/pipelines/4': pipeline(change),
    'GET /api/v2/pipelines/4/builds': list,
    'GET /api/v2/pipelines/4/queue': [],
    'PUT /api/v2/pipelines/4/pause': null,
  })
  await openApp('/teams/1/cd/pipeline_group_id/2/pipeline_id/4/history', routes)
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for lights' }))
}
const sentBody = () => sent.find((one) => one.method === 'PUT')?.body

test('a pipeline is paused with a reason', async () => {
  await open()
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Pause' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText(/^Reason/), { target: { value: 'flooded' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Pause' }))
  await expect.poll(sentBody).toEqual({ paused: true, reason: 'flooded' })
})

test('a paused pipeline shows who paused it and why, and is resumed at once', async () => {
  await open({ paused: { by: 'grace', at: '2026-01-01T00:00:00Z', reason: 'flooded' } })
  expect((await screen.findByText(/^Paused by grace/)).textContent).toContain('flooded')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Resume' }))
  await expect.poll(sentBody).toEqual({ paused: false })
})
