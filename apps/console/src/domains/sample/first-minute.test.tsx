import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, server, signedIn, useConsole } from '../../../test/app.tsx'
import { FirstMinute } from './first-minute.tsx'

useConsole()

test('a sample whose build is in the queue says what it waits for', async () => {
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
  await openPage(() => <FirstMinute teamId={1} offer={false} />)
  expect(await screen.findByText('All agents are busy · embedded: runs 2 of 2 builds')).toBeTruthy()
})
