import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { permissions } from '../../api/permissions.ts'
import { DockerfileListPage } from './dockerfile-list-page.tsx'

useConsole()

const row = {
  id: 5,
  teamId: 1,
  name: 'node service',
  description: 'for all services',
  revision: 3,
  updatedAt: '2026-11-24T10:00:00Z',
  updatedBy: 'grace',
  pipelineNum: 2,
}
const content = 'FROM node\nUSER root\n'
const path = '/api/teams/1/dockerfile'
const listed = { items: [row], requestPage: 1, pageSize: 10, totalSize: 1 }

const may = (...verbs: string[]) =>
  permissions.set(verbs.map((verb) => ({ name: `pipeline_dockerfile_${verb}`, enable: true })))

beforeEach(() => {
  signedIn({})
  may('view', 'create', 'edit', 'delete')
  server({ [`GET ${path}`]: listed, [`GET ${path}/5`]: { ...row, content } })
})

const open = () => openPage(() => <DockerfileListPage />)
const written = (method: string) => sent.find((one) => one.method === method && one.path === path)

test('a Dockerfile opens with its findings, by line, and is saved at its revision', async () => {
  server({ [`PUT ${path}`]: { ...row, content, revision: 4 } })
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'node service' }))
  expect(await screen.findByText(/Line 1: node is whatever its newest version is/)).toBeTruthy()
  expect(screen.getByText(/Line 2: The container runs as root/)).toBeTruthy()
  type('Name', 'node services')
  press('Save')
  await waitFor(() => expect(written('PUT')).toBeDefined())
  expect(written('PUT')?.body).toEqual({
    id: 5,
    revision: 3,
    name: 'node services',
    description: 'for all services',
    content,
  })
})

test('a Dockerfile without instructions is not sent', async () => {
  await open()
  fireEvent.click((await screen.findAllByRole('button', { name: 'Create Dockerfile' }))[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  type('Name', 'empty')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Create Dockerfile' }))
  expect(await screen.findByText('This field is required')).toBeTruthy()
  expect(written('POST')).toBeUndefined()
})

test('a user who may only view reads it, and is told what the button needs', async () => {
  may('view')
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'node service' }))
  const save = await screen.findByRole('button', { name: 'Save' })
  expect(save.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('textbox', { name: 'Name' }).hasAttribute('disabled')).toBe(true)
})
