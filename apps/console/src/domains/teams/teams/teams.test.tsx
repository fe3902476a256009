import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { showing } from '../../../api/notices.ts'
import { permissions } from '../../../api/permissions.ts'
import {
  openPage,
  press,
  refusal,
  sent,
  server,
  settle,
  signedIn,
  team,
  type,
  useConsole,
} from '../../../../test/app.tsx'
import { MemberListPage } from '../members/member-list-page.tsx'
import { TeamEditPage } from './team-edit-page.tsx'
import { TeamListPage } from './team-list-page.tsx'

useConsole()

const listed = (items: unknown[]) => ({ items, requestPage: 1, pageSize: 20, totalSize: items.length })
const member = (id: number, userName: string, more: object = {}) => ({
  id,
  userName,
  nickname: userName,
  email: `${userName}@example.com`,
  type: 'IDENTITY',
  state: 'normal',
  avatar: '',
  grantedBy: '',
  teamLeader: false,
  roleId: null,
  roleName: '',
  ...more,
})
const members = [
  member(7, 'ada', { teamLeader: true }),
  member(8, 'grace', { roleId: 3, roleName: 'developer' }),
  member(9, 'linus', { type: 'LDAP', grantedBy: 'LDAP:1' }),
]
const writes = () => sent.filter(({ method, path }) => method !== 'GET' && path !== '/api/tickets')
const act = async (name: string, action: string) => {
  fireEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  fireEvent.click(await screen.findByText(action))
}

describe('members', () => {
  const open = async (search = '') => {
    signedIn({ admin: true })
    server({ 'GET /api/teams/1/users': listed(members), 'GET /api/teams/5/users': listed(members) })
    server({ 'GET /api/teams/5': { ...team(5), name: 'payments' } })
    await openPage(() => <MemberListPage />, `/login-free${search}`)
    await screen.findByText('grace')
  }

  test('are shown with their roles, and with the directory that added them', async () => {
    await open()
    expect(screen.getByText('Team leader')).toBeTruthy()
    expect(screen.getByText('developer')).toBeTruthy()
    expect(screen.getByText('from the LDAP directory')).toBeTruthy()
  })

  test('of another team are shown by ?team_id, without switching to it', async () => {
    await open('?team_id=5')
    expect(await screen.findByText('The members of the team payments, and their roles')).toBeTruthy()
    expect(sent.some(({ path }) => path === '/api/teams/5/users')).toBe(true)
    expect(sent.some(({ path }) => path === '/api/users/refresh')).toBe(false)
  })

  test('that a directory added are removed only past a hint that they come back', async () => {
    await open()
    await act('linus', 'Remove from team')
    expect(await screen.findByText(/is granted again at the next login/)).toBeTruthy()
    press('Cancel')
    await waitFor(() => expect(screen.queryByText(/is granted again/)).toBeNull())
    expect(writes()).toEqual([])
  })

  test('are removed in bulk, each with its own result', async () => {
    await open()
    server({
      'DELETE /api/teams/1/users/7': refusal(409, 'team-last-leader', 'This is the last leader of the team'),
      'DELETE /api/teams/1/users/8': null,
      'DELETE /api/teams/1/users/9': null,
    })
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select ada' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select grace' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select linus' }))
    const reads = () => sent.filter(({ method, path }) => method === 'GET' && path === '/api/teams/1/users').length
    const before = reads()
    const bar = screen.getByRole('region', { name: 'Selected rows' })
    fireEvent.click(within(bar).getByRole('button', { name: 'Remove from team' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove from team' }))
    expect(await within(dialog).findByText('This is the last leader of the team')).toBeTruthy()
    expect(await within(dialog).findByText('3 of 3 done, 1 failed')).toBeTruthy()
    expect(writes().map(({ path }) => path)).toEqual([7, 8, 9].map((id) => `/api/teams/1/users/${id}`))
    await settle()
    expect([reads(), showing.get()]).toEqual([before, []])
    fireEvent.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
    await waitFor(() => expect(reads()).toBe(before + 1))
  })

  test('are given a role in bulk, once one is chosen', async () => {
    await open()
    server({
      'GET /api/tenants/1/roles': [{ id: 3, name: 'developer', members: 1 }],
      'PUT /api/teams/1/users/9': null,
    })
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select linus' }))
    const bar = screen.getByRole('region', { name: 'Selected rows' })
    fireEvent.click(within(bar).getByRole('button', { name: 'Set role' }))
    const dialog = await screen.findByRole('dialog')
    const set = within(dialog).getByRole('button', { name: 'Set role' })
    fireEvent.click(set)
    expect(writes()).toEqual([])
    fireEvent.mouseDown(within(dialog).getByRole('combobox', { name: 'Role' }))
    fireEvent.click(await screen.findByTitle('developer'))
    fireEvent.click(set)
    expect(await within(dialog).findByText('1 of 1 done, 0 failed')).toBeTruthy()
    expect(writes().map(({ path, body }) => [path, body])).toEqual([['/api/teams/1/users/9', 3]])
  })

  test('cannot be changed without the permission', async () => {
    signedIn()
    permissions.set([{ name: 'team_member_create', enable: false }])
    server({ 'GET /api/teams/1/users': listed(members) })
    await openPage(() => <MemberListPage />)
    await screen.findByText('grace')
    expect(screen.getByRole('button', { name: 'Add members' }).getAttribute('aria-disabled')).toBe('true')
    await act('grace', 'Set role')
    expect(screen.queryByText('Role of grace')).toBeNull()
  })
})

describe('one team', () => {
  const open = async (search: string) => {
    signedIn({ admin: true })
    server({ 'GET /api/teams/5': { ...team(5), name: 'payments' }, 'GET /api/teams/5/users': listed(members) })
    return openPage(() => <TeamEditPage />, `/login-free${search}`)
  }

  test('is renamed', async () => {
    await open('?team_id=5')
    await screen.findByDisplayValue('payments')
    server({ 'PUT /api/teams/5': { ...team(5), name: 'ledger' } })
    type('Name', 'ledger')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(writes()[0]?.body).toMatchObject({ name: 'ledger' }))
  })

  test('has its members in a tab with its own address', async () => {
    await open('?team_id=5&tab=members')
    expect(await screen.findByText('developer')).toBeTruthy()
  })

  test.each(['', '?team_id=x', '?team_id=0', '?team_id=5e3'])(
    'that %j does not name is reported as missing',
    async (search) => {
      await open(search)
      expect(await screen.findByText('This team does not exist, or has been deleted')).toBeTruthy()
    },
  )
})

test.for([
  ['teams', () => <TeamListPage />, 'Create team'],
  ['members', () => <MemberListPage />, 'Add members to default'],
] as const)('the search makes the list of %s open its dialog, once', async ([, page, title]) => {
  signedIn({ admin: true })
  server({ 'GET /api/teams': listed([]), 'GET /api/teams/1': team(1), 'GET /api/teams/1/users': listed(members) })
  const { at } = await openPage(page, '/login-free?do=create')
  expect(await screen.findByRole('dialog', { name: title })).toBeTruthy()
  expect(at()).not.toContain('do=')
})

test('the list of teams deletes only after the word is typed; the confirmation shows what is still owned', async () => {
  signedIn({ admin: true })
  server({
    'GET /api/teams': listed([{ ...team(5), name: 'payments' }]),
    'DELETE /api/teams/5': refusal(409, 'team-owns', 'The team payments still owns 2 pipelines'),
  })
  await openPage(() => <TeamListPage />)
  await screen.findByText('payments')
  await act('payments', 'Delete')
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(writes()).toEqual([])
  type('Type ok to confirm', 'ok')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await within(dialog).findByText('The team payments still owns 2 pipelines')).toBeTruthy()
})
