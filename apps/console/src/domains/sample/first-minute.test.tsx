import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, server, signedIn, useConsole } from '../../../test/app.tsx'
import { FirstMinute } from './first-minute.tsx'
import { useSample } from './use-sample.ts'

useConsole()

const Shown = ({ offer }: { offer: boolean }) => <FirstMinute teamId={1} offer={offer} query={useSample(1)} />

test('a sample with a queued build shows what it waits for', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/tenants/1/sample': {
      state: 'ready',
      reason: '',
      commits: 1,
      version: '1.0.0',
      pipeline: { id: 3, groupId: 4, name: 'hello' },
      product: { id: 5, name: 'hello' },
      stack: { id: 6, uuid: '0b0f7a3e-0000-4000-8000-000000000006', name: 'hello', envId: 'env', state: 'ready' },
      build: { number: 1, state: 'queued', message: '' },
      service: null,
    },
    'GET /api/v2/pipelines/3/queue': [
      {
        queueId: 9,
        number: 1,
        reason: 'All agents are busy',
        queuedAt: '2026-01-02T03:04:05Z',
        agents: [{ name: 'embedded', reason: 'runs 2 of 2 builds' }],
      },
    ],
  })
  await openPage(() => <Shown offer={false} />)
  expect(await screen.findByText('All agents are busy · embedded: runs 2 of 2 builds')).toBeTruthy()
})

test('stays hidden, even after a reload, until it is requested again', async () => {
  signedIn({ admin: true })
  const none = { commits: 0, version: '', pipeline: null, product: null, stack: null, build: null, service: null }
  server({ 'GET /api/tenants/1/sample': { ...none, state: 'none', reason: '' } })
  const { unmount } = await openPage(() => <Shown offer />)
  fireEvent.click(await screen.findByRole('button', { name: 'Hide the first minute' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show the first minute' }))
  unmount()
  await openPage(() => <Shown offer />)
  fireEvent.click(await screen.findByRole('button', { name: 'Show the first minute' }))
  expect(await screen.findByRole('button', { name: 'Start the first minute' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Hide the first minute' }))
})
