import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { keepPageSize, keepParameters, local } from '../../api/storage.ts'
import { openPage, useConsole } from '../../../test/app.tsx'
import { listQueryAt, pagerCount, pagerNumbers, pageSizes, useListState } from './list-state.ts'
import { Pager } from './pager.tsx'
import { SearchBox } from './search-box.tsx'
import { searchAfter } from './url-state.ts'

useConsole()

const options = { filters: { state: 'all' } }
function List() {
  const list = useListState('pipelines', options)
  return (
    <>
      <output>{JSON.stringify(list.query)}</output>
      <SearchBox label="Find" value={list.keyword} onSearch={list.setKeyword} />
      <button type="button" onClick={() => list.setFilter('state', 'failed')}>
        failed
      </button>
      <button type="button" onClick={list.clear}>
        clear
      </button>
      <button type="button" onClick={() => list.setPageSize(50)}>
        fifty
      </button>
      <Pager list={list} total={1000} />
    </>
  )
}
const query = (): unknown => JSON.parse(screen.getByRole('status').textContent ?? '')
/** Opens the list; its first request equals the one that would be read ahead. */
async function open(search = '') {
  const ahead = listQueryAt('pipelines', options, Object.fromEntries(new URLSearchParams(search)))
  const page = await openPage(() => <List />, `/login-free${search}`)
  expect(query()).toEqual(ahead)
  return page
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))

describe('a list', () => {
  test('the next button at the last page keeps the focus, and does nothing more', async () => {
    await open('?page=19&pageSize=50')
    const next = screen.getByRole('button', { name: 'Next page' })
    next.focus()
    fireEvent.click(next)
    await waitFor(() => expect(query()).toMatchObject({ requestPage: 20 }))
    expect([document.activeElement, next.getAttribute('aria-disabled')]).toEqual([next, 'true'])
    fireEvent.click(next)
    expect(query()).toMatchObject({ requestPage: 20 })
  })

  test('page sizes are 5, 10, 20, 30, 50, 100, and the pager shows 7 numbers', () => {
    expect(pageSizes).toEqual([5, 10, 20, 30, 50, 100])
    expect(pagerCount).toBe(7)
  })

  test.each([
    [1, 1, [1]],
    [3, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 20, [1, 2, 3, 4, 5, 0, 20]],
    [10, 20, [1, 0, 9, 10, 11, 0, 20]],
    [20, 20, [1, 0, 16, 17, 18, 19, 20]],
  ])('page %i of %i shows %j', (page, pages, expected) => {
    expect(pagerNumbers(page, pages)).toEqual(expected)
  })

  test('page, size, order and filters are read from the address', async () => {
    await open('?page=3&pageSize=20&keyword=web&sort=-name&state=failed')
    expect(query()).toEqual({ requestPage: 3, pageSize: 20, keyword: 'web', sort: '-name', state: 'failed' })
  })

  test.each(['?page=0&pageSize=7', '?page=x&pageSize=-1', '?page=-3&pageSize=1e9'])(
    'ignores invalid values in the address: %s',
    async (search) => {
      await open(search)
      expect(query()).toEqual({ requestPage: 1, pageSize: 10 })
    },
  )

  test("'all' and the empty text are no filters", async () => {
    await open('?state=all&keyword=')
    expect(query()).toEqual({ requestPage: 1, pageSize: 10 })
  })

  test('a filter goes to the first page, is in the address, and keeps other keys of the address', async () => {
    const { at } = await open('?page=4&tab=builds')
    click('failed')
    await waitFor(() => expect(at()).toBe('/login-free?tab=builds&state=failed'))
  })

  test('request parameters are kept 30 days and restored to an address without any', async () => {
    const set = vi.spyOn(local, 'set')
    const first = await open()
    click('failed')
    await waitFor(() => expect(first.at()).toContain('state=failed'))
    expect(set).toHaveBeenCalledWith('params-pipelines', { state: 'failed' }, keepParameters)
    first.unmount()
    const { at } = await open()
    await waitFor(() => expect(at()).toBe('/login-free?state=failed'))
    expect(query()).toMatchObject({ state: 'failed' })
  })

  test('the address takes precedence over stored parameters', async () => {
    local.set('params-pipelines', { state: 'failed', keyword: 'old' }, keepParameters)
    const { at } = await open('?keyword=new')
    expect(query()).toEqual({ requestPage: 1, pageSize: 10, keyword: 'new' })
    expect(at()).toBe('/login-free?keyword=new')
  })

  test('cleared filters are forgotten', async () => {
    local.set('params-pipelines', { state: 'failed' }, keepParameters)
    const { at } = await open()
    await waitFor(() => expect(at()).toContain('failed'))
    click('clear')
    await waitFor(() => expect(at()).toBe('/login-free'))
    expect(local.get('params-pipelines')).toBeUndefined()
  })

  test('the page size is kept 7 days, for every list', async () => {
    const set = vi.spyOn(local, 'set')
    const first = await open()
    click('fifty')
    await waitFor(() => expect(first.at()).toContain('pageSize=50'))
    expect(set).toHaveBeenCalledWith('pageSize', 50, keepPageSize)
    first.unmount()
    await open()
    expect(query()).toMatchObject({ pageSize: 50 })
  })

  test('going back restores the previous values', async () => {
    const { history, at } = await open()
    click('Page 2')
    await waitFor(() => expect(at()).toBe('/login-free?page=2'))
    act(() => history.back())
    await waitFor(() => expect(query()).toMatchObject({ requestPage: 1 }))
  })

  test('a search waits 300 ms for typing to pause, and runs at once on Enter', async () => {
    const { at } = await open()
    const box = screen.getByRole('searchbox')
    vi.useFakeTimers()
    fireEvent.change(box, { target: { value: 'we' } })
    act(() => vi.advanceTimersByTime(299))
    fireEvent.change(box, { target: { value: 'web' } })
    act(() => vi.advanceTimersByTime(299))
    expect(at()).toBe('/login-free')
    act(() => vi.advanceTimersByTime(1))
    expect(at()).toBe('/login-free?keyword=web')
    fireEvent.change(box, { target: { value: 'ledger' } })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(at()).toBe('/login-free?keyword=ledger')
  })

  test('values that equal their default are removed from the address', () => {
    expect(searchAfter('?page=2&tab=log', { page: '1' }, { page: '1' })).toBe('?tab=log')
  })
})
