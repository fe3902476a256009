import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { routes } from '../routes.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const address = `/teams/1/resourcemanager/cluster/environments-detail/${uuid}/take-over`
const path = '/orchestration/api/tenants/1/applications/none/sync/stack'

const workload = (name: string, more: object = {}) => ({
  name,
  kind: 'Deployment',
  pods: 2,
  document: `image: ${name}:1\n`,
  wrong: [],
  lost: [],
  notes: [],
  ...more,
})
const demand = { cpu: 0, memory: 0 }
const plan = {
  blueprint: null,
  made: [],
  changed: [],
  restarted: [],
  removed: [],
  same: [],
  share: { before: demand, after: { cpu: 1, memory: 1 }, quota: { cpu: null, memory: null } },
  outputs: [],
  refusals: [],
}

test('a namespace is chosen, its future services are previewed, and only the chosen ones are taken over', async () => {
  signedIn({ admin: true })
  server({
    [`GET /resource-manager/api/environments/${uuid}`]: { uuid, name: 'east', teams: [] },
    [`GET /orchestration/api/1/env/${uuid}/stack/sync/k8s`]: {
      items: [{ name: 'shop', workloads: 3, createdAt: '2026-11-01T00:00:00Z' }],
      requestPage: 1,
      pageSize: 10,
      totalSize: 1,
    },
    [`POST ${path}Check`]: ({ body }: { body: unknown }) => ({
      namespace: 'shop',
      workloads: [
        workload('web'),
        workload('old', { lost: ['spec.hostNetwork has no place in a service'] }),
        workload('stuck', { wrong: ['It is paused'], document: '' }),
      ],
      take: (body as { take?: string[] }).take ?? ['web'],
      stays: ['Service front: stays'],
      plan,
    }),
    [`PUT ${path}`]: { name: 'shop' },
  })
  await openApp(address, routes)
  fireEvent.click(await screen.findByRole('link', { name: 'shop' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Preview' }))
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Take ${name} over` })
  await screen.findByText('Service front: stays')
  expect([box('web').checked, box('old').checked, box('stuck').disabled]).toEqual([true, false, true])
  expect(screen.getByText('spec.hostNetwork has no place in a service')).toBeTruthy()
  fireEvent.click(box('old'))
  await waitFor(() => expect(box('old').checked).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: 'Take over (services: 2)' }))
  await waitFor(() => expect(sent.some(({ method }) => method === 'PUT')).toBe(true))
  expect(sent.find(({ method }) => method === 'PUT')).toMatchObject({
    path,
    body: { envId: uuid, namespace: 'shop', stackName: 'shop', take: ['web', 'old'] },
  })
})
