import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { openPage, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { AssignDialog } from './assign-dialog.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const cluster = { uuid, name: 'east', teams: [] } as Partial<Cluster> as Cluster
const path = `/resource-manager/api/environments/${uuid}/assigned`
const items = ['ours', 'theirs'].map((name, at) => ({ id: at + 1, name }))
const requests = () => sent.filter((call) => call.path === path).map(({ query }) => query.get('tenant'))

async function open(answer: unknown) {
  signedIn({ admin: true })
  server({
    'GET /api/tenants/brief': { items, requestPage: 1, pageSize: 50, totalSize: 2 },
    [`PUT ${path}`]: answer,
  })
  const onClose = vi.fn()
  await openPage(() => <AssignDialog cluster={cluster} onClose={onClose} />)
  return onClose
}
const choose = async (name: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox'))
  fireEvent.click(await screen.findByTitle(name))
}

test('nothing is done before a team is chosen', async () => {
  const onClose = await open(null)
  press('Assign teams')
  await screen.findByText('This field is required')
  expect(requests()).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
})

test('several teams are assigned one by one; a refusal is shown, and the dialog stays open', async () => {
  let calls = 0
  const onClose = await open(() => (++calls === 2 ? refusal(409, 'clusters-in-use', 'Not this one') : null))
  await choose('ours')
  await choose('theirs')
  press('Assign teams')
  await screen.findByText('Not this one')
  expect(requests()).toEqual(['1', '2'])
  expect(onClose).not.toHaveBeenCalled()
  press('Assign teams')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(requests()).toEqual(['1', '2', '1', '2'])
})
