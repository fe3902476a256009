import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { openApp, press, refusal, sent, server, signedIn, type, useConsole } from '../../../../test/app.tsx'
import { permissions } from '../../../api/permissions.ts'
import { routes } from '../routes.tsx'

useConsole()

const created = () => sent.find((call) => call.method === 'POST' && call.path === '/api/tenants/1/pipelines')?.body

beforeEach(() => {
  signedIn()
  permissions.set([{ name: 'pipeline_pipeline_create', enable: true }])
  server({
    'GET /api/tenants/1/groups/2': {
      id: 2,
      teamId: 1,
      name: 'Harbour',
      description: '',
      pipelineNum: 0,
      createdAt: '',
    },
    'POST /api/tenants/1/pipelines': { id: 4, appId: 2 },
  })
})

const open = async () => {
  const app = await openApp('/teams/1/cd/create?from=hand&groupId=2', routes)
  await screen.findByLabelText('Repository URL')
  return app
}
/** The button is enabled a moment after the address was typed. */
async function check(): Promise<void> {
  const button = () => screen.getByRole('button', { name: 'Check connection' })
  await waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('false'))
  fireEvent.click(button())
}

describe('creating a pipeline', () => {
  test('checks the repository, shows its problem, and takes its default branch', async () => {
    server({ 'POST /api/tenants/1/repositories/check': refusal(400, 'git-not-found', 'There is no repository there') })
    await open()
    type('Repository URL', 'https://git.example.org/none.git')
    await check()
    expect((await screen.findByRole('alert')).textContent).toBe('There is no repository there')
    server({
      'POST /api/tenants/1/repositories/check': {
        branches: ['main', 'next'],
        defaultBranch: 'main',
        commit: 'd1d1293ab6eb',
      },
    })
    type('Repository URL', 'https://git.example.org/app.git')
    expect(screen.queryByRole('alert')).toBeNull()
    await check()
    await screen.findByText(/^Connected\. Branches: 2/)
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Branch').value).toBe('main'))
    type('Name', 'lights')
    press('Create pipeline')
    await waitFor(() => expect(created()).toBeDefined())
    expect(created()).toMatchObject({
      appId: 2,
      projectName: 'lights',
      repository: { url: 'https://git.example.org/app.git', branch: 'main' },
      definition: { stages: [{ steps: [{ type: 'checkout' }, { type: 'script' }, { type: 'report' }] }] },
    })
  })

  test('over SSH asks for a key, and pins the presented host key', async () => {
    const knownHosts = 'git.example.org ssh-ed25519 AAAA'
    server({
      'POST /api/tenants/1/repositories/check': {
        branches: ['main'],
        defaultBranch: 'main',
        commit: '',
        hostKey: { type: 'ssh-ed25519', fingerprint: 'SHA256:abc', knownHosts },
      },
    })
    const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----'
    await open()
    type('Repository URL', 'git@git.example.org:app.git')
    fireEvent.change(await screen.findByLabelText(/^Private key/), { target: { value: privateKey } })
    expect(screen.queryByLabelText(/^Password or token/)).toBeNull()
    await check()
    await screen.findByText('SHA256:abc')
    type('Name', 'lights')
    press('Create pipeline')
    await waitFor(() => expect(created()).toBeDefined())
    expect(created()).toMatchObject({ repository: { url: 'git@git.example.org:app.git', privateKey, knownHosts } })
  })

  test('without a repository requires none, and adds no checkout step', async () => {
    const { at } = await open()
    fireEvent.click(screen.getByRole('radio', { name: 'No repository' }))
    fireEvent.click(screen.getByRole('radio', { name: 'Empty' }))
    type('Name', 'lights')
    press('Create pipeline')
    await waitFor(() => expect(created()).toBeDefined())
    expect(created()).toEqual({ appId: 2, projectName: 'lights', definition: { stages: [] } })
    await waitFor(() => expect(at()).toContain('/orch-pipeline'))
  })

  test('reads the groups again, because it may have created one', async () => {
    server({ 'GET /api/tenants/1/groups': { items: [], total: 0, page: 1, pageSize: 10 } })
    await open()
    fireEvent.mouseDown(screen.getByLabelText(/^Group/))
    const read = () => sent.filter(({ method, path }) => method === 'GET' && path === '/api/tenants/1/groups').length
    await waitFor(() => expect(read()).toBe(1))
    fireEvent.click(screen.getByRole('radio', { name: 'No repository' }))
    type('Name', 'lights')
    press('Create pipeline')
    await waitFor(() => expect(created()).toBeDefined())
    await waitFor(() => expect(read()).toBe(2))
  })

  test('reports missing fields', async () => {
    await open()
    press('Create pipeline')
    // The name and the repository's address; the group came with the link, and a branch is suggested.
    await waitFor(() => expect(screen.getAllByText('This field is required').length).toBe(2))
    expect(created()).toBeUndefined()
  })
})
