import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { ada, openPage, press, refusal, sent, server, signedIn, type, useConsole } from '../../../test/app.tsx'
import { UserListPage } from './user-list-page.tsx'

useConsole()

const user = (id: number, userName: string, more: object = {}) => ({
  ...ada,
  id,
  userName,
  nickname: userName,
  email: `${userName}@example.com`,
  provider: '',
  state: 'normal',
  teams: [{ id: 1, name: 'default' }],
  roles: [],
  avatar: '',
  lastLoginAt: null,
  createdAt: '2026-01-02T03:04:05Z',
  updatedAt: '2026-01-02T03:04:05Z',
  ...more,
})
const everyone = [
  user(7, 'ada', { admin: true }),
  user(8, 'grace'),
  user(9, 'linus', { type: 'LDAP', state: 'locked' }),
  user(10, 'newcomer', { state: 'unapproved' }),
]
const listed = (items: unknown[]) => ({ items, requestPage: 1, pageSize: 20, totalSize: items.length })

async function open(search = '') {
  signedIn({ admin: true })
  server({ 'GET /api/users': listed(everyone) })
  const page = await openPage(() => <UserListPage />, `/login-free${search}`)
  await screen.findByText('grace')
  return page
}
async function choose(name: string, action: string) {
  fireEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  const item = await screen.findByText(action)
  return item
}
const writes = () => sent.filter(({ method, path }) => method !== 'GET' && path !== '/api/tickets')

describe('the list of users', () => {
  test.each([
    [['/Devs', 'staff'], '/Devs, staff'],
    [[], 'none'],
    [null, 'too many to be told'],
  ])('shows the groups of a provider’s user at the last login: %j', async (groups, expected) => {
    signedIn({ admin: true })
    server({
      'GET /api/users': listed([user(8, 'grace', { type: 'OAUTH' })]),
      'GET /api/oauth/users/8/sign-in': { groups, at: '2026-11-29T08:00:00.000Z' },
    })
    await openPage(() => <UserListPage />, '/login-free')
    await screen.findByText('grace')
    fireEvent.click(await choose('grace', 'Edit'))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText(expected)
  })

  test('requests what its address says', async () => {
    const { at } = await open('?state=locked&type=LDAP&keyword=li&sort=-lastLoginAt')
    const query = sent.find(({ path }) => path === '/api/users')?.query
    expect(Object.fromEntries(query ?? [])).toEqual({
      state: 'locked',
      type: 'LDAP',
      keyword: 'li',
      sort: '-lastLoginAt',
      requestPage: '1',
      pageSize: '20',
    })
    expect(at()).toContain('state=locked')
  })

  test('shows a user’s names, whether they administer, and where they come from', async () => {
    await open()
    const row = screen.getByText('ada').closest('tr')
    if (!row) throw new Error('no row')
    expect(within(row).getByText('you')).toBeTruthy()
    expect(within(row).getByText('Administrator')).toBeTruthy()
    expect(screen.getAllByText('LDAP').length).toBeGreaterThan(0)
  })

  test('bans after a confirmation, and unbans without one', async () => {
    await open()
    server({ 'PUT /api/users/8/approve': everyone[1], 'PUT /api/users/10/approve': everyone[3] })
    fireEvent.click(await choose('grace', 'Disable'))
    expect(await screen.findByText('Disable grace?')).toBeTruthy()
    expect(writes()).toEqual([])
    fireEvent.click(screen.getAllByRole('button', { name: 'Disable' }).at(-1) as HTMLElement)
    await waitFor(() => expect(writes()).toHaveLength(1))
    expect(writes()[0]?.query.get('enable')).toBe('false')
    fireEvent.click(await choose('newcomer', 'Approve'))
    await waitFor(() => expect(writes()).toHaveLength(2))
    expect(writes()[1]?.query.get('enable')).toBe('true')
  })

  test('sends the revision of the system roles that were shown, and keeps the choice on conflict', async () => {
    await open()
    const role = { id: 3, name: 'night-watch', builtIn: false, permissions: [], users: 0, revision: 'r1' }
    const older = 'Someone else has changed this in the meantime. Reload and make your change again.'
    server({ 'GET /api/roles': [role], 'PUT /api/users/8/roles': refusal(409, 'edit-on-older', older) })
    fireEvent.click(await choose('grace', 'System roles'))
    const box = await screen.findByRole('checkbox', { name: /night-watch/ })
    fireEvent.click(box)
    press('Save')
    await screen.findByText(older)
    expect(box).toHaveProperty('checked', true)
    expect(writes()).toMatchObject([{ body: [3] }])
    expect(writes()[0]?.query.get('revision')).toBe('none')
  })

  test('says why a locked user is kept out and what goes on; the ban is lifted, or what is open ended by hand', async () => {
    await open()
    const row = screen.getByText('linus').closest('tr')
    if (!row) throw new Error('no row')
    expect(within(row).getByText(/no new logins until access is restored, open sessions continue/)).toBeTruthy()
    server({ 'PUT /api/users/9/approve': everyone[2] })
    fireEvent.click(await choose('linus', 'Restore access'))
    await waitFor(() => expect(writes()).toHaveLength(1))
    expect(writes()[0]?.query.get('enable')).toBe('true')
    fireEvent.click(await choose('linus', 'Disable'))
    expect(await screen.findByText('Disable linus?')).toBeTruthy()
    fireEvent.click(screen.getAllByRole('button', { name: 'Disable' }).at(-1) as HTMLElement)
    await waitFor(() => expect(writes()).toHaveLength(2))
    expect(writes()[1]?.query.get('enable')).toBe('false')
  })

  test('offers no action on the administrator’s own account that another has to do, and says why', async () => {
    await open()
    const remove = await choose('ada', 'Delete')
    expect(screen.getByText('You cannot delete yourself. Ask another administrator to do it.')).toBeTruthy()
    fireEvent.click(remove)
    expect(screen.queryByText('Delete ada?')).toBeNull()
  })

  test('deletes many in one call, after naming them and the consequences; the confirmation shows a refusal', async () => {
    await open()
    server({ 'DELETE /api/users': refusal(409, 'team-led-alone', 'Nobody else leads these teams: payments') })
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select grace' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select linus' }))
    fireEvent.click(
      within(screen.getByRole('region', { name: 'Selected rows' })).getByRole('button', { name: 'Delete' }),
    )
    expect(await screen.findByText('Delete the selected users (2)?')).toBeTruthy()
    expect(screen.getByText('grace, linus')).toBeTruthy()
    expect(screen.getByText('API tokens created by the user')).toBeTruthy()
    type('Type ok to confirm', 'ok')
    const dialog = screen.getByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await within(dialog).findByText('Nobody else leads these teams: payments')).toBeTruthy()
    expect(writes()[0]?.body).toEqual([8, 9])
    server({ 'DELETE /api/users': null })
    fireEvent.click(within(dialog).getByRole('button', { name: /Delete/ }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull())
  })

  test('a new user’s initial password is shown once, and is not lost by Escape or a click beside it', async () => {
    await open()
    server({ 'POST /api/users': { ...user(11, 'barbara'), initialPassword: 'kT7wPqX2mNzR4c' } })
    press('Create user')
    type('Username', 'barbara')
    type(/^Nickname/, 'Barbara')
    type('Email', 'barbara@example.com')
    fireEvent.click(screen.getAllByRole('button', { name: 'Create user' }).at(-1) as HTMLElement)
    const secret = await screen.findByText('kT7wPqX2mNzR4c')
    fireEvent.keyDown(secret, { key: 'Escape', code: 'Escape', keyCode: 27 })
    fireEvent.click(secret.closest('.ant-modal-wrap') as HTMLElement)
    press('I have copied it')
    await waitFor(() => expect(screen.queryByText('kT7wPqX2mNzR4c')).toBeNull())
    expect(writes()[0]?.body).toEqual({ userName: 'barbara', nickname: 'Barbara', email: 'barbara@example.com' })
  })
})

const row = (line: number, userName: string, problem = '', initialPassword = '') => ({
  line,
  userName,
  nickname: userName,
  email: `${userName}@x.test`,
  team: '',
  problem,
  initialPassword,
})
async function offer(report: unknown) {
  await open()
  server({ 'POST /api/users/import': report })
  press('Import users')
  const input = (await screen.findByText('Choose a CSV file, or drop it here')).closest('label')?.querySelector('input')
  if (!input) throw new Error('no input')
  fireEvent.change(input, { target: { files: [new File(['x'], 'people.csv', { type: 'text/csv' })] } })
}

describe('the import', () => {
  test('previews first; with an invalid row nothing can be imported', async () => {
    await offer({ created: 0, unsure: [], rows: [row(2, 'ada'), row(3, 'bob', 'There is no team green')] })
    expect(await screen.findByText('There is no team green')).toBeTruthy()
    expect(writes()[0]?.query.get('check')).toBe('true')
    expect(writes()[0]?.headers.get('content-type')).not.toBe('application/json')
    const button = screen.getByRole('button', { name: 'Import users (2)' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(button)
    expect(writes()).toHaveLength(1)
  })

  test('then creates all, and shows their initial passwords', async () => {
    await offer({ created: 0, unsure: [], rows: [row(2, 'bob')] })
    await screen.findByText('people.csv has no errors. Nothing has been created yet. Users to create: 1.')
    server({ 'POST /api/users/import': { created: 1, unsure: [], rows: [row(2, 'bob', '', 'kT7wPqX2mNzR4c')] } })
    press('Import users (1)')
    expect(await screen.findByText('kT7wPqX2mNzR4c')).toBeTruthy()
    expect(writes()[1]?.query.get('check')).toBeNull()
    expect(screen.getByRole('button', { name: 'Save as CSV' })).toBeTruthy()
    // while they are not saved, one click does not close the dialog
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
    expect(await screen.findByText('Close without saving the initial passwords?')).toBeTruthy()
    expect(screen.getByText('kT7wPqX2mNzR4c')).toBeTruthy()
    press('Cancel')
  })

  test('asks for the encoding if it cannot be detected, and keeps the choice', async () => {
    const unsure = [
      { encoding: 'gbk', preview: ['bob,黵,bob@x.test'] },
      { encoding: 'windows-1252', preview: ['bob,ür,bob@x.test'] },
    ]
    await offer({ created: 0, unsure, rows: [] })
    await screen.findByText('bob,黵,bob@x.test')
    screen.getByText('bob,ür,bob@x.test')
    expect(screen.getAllByRole('button', { name: 'Import users' }).at(-1)?.getAttribute('aria-disabled')).toBe('true')
    server({ 'POST /api/users/import': { created: 0, unsure: [], rows: [row(2, 'bob')] } })
    press('Read as windows-1252')
    await screen.findByText(/has no errors/)
    press('Import users (1)')
    await waitFor(() => expect(writes()).toHaveLength(3))
    expect(writes().map(({ query }) => [query.get('check'), query.get('encoding')])).toEqual([
      ['true', null],
      ['true', 'windows-1252'],
      [null, 'windows-1252'],
    ])
  })

  test('says why a file cannot be read, and accepts another', async () => {
    await offer(refusal(400, 'import-encoding', 'The file is not UTF-8 or GBK text'))
    expect(await screen.findByText('The file is not UTF-8 or GBK text')).toBeTruthy()
    press('Choose another file')
    expect(await screen.findByText('Choose a CSV file, or drop it here')).toBeTruthy()
  })
})
