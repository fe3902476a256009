import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PermissionType } from '@gantry/contract/auth/session'
import { loadPermissions, permissions } from '../../../api/permissions.ts'
import { queryClient } from '../../../api/queries.ts'
import { openPage, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { RolePage } from './role-page.tsx'

useConsole()

const permission = (name: string, type: PermissionType) => ({ name, type, enable: true, detail: name, calls: [] })
const catalogue = [
  {
    module: 'teams',
    type: 'team',
    enable: true,
    permissions: [
      permission('team_role_create', 'create'),
      permission('team_role_edit', 'edit'),
      permission('team_role_view', 'view'),
      permission('team_member_edit', 'edit'),
    ],
  },
  { module: 'users', type: 'system', enable: false, permissions: [permission('system_user_view', 'view')] },
]
const granted = [
  { name: 'team_role_view', enable: true },
  { name: 'team_role_create', enable: true },
  { name: 'team_role_edit', enable: false },
  { name: 'team_member_edit', enable: false },
]

async function open(mine: string[]) {
  signedIn()
  permissions.set(mine.map((name) => ({ name, enable: true })))
  server({
    'GET /api/tenants/1/roles': [{ id: 9, name: 'dev', members: 1 }],
    'GET /api/permissions': catalogue,
    'GET /api/tenants/1/roles/9': granted,
    'POST /api/tenants/1/roles/9': null,
  })
  await openPage(
    RolePage,
    '/administration-team/1/roles/roleEdit?role=9',
    '/administration-team/$team_id/roles/roleEdit',
  )
  await screen.findByRole('table')
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

test('a user cannot grant permissions that they lack: those boxes are disabled; granted ones can be removed', async () => {
  await open(['team_role_edit', 'team_role_view'])
  expect(box('Set the roles of members').disabled).toBe(true)
  expect(box('Edit the permissions of roles').disabled).toBe(false)
  expect(box('Create roles').disabled).toBe(false)
  expect(screen.queryByText('Platform')).toBeNull()
})

test('a whole column selects the enabled boxes, lists the changes, and is saved', async () => {
  await open(['team_role_edit', 'team_role_view'])
  fireEvent.click(box('Edit: all objects shown'))
  expect(box('Edit the permissions of roles').checked).toBe(true)
  expect(box('Set the roles of members').checked).toBe(false)
  fireEvent.click(box('Create roles'))
  expect(screen.getByRole('list', { name: 'Changes' }).textContent).toBe(
    '+ Edit the permissions of roles− Create roles',
  )
  press('Save')
  const saved = () => sent.find(({ method, path }) => method === 'POST' && path === '/api/tenants/1/roles/9')
  await waitFor(() => expect(saved()).toBeDefined())
  expect(saved()?.body).toEqual([
    { name: 'team_role_view', enable: true },
    { name: 'team_role_create', enable: false },
    { name: 'team_role_edit', enable: true },
    { name: 'team_member_edit', enable: false },
  ])
})

test('a user who may not change roles sees the table disabled', async () => {
  await open(['team_role_view'])
  for (const one of screen.getAllByRole<HTMLInputElement>('checkbox')) expect(one.disabled).toBe(true)
})

test.for([
  ['fail', () => refusal(500, 'server-error', 'no')],
  ['are empty', () => []],
] as const)('if permissions %s everything is locked', async ([, answer]) => {
  await open(['team_role_edit', 'team_role_view'])
  server({ 'GET /api/teams/1/users/7/permissions': answer })
  await loadPermissions(1, 7, () => true)
  await waitFor(() => expect(box('Create roles').disabled).toBe(true))
  expect(sessionStorage.getItem('WISECLOUD__permissions')).toBe('{"value":[]}')
})

test('shows what others save until the user changes something', async () => {
  await open(['team_role_edit', 'team_role_view'])
  server({
    'GET /api/tenants/1/roles': [{ id: 9, name: 'dev', members: 1 }],
    'GET /api/tenants/1/roles/9': granted.map(({ name }) => ({ name, enable: name !== 'team_role_create' })),
  })
  await act(() => queryClient.invalidateQueries())
  await waitFor(() => expect(box('Edit the permissions of roles').checked).toBe(true))
  expect(box('Create roles').checked).toBe(false)
  expect(screen.getByRole('list', { name: 'Changes' }).textContent).toBe('Nothing has changed')
})
