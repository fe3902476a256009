import { stacks } from '@gantry/contract/stacks/stacks'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { permissions } from '../../api/permissions.ts'
import { openPage, press, sent, server, signedIn, useConsole } from '../../../test/app.tsx'
import { EmptyState } from '../feedback/empty-state.tsx'
import { useListState } from './list-state.ts'
import { ResourceTable, type Query, type TableProps } from './resource-table.tsx'
import { StateBadge, stateName } from '../feedback/state-badge.tsx'

useConsole()

interface Row {
  id: number
  name: string
}
const rows: Row[] = [
  { id: 1, name: 'web' },
  { id: 2, name: 'ledger' },
  { id: 3, name: 'mailer' },
]
const query = (more: Partial<Query<Row>> = {}): Query<Row> => ({
  data: { items: rows, requestPage: 1, pageSize: 10, totalSize: 3 },
  error: null,
  isPending: false,
  isFetching: false,
  refetch: vi.fn(),
  ...more,
})
function Sample(props: Partial<TableProps<Row>>) {
  const list = useListState('sample', { filters: { state: 'all' } })
  return (
    <ResourceTable
      label="Services"
      query={query()}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      columns={[{ key: 'name', title: 'Name', sort: true, cell: (row) => row.name }]}
      {...props}
    />
  )
}
const open = (props: Partial<TableProps<Row>> = {}, search = '') =>
  openPage(() => <Sample {...props} />, `/login-free${search}`)

describe('the resource table', () => {
  test('shows that it is loading', async () => {
    await open({ query: query({ data: undefined, isPending: true }) })
    expect(screen.getByRole('status', { name: 'Loading…' })).toBeTruthy()
  })

  test('shows why it failed, and retries', async () => {
    const refetch = vi.fn()
    await open({ query: query({ data: undefined, error: new Error('No answer in time'), refetch }) })
    expect(screen.getByRole('alert').textContent).toContain('No answer in time')
    press('Try again')
    expect(refetch).toHaveBeenCalledOnce()
  })

  test('offers the first step if it is empty', async () => {
    const onClick = vi.fn()
    await open({
      query: query({ data: { items: [], requestPage: 1, pageSize: 10, totalSize: 0 } }),
      empty: { type: 1, title: 'No services yet', add: { label: 'Create a service', onClick } },
    })
    press('Create a service')
    expect(onClick).toHaveBeenCalledOnce()
    expect(screen.queryByRole('table')).toBeNull()
  })

  test('says that nothing matches, and clears the filters', async () => {
    const { at } = await open(
      { query: query({ data: { items: [], requestPage: 1, pageSize: 10, totalSize: 0 } }) },
      '?state=failed',
    )
    press('Clear search and filters')
    await waitFor(() => expect(at()).toBe('/login-free'))
  })

  test('sorts ascending, descending, and not at all', async () => {
    const { at } = await open()
    const head = () => screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')
    expect(head()).toBe('none')
    press('Name')
    await waitFor(() => expect([at(), head()]).toEqual(['/login-free?sort=name', 'ascending']))
    press('Name')
    await waitFor(() => expect([at(), head()]).toEqual(['/login-free?sort=-name', 'descending']))
    press('Name')
    await waitFor(() => expect([at(), head()]).toEqual(['/login-free', 'none']))
  })

  test('goes to the last existing page when its own no longer exists', async () => {
    const { at } = await open(
      { query: query({ data: { items: [], requestPage: 9, pageSize: 10, totalSize: 23 } }) },
      '?page=9',
    )
    await waitFor(() => expect(at()).toBe('/login-free?page=3'))
  })

  test('reports a bulk action per row, and retries failed rows', async () => {
    let tries = 0
    const run = vi.fn((row: Row) =>
      row.id === 2 && ++tries === 1 ? Promise.reject(new Error('It is in use')) : Promise.resolve(),
    )
    await open({ bulk: [{ key: 'stop', label: 'Stop', run }] })
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    press('Stop')
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('It is in use')
    expect(within(dialog).getByText('3 of 3 done, 1 failed')).toBeTruthy()
    press('Retry 1 failed')
    await within(dialog).findByText('1 of 1 done, 0 failed')
    expect(run.mock.calls.map(([row]) => row.id)).toEqual([1, 2, 3, 2])
  })

  test('names rows to which a bulk action does not apply, with the reason, and skips them', async () => {
    const run = vi.fn(() => Promise.resolve())
    const except = ({ id }: Row): string | false => id === 2 && 'It stays'
    await open({ bulk: [{ key: 'stop', label: 'Stop', except, run }] })
    const choose = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }))
    choose('Select ledger')
    press('Stop')
    const none = within(await screen.findByRole('dialog'))
    none.getByText('It stays')
    fireEvent.click(none.getByRole('button', { name: 'Stop' }))
    expect(run).not.toHaveBeenCalled()
    fireEvent.click(none.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    choose('Select web')
    press('Stop')
    const dialog = within(await screen.findByRole('dialog'))
    dialog.getByText('The action applies to these rows (1):')
    expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['web', 'ledgerIt stays'])
    fireEvent.click(dialog.getByRole('button', { name: 'Stop' }))
    await dialog.findByText('1 of 1 done, 0 failed')
    expect(run.mock.calls).toEqual([[rows[0]]])
  })

  test('clears the selection with its page', async () => {
    const { history } = await open({ bulk: [{ key: 'stop', label: 'Stop', run: () => Promise.resolve() }] })
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select web' }))
    expect(screen.getByText('1 selected')).toBeTruthy()
    history.push('/login-free?page=2')
    await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
  })

  test('names the permission of a forbidden row action and who can grant it, and does nothing', async () => {
    signedIn()
    permissions.set([])
    server({
      'GET /api/teams/1/permissions/stack_stack_delete/givers': { roles: ['deployer'], leaders: ['Grace'] },
    })
    const onClick = vi.fn()
    await open({
      actions: () => [{ key: 'delete', label: 'Delete', needs: stacks.remove, danger: true, onClick }],
    })
    press('Actions for web')
    const item = await screen.findByRole('menuitem')
    await waitFor(() =>
      expect(item.textContent).toMatch(
        /“Delete stacks \(also needs the permission to delete services\)”.*with this permission: deployer\. Grace can grant it/,
      ),
    )
    fireEvent.click(item)
    expect(onClick).not.toHaveBeenCalled()
  })

  test('says once who can grant the permissions of several forbidden row actions', async () => {
    signedIn()
    permissions.set([])
    const givers = { roles: ['deployer'], leaders: ['Grace'] }
    server({ 'GET /api/teams/1/permissions/stack_stack_edit/givers': givers })
    const onClick = vi.fn()
    await open({
      actions: () => [
        { key: 'edit', label: 'Edit', needs: stacks.update, onClick },
        { key: 'delete', label: 'Delete', needs: stacks.remove, danger: true, onClick },
      ],
    })
    press('Actions for web')
    await screen.findByText('Grace can grant permissions.')
    const reasons = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(reasons).toEqual([
      'EditYou do not have the permission “Edit stacks”.',
      expect.stringMatching(/^DeleteYou do not have the permission “Delete stacks[^”]*”\.$/),
    ])
    expect(sent.filter(({ path }) => path.endsWith('/givers'))).toHaveLength(1)
  })
})

describe('the empty state', () => {
  const pictures = async (type: 1 | 6 | 'other') => {
    const { container, unmount } = await openPage(() => <EmptyState type={type} />)
    const picture = container.querySelector('svg')?.innerHTML
    unmount()
    return picture
  }

  test('has an illustration by page type: 1, 6, other', async () => {
    const drawn = [await pictures(1), await pictures(6), await pictures('other')]
    expect(new Set(drawn).size).toBe(3)
    expect(drawn).not.toContain(undefined)
  })

  test("says 'no data' by default", async () => {
    await openPage(() => <EmptyState />)
    expect(screen.getByRole('heading').textContent).toBe('No data')
  })

  test("disables its button without the permission and says 'no permission to create'", async () => {
    signedIn()
    permissions.set([])
    const onClick = vi.fn()
    await openPage(() => <EmptyState add={{ label: 'Create', needs: stacks.create, onClick }} />)
    press('Create')
    expect(onClick).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: 'Create' }).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText('You have no permission to create')).toBeTruthy()
  })
})

describe('the state badge', () => {
  test.each([
    ['SUCCESS', 'success'],
    ['Rolling Back', 'rolling back'],
    ['', 'unknown'],
    [null, 'unknown'],
    [undefined, 'unknown'],
  ])('shows %j as %s', (state, expected) => {
    expect(stateName(state)).toBe(expected)
  })

  test('is a shape and a text, even for an unknown state', async () => {
    await openPage(() => <StateBadge state="Hibernating" />)
    const badge = screen.getByText('hibernating')
    expect(badge.querySelector('svg path')).not.toBeNull()
  })
})
