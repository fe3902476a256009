import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { openPage, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { DecideDialog } from './decide-dialog.tsx'

useConsole()

const path = '/api/v2/pipelines/4/builds/12'
const decision = `POST ${path}/stages/Ship/decision`
const gateWith = (WHERE: string) => ({
  fields: [
    { name: 'WHERE', kind: 'text', description: '', values: [], required: true, pattern: '', defaultValue: WHERE },
  ],
  deploys: [{ stack: 'shop', service: 'web' }],
})
const buildWith = (gate: object | null) => ({ stages: [{ name: 'Ship', gate }] })
const onClose = vi.fn()
const open = () =>
  openPage(() => (
    <DecideDialog question={{ kind: 'approval', pipelineId: 4, number: 12, stage: 'Ship' }} pass onClose={onClose} />
  ))
const bodies = () => sent.filter((call) => call.path.endsWith('/decision')).map((call) => call.body)

beforeEach(() => {
  onClose.mockReset()
  signedIn()
  server({ 'POST /api/tickets': refusal(404, 'resource-missing', 'no push here') })
})

test('values that somebody else has set meanwhile are shown before they are approved', async () => {
  server({
    [`GET ${path}`]: () => buildWith(gateWith(bodies().length === 0 ? 'staging' : 'production')),
    [decision]: () =>
      bodies().length === 1 ? refusal(409, 'pipelines-gate-values-changed', 'Somebody else has filled in') : null,
  })
  await open()
  const dialog = () => within(screen.getByRole('dialog', { name: 'Approve stage Ship?' }))
  const approve = async () => {
    fireEvent.click(dialog().getByRole('button', { name: 'Approve' }))
    await screen.findByText('web in shop')
    fireEvent.click(
      within(screen.getAllByRole('dialog').at(-1) ?? document.body).getByRole('button', { name: 'Approve' }),
    )
  }
  fireEvent.change(await screen.findByRole('textbox', { name: /^Reason/ }), { target: { value: 'it is time' } })
  await approve()
  expect((await screen.findByRole('alert')).textContent).toBe('Somebody else has filled in')
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^WHERE/ }).value).toBe('production')
  await waitFor(() => expect(screen.queryByText('web in shop')).toBeNull())
  await approve()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const body = { pass: true, reason: 'it is time' }
  expect(bodies()).toEqual([
    { ...body, parameters: { WHERE: 'staging' }, expected: { WHERE: 'staging' } },
    { ...body, parameters: { WHERE: 'production' }, expected: { WHERE: 'production' } },
  ])
})

test('sends a decision about a stage that no longer waits, and shows the refusal', async () => {
  server({ [`GET ${path}`]: buildWith(null), [decision]: refusal(409, 'pipelines-gate-decided', 'It is passed') })
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Approve' }))
  expect((await screen.findByRole('alert')).textContent).toBe('It is passed')
})
