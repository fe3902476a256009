import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { routes } from '../routes.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const path = `/resource-manager/api/environments/${uuid}`
const address = `/teams/1/resourcemanager/cluster/environments-detail/${uuid}`
const cluster = {
  uuid,
  name: 'edge',
  description: '',
  server: 'https://edge.example.test',
  sandbox: false,
  version: 'v1.34.4',
  health: 'healthy',
  healthMessage: '',
  notice: '',
  cluster: '5f0c6f0e-first',
  answers: '',
  reach: 'kubeconfig',
  leaving: false,
  nodeNum: 1,
  capacity: null,
  usage: { cpu: null, memory: null },
  teams: [],
  alone: true,
  createdAt: '2026-01-01T00:00:00Z',
}

function open(change: Partial<typeof cluster>) {
  signedIn({ admin: true })
  server({ [`GET ${path}`]: { ...cluster, ...change }, [`PUT ${path}/cluster`]: null })
  return openApp(address, routes)
}

test('another cluster that answers is accepted as shown, after a confirmation that names both', async () => {
  await open({ health: 'unknown', healthMessage: 'A different cluster', answers: '91d2a7c4-other' })
  fireEvent.click(await screen.findByRole('button', { name: 'Accept this cluster' }))
  await screen.findByText('The cluster added was 5f0c6f0e-first; 91d2a7c4-other answers now')
  const [, ok] = screen.getAllByRole('button', { name: 'Accept this cluster' })
  fireEvent.click(ok as HTMLElement)
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'PUT')).toMatchObject([
      { path: `${path}/cluster`, body: { cluster: '91d2a7c4-other' } },
    ]),
  )
})

test('a cluster that was joined twice is reported beside its health, without anything to accept', async () => {
  await open({ notice: 'The same cluster as far: it was joined twice.' })
  await screen.findByText('The same cluster as far: it was joined twice.')
  expect(screen.queryByRole('button', { name: 'Accept this cluster' })).toBeNull()
})
