import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '@gantry/contract/endpoint'
import { listOf, listQuery } from '@gantry/contract/paging'
import { openPage, sent, server, useConsole, type Sent } from '../../../test/app.tsx'
import { fetchDelayMs, RemoteSelect, scrollDebounceMs, useMore, useScrollMore } from './remote-select.tsx'

useConsole()

const groups = endpoint({
  method: 'GET',
  path: '/api/groups',
  access: 'user',
  summary: 'Groups',
  query: listQuery(),
  data: listOf(z.object({ id: z.number(), name: z.string() })),
})
/** 25 groups: two full pages of ten, and one of five. */
const answer = ({ query }: Sent) => {
  const page = Number(query.get('requestPage'))
  const size = Number(query.get('pageSize'))
  const ids = Array.from({ length: 25 }, (_, at) => at + 1).slice((page - 1) * size, page * size)
  return { items: ids.map((id) => ({ id, name: `group ${id}` })), requestPage: page, pageSize: size, totalSize: 25 }
}
const requests = () => sent.filter((one) => one.path === '/api/groups').map((one) => Object.fromEntries(one.query))

describe('a remote select', () => {
  test('waits 300 ms for scrolling to pause and 100 ms before it fetches', () => {
    expect([scrollDebounceMs, fetchDelayMs]).toEqual([300, 100])
  })

  test.each([10, 20, 50] as const)('requests %i per page, when it is opened', async (pageSize) => {
    server({ 'GET /api/groups': answer })
    await openPage(() => (
      <RemoteSelect
        endpoint={groups}
        pageSize={pageSize}
        label="Group"
        option={(item) => ({ value: item.id, label: item.name })}
      />
    ))
    expect(requests()).toEqual([])
    fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Group' }))
    await waitFor(() => expect(requests()).toEqual([{ requestPage: '1', pageSize: String(pageSize) }]))
  })

  test('shows its label before its value, as every filter does', async () => {
    const all = 'All groups'
    server({ 'GET /api/groups': answer })
    await openPage(() => (
      <RemoteSelect
        endpoint={groups}
        pageSize={10}
        label="Group"
        placeholder={all}
        option={(item) => ({ value: item.id, label: item.name })}
      />
    ))
    screen.getByText('Group')
    screen.getByText(all)
  })

  test('requests the typed text, 100 ms after the last key', async () => {
    server({ 'GET /api/groups': answer })
    await openPage(() => (
      <RemoteSelect
        endpoint={groups}
        pageSize={10}
        label="Group"
        option={(item) => ({ value: item.id, label: item.name })}
      />
    ))
    const box = screen.getByRole('combobox', { name: 'Group' })
    fireEvent.mouseDown(box)
    await waitFor(() => expect(requests()).toHaveLength(1))
    for (const text of ['g', 'gr', 'gro']) fireEvent.change(box, { target: { value: text } })
    await waitFor(() => expect(requests()).toHaveLength(2))
    expect(requests()[1]).toEqual({ keyword: 'gro', requestPage: '1', pageSize: '10' })
  })

  test('shows a value of another page by its given label, and Enter chooses the found option instead', async () => {
    server({
      'GET /api/groups': ({ query }: Sent) => ({ items: [{ id: 24, name: `found by ${query.get('keyword')}` }] }),
    })
    const chosen = vi.fn()
    await openPage(() => (
      <RemoteSelect
        endpoint={groups}
        pageSize={10}
        label="Group"
        value={25}
        valueLabel="the last group"
        option={(item) => ({ value: item.id, label: item.name })}
        onChange={(value) => chosen(value)}
      />
    ))
    expect(screen.getByText('the last group')).toBeTruthy()
    const box = screen.getByRole('combobox', { name: 'Group' })
    fireEvent.mouseDown(box)
    fireEvent.change(box, { target: { value: '24' } })
    await screen.findAllByText('found by 24')
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
    expect(chosen).toHaveBeenCalledWith(24)
  })

  test('reads page by page until a shorter one', async () => {
    server({ 'GET /api/groups': answer })
    let more: ReturnType<typeof useMore<typeof groups>> | undefined
    function Probe() {
      more = useMore(groups, {}, '', 10)
      return null
    }
    await openPage(() => <Probe />)
    await waitFor(() => expect(more?.items).toHaveLength(10))
    await act(async () => void (await more?.fetchNextPage()))
    await waitFor(() => expect(more?.items).toHaveLength(20))
    await act(async () => void (await more?.fetchNextPage()))
    await waitFor(() => expect(more?.items).toHaveLength(25))
    expect(more?.hasNextPage).toBe(false)
  })

  test('keeps its options, and the focus on one, until the answer to another keyword', async () => {
    let respond = (): void => undefined
    const answered = new Promise<void>((resolve) => (respond = resolve))
    server({
      'GET /api/groups': async (request: Sent) => {
        if (request.query.get('keyword') === 'group 2') await answered
        return answer(request)
      },
    })
    function Probe() {
      const [keyword, setKeyword] = useState('')
      const list = useMore(groups, {}, keyword, 10)
      return (
        <>
          <button onClick={() => setKeyword('group 2')}>search</button>
          {list.items.map(({ id, name }) => (
            <button key={id}>{name}</button>
          ))}
        </>
      )
    }
    await openPage(() => <Probe />)
    const second = await screen.findByRole('button', { name: 'group 2' })
    second.focus()
    fireEvent.click(screen.getByRole('button', { name: 'search' }))
    await waitFor(() => expect(requests()).toHaveLength(2))
    expect(document.activeElement).toBe(second)
    respond()
    await act(async () => answered)
    expect(document.activeElement).toBe(second)
  })

  test('requests more near the end, once scrolling pauses', async () => {
    const more = vi.fn()
    function Probe() {
      return <div data-testid="box" onScroll={useScrollMore(more)} />
    }
    await openPage(() => <Probe />)
    const box = screen.getByTestId('box')
    const place = { scrollHeight: 1000, clientHeight: 200, scrollTop: 400 }
    for (const key of Object.keys(place) as (keyof typeof place)[]) {
      Object.defineProperty(box, key, { get: () => place[key] })
    }
    vi.useFakeTimers()
    fireEvent.scroll(box)
    vi.advanceTimersByTime(scrollDebounceMs)
    expect(more).not.toHaveBeenCalled()
    place.scrollTop = 790
    fireEvent.scroll(box)
    vi.advanceTimersByTime(scrollDebounceMs - 1)
    fireEvent.scroll(box)
    vi.advanceTimersByTime(scrollDebounceMs - 1)
    expect(more).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(more).toHaveBeenCalledOnce()
  })
})
