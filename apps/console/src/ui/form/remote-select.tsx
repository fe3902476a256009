import { Select } from 'antd'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type UIEvent } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '@gantry/contract/endpoint'
import type { List } from '@gantry/contract/paging'
import { call, callingTeam, type CallInput } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { clearButton } from './clear-button.tsx'

/** The next page is requested after a pause of this length in scrolling near the end. */
export const scrollDebounceMs = 300
/** The delay of a request after typing or opening. */
export const fetchDelayMs = 100

type ListEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<List<unknown>>>
type ItemOf<E extends ListEndpoint> = z.output<E['data']>['items'][number]
type Value = string | number

/**
 * The pages of a list endpoint, one after the other; a page shorter than requested is the last. During a search the
 * items of the previous one stay (`isPlaceholderData`), so that no focused option disappears.
 */
export function useMore<E extends ListEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  keyword: string,
  pageSize: number,
  enabled = true,
) {
  const query = useInfiniteQuery({
    meta: { topics: endpoint.topics },
    queryKey: [endpoint.method, endpoint.path, input, { keyword, pageSize, more: true }, callingTeam()],
    enabled,
    initialPageParam: 1,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }): Promise<List<ItemOf<E>>> => {
      const paged = { ...(input.query as object | undefined), keyword, requestPage: pageParam, pageSize }
      return call<ListEndpoint>(endpoint, { ...input, query: paged }, signal)
    },
    getNextPageParam: (last, pages) => (last.items.length < pageSize ? undefined : pages.length + 1),
  })
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) ?? [] }
}

const nearEnd = (box: HTMLElement): boolean => box.scrollTop + box.clientHeight >= box.scrollHeight - 48

/** A scroll handler that requests more near the end, once scrolling pauses. */
export function useScrollMore(more: () => void): (event: UIEvent<HTMLElement>) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (event) => {
    const box = event.currentTarget
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (nearEnd(box)) more()
    }, scrollDebounceMs)
  }
}

/** Follows a text after a pause. */
export function useDelayed(text: string, ms: number): string {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return delayed
}

export interface RemoteSelectProps<E extends ListEndpoint, V extends Value> {
  endpoint: E
  input?: CallInput<E>
  /** 10 for groups, 20 for users, 50 for teams. */
  pageSize: 10 | 20 | 50
  option: (item: ItemOf<E>) => { value: V; label: ReactNode; disabled?: boolean }
  value?: V
  onChange?: (value: V | undefined, item: ItemOf<E> | undefined) => void
  /** The label of a value that is not on a loaded page. */
  valueLabel?: ReactNode
  placeholder?: string
  /** Shown before the value, if no form field provides a label. */
  label?: string
  clearable?: boolean
  disabled?: boolean
  id?: string
}

/** Selects an item of the server, searched there, page by page, more on scrolling. Works as a field of a Form. */
export function RemoteSelect<E extends ListEndpoint, V extends Value>(p: RemoteSelectProps<E, V>) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const keyword = useDelayed(typed, fetchDelayMs)
  const list = useMore(p.endpoint, p.input ?? {}, keyword, p.pageSize, open)
  const onScroll = useScrollMore(() => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  })
  // the options still belong to another text: Enter would select an unintended one
  const searched = typed === keyword && !list.isPlaceholderData
  const options = (searched ? list.items : []).map((item) => ({ ...p.option(item), item }))
  return (
    <Select
      {...(p.id === undefined ? {} : { id: p.id })}
      {...(p.value === undefined ? {} : { value: p.value })}
      {...(p.label === undefined ? {} : { 'aria-label': p.label, prefix: <span className="g-faint">{p.label}</span> })}
      placeholder={p.placeholder ?? t('ui-choose-one')}
      defaultActiveFirstOption={searched}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      allowClear={p.clearable === true && clearButton()}
      disabled={p.disabled ?? false}
      loading={list.isFetching}
      open={open}
      onOpenChange={setOpen}
      onPopupScroll={onScroll}
      options={options}
      // not as an additional option, which would be first, and Enter would select it whatever was searched
      labelRender={({ label, value }) => label ?? p.valueLabel ?? String(value)}
      className="g-select"
      notFoundContent={
        list.error ? (
          <span className="g-bad">{wordsOf(list.error)}</span>
        ) : (
          t(searched && !list.isFetching ? 'no-data' : 'ui-loading')
        )
      }
      onChange={(value: V | undefined) => p.onChange?.(value, options.find((option) => option.value === value)?.item)}
    />
  )
}
