import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openApp, press, sent, server, signedIn, type, useConsole } from '../../../../test/app.tsx'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

useConsole()

const credential = (more: object) => ({
  id: 3,
  teamId: 1,
  name: 'forge',
  description: '',
  kind: 'token',
  host: 'git.example.org',
  username: '',
  secret: '********',
  pipelineNum: 0,
  revision: 2,
  updatedAt: '2026-01-01T00:00:00Z',
  ...more,
})
const listed = (...items: object[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })

beforeEach(() => {
  signedIn()
  permissions.set(['pipeline_pipeline_view', 'pipeline_credential_operate'].map((name) => ({ name, enable: true })))
})

test('a credential is stored with its host, and shown without its secret', async () => {
  server({
    'GET /api/teams/1/credentials': listed(),
    'POST /api/teams/1/credentials': credential({}),
  })
  await openApp('/teams/1/cd/credentials', routes)
  await screen.findByText('No credentials yet')
  fireEvent.click(screen.getAllByRole('button', { name: 'Store a credential' })[0] as HTMLElement)
  await screen.findByRole('dialog')
  type('Name', 'forge')
  fireEvent.change(screen.getByLabelText(/^Host/), { target: { value: 'git.example.org' } })
  fireEvent.change(screen.getByLabelText(/^Secret/), { target: { value: 'open sesame' } })
  server({ 'GET /api/teams/1/credentials': listed(credential({})) })
  const buttons = screen.getAllByRole('button', { name: 'Store a credential' })
  fireEvent.click(buttons.at(-1) as HTMLElement)
  await waitFor(() =>
    expect(sent.find(({ method, path }) => method === 'POST' && path === '/api/teams/1/credentials')?.body).toEqual({
      name: 'forge',
      kind: 'password',
      host: 'git.example.org',
      secret: 'open sesame',
    }),
  )
  await screen.findByText('git.example.org')
  expect(document.body.textContent).not.toContain('open sesame')
})

test('a credential in use cannot be deleted', async () => {
  server({ 'GET /api/teams/1/credentials': listed(credential({ pipelineNum: 2 })) })
  await openApp('/teams/1/cd/credentials', routes)
  await screen.findByText('forge')
  press(/More|Actions/)
  expect((await screen.findByText('Delete')).closest('[aria-disabled]')?.getAttribute('aria-disabled')).toBe('true')
})
