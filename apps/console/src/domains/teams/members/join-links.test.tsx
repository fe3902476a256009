import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPage, press, sent, server, signedIn, type, useConsole } from '../../../../test/app.tsx'
import { RoleListPage } from '../roles/role-list-page.tsx'
import { MemberListPage } from './member-list-page.tsx'

useConsole()

const listed = (items: unknown[]) => ({ items, requestPage: 1, pageSize: 20, totalSize: items.length })
const developer = { id: 3, name: 'developer', members: 1, template: 'developer' }
const link = (id: number, more: object = {}) => ({
  id,
  leader: false,
  roleName: 'developer',
  by: 'ada',
  email: '',
  createdAt: '2026-01-02T03:04:05Z',
  expiresAt: '2036-01-02T03:04:05Z',
  ...more,
})
const writes = () => sent.filter(({ method, path }) => method !== 'GET' && path !== '/api/tickets')
const choose = async (box: string, option: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: box }))
  fireEvent.click(await screen.findByTitle(option))
}

async function openDialog(links: { links: unknown[]; mail: boolean }) {
  signedIn({ admin: true })
  server({
    'GET /api/teams/1/users': listed([]),
    'GET /api/teams/1/users/others': listed([
      { id: 9, name: 'linus', email: '', type: 'IDENTITY', typeName: 'Local user' },
    ]),
    'GET /api/tenants/1/roles': [developer],
    'GET /api/teams/1/join-links': links,
  })
  await openPage(() => <MemberListPage />)
  fireEvent.click((await screen.findAllByRole('button', { name: 'Add members' }))[0] as HTMLElement)
  return screen.findByRole('dialog')
}

test('users are added with a role, which is explained beside the choice', async () => {
  const dialog = await openDialog({ links: [], mail: false })
  server({ 'POST /api/teams/1/users': null })
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Users' }))
  fireEvent.click(await screen.findByTitle('linus'))
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Role' }))
  expect(await screen.findByText(/^Developer: creates, edits and runs/)).toBeTruthy()
  fireEvent.click(await screen.findByTitle('developer'))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add members' }))
  await waitFor(() => expect(writes()).toHaveLength(1))
  expect([writes()[0]?.query.get('roleId'), writes()[0]?.body]).toEqual(['3', [9]])
})

test('a role has to be chosen, and may be none', async () => {
  const dialog = await openDialog({ links: [], mail: false })
  server({ 'POST /api/teams/1/users': null })
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Users' }))
  fireEvent.click(await screen.findByTitle('linus'))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add members' }))
  await screen.findByText('This field is required')
  await choose('Role', 'Member without a role')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add members' }))
  await waitFor(() => expect(writes()).toHaveLength(1))
  expect(writes()[0]?.query.has('roleId')).toBe(false)
})

test('a link to join is created with a role and an expiry, and shown once', async () => {
  await openDialog({ links: [], mail: false })
  const url = 'http://localhost/login/join#gj_secret'
  server({ 'POST /api/teams/1/join-links': { ...link(5), url } })
  fireEvent.click(screen.getByText('A link to join'))
  expect(screen.queryByLabelText(/^Send to/)).toBeNull()
  await choose('Role', 'developer')
  await choose('Valid for', '7 days')
  press('Create link')
  expect(await screen.findByText(url)).toBeTruthy()
  expect(writes()[0]?.body).toEqual({ roleId: 3, hours: 168 })
  press('I have copied it')
  await waitFor(() => expect(screen.queryByText(url)).toBeNull())
})

test('a link is mailed if mail is configured', async () => {
  await openDialog({ links: [], mail: true })
  server({ 'POST /api/teams/1/join-links': { ...link(5, { email: 'ann@x.test' }), url: 'http://localhost/x' } })
  fireEvent.click(screen.getByText('A link to join'))
  await choose('Role', 'developer')
  await screen.findByLabelText(/^Send to/)
  type(/^Send to/, 'ann@x.test')
  press('Create link')
  expect(await screen.findByText(/has been sent to ann@x.test/)).toBeTruthy()
  expect(writes()[0]?.body).toEqual({ roleId: 3, hours: 24, email: 'ann@x.test' })
})

test('open links are listed and revoked', async () => {
  await openDialog({ links: [link(5, { email: 'ann@x.test' }), link(6, { leader: true, roleName: '' })], mail: true })
  server({ 'DELETE /api/teams/1/join-links/5': null })
  fireEvent.click(screen.getByText('A link to join'))
  expect(await screen.findByText(/Link of ada · Team leader/)).toBeTruthy()
  press('Revoke the link: ann@x.test')
  await waitFor(() => expect(writes().map(({ path }) => path)).toEqual(['/api/teams/1/join-links/5']))
})

test('the roles page explains roles, and adds those of a new team if one is missing', async () => {
  signedIn({ admin: true })
  server({ 'GET /api/tenants/1/roles': [developer], 'POST /api/teams/1/first-roles': [developer] })
  await openPage(() => <RoleListPage />)
  expect(await screen.findByText(/^Developer: creates, edits and runs/)).toBeTruthy()
  const all = ['developer', 'operator', 'viewer'].map((name, id) => ({ ...developer, id, name, template: name }))
  server({ 'GET /api/tenants/1/roles': all })
  press('Add developer, operator and viewer')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Add developer, operator and viewer' })).toBeNull())
  expect(writes().map(({ path }) => path)).toEqual(['/api/teams/1/first-roles'])
})
