import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Host } from '@gantry/contract/clusters/hosts'
import { openPage, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { HostListPage } from './host-list-page.tsx'

useConsole()

const base = '/resource-manager/api/hosts/environments'
const host = {
  uuid: 'uid-n1',
  name: 'n1',
  ip: '10.0.0.1',
  envUuid: '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11',
  envName: 'east',
  state: 'ready',
  schedulable: true,
  troubles: [],
  heldBy: [],
  roles: [],
  controller: false,
  dedicated: null,
  alone: true,
  ingress: false,
  version: 'v1.34.4',
  os: 'linux',
  podNum: null,
  allocatable: { cpu: 4, memory: 8, disk: 50, pods: 110 },
  requested: null,
  used: null,
  createdAt: '2026-01-01T00:00:00Z',
} satisfies Host

test('a host without pod counts shows no figures, and its cluster is named with the reason, apart from unreachable ones', async () => {
  signedIn({ admin: true })
  const stale = [
    { envUuid: host.envUuid, envName: 'east', since: null, message: 'No room', uncounted: true },
    { envUuid: 'other', envName: 'west', since: null, message: 'It is silent', uncounted: false },
  ]
  server({
    [`GET ${base}`]: { items: [host], requestPage: 1, pageSize: 20, totalSize: 1, stale },
    'GET /resource-manager/api/environments': { items: [], requestPage: 1, pageSize: 20, totalSize: 0 },
  })
  await openPage(() => <HostListPage />)
  const row = (await screen.findByText('n1')).closest('tr')
  // pods, CPU, memory
  expect(row?.textContent).toMatch(/ready–{4}/)
  const [silent, uncounted] = screen.getAllByRole('group')
  expect(silent?.textContent).toMatch(/west not responding.*It is silent/)
  expect(uncounted?.textContent).toMatch(/pods of east are not counted.*No room/)
})
