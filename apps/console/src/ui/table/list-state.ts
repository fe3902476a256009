import { useEffect, useMemo, useState } from 'react'
import { keepPageSize, keepParameters, local } from '../../api/storage.ts'
import { saysAny, useUrlState, valuesIn, type UrlValues } from './url-state.ts'

export const pageSizes = [5, 10, 20, 30, 50, 100] as const
/** Page numbers in a pager. */
export const pagerCount = 7

export interface ListState {
  /** The name under which the browser stores its parameters. */
  name: string
  page: number
  pageSize: number
  keyword: string
  /** `name` or `-name`, or empty. */
  sort: string
  /** The list's own filters. */
  filters: Record<string, string>
  /** The request: page, size, keyword, sort and the non-empty filters. */
  query: { requestPage: number; pageSize: number } & Record<string, string | number>
  /** Whether any filter is set. */
  narrowed: boolean
  setPage: (page: number) => void
  setPageSize: (size: number) => void
  setSort: (sort: string) => void
  setKeyword: (keyword: string) => void
  setFilter: (name: string, value: string) => void
  clear: () => void
}

export interface ListOptions {
  /** Filters and their initial values; `all` and the empty text filter nothing. */
  filters?: Record<string, string>
  sort?: string
  pageSize?: number
}

const narrows = (value: string): boolean => value !== '' && value !== 'all'
const sizeOf = (text: string, fallback: number): number => {
  const size = Number(text)
  return pageSizes.some((known) => known === size) ? size : fallback
}

const defaultsOf = ({ filters, sort = '', pageSize = 10 }: ListOptions): UrlValues => ({
  page: '1',
  pageSize: String(sizeOf(String(local.get('pageSize')), pageSize)),
  keyword: '',
  sort,
  ...filters,
})

const keptOf = (name: string) => local.get<UrlValues>(`params-${name}`)

/** Stored parameters apply only to an address without any: `state=all` in the address means all. */
const opened = (values: UrlValues, said: boolean, kept: UrlValues | undefined): UrlValues =>
  kept && !said ? { ...values, ...kept } : values

function queryOf(values: UrlValues, defaults: UrlValues): ListState['query'] {
  const { page, pageSize, ...said } = values
  return {
    ...Object.fromEntries(Object.entries(said).filter(([key, value]) => key in defaults && narrows(value))),
    requestPage: Math.max(1, Math.trunc(Number(page)) || 1),
    pageSize: sizeOf(pageSize ?? '', Number(defaults['pageSize'])),
  }
}

/** The first query of `useListState` for a screen that is opened with this query in its address. */
export function listQueryAt(name: string, options: ListOptions, search: object): ListState['query'] {
  const defaults = defaultsOf(options)
  return queryOf(opened(valuesIn(search, defaults), saysAny(search, defaults), keptOf(name)), defaults)
}

/**
 * A list's page, order and filters, in the address. Filters are stored for 30 days under the list's name, the page size
 * for 7 days for all lists; the address takes precedence over both.
 */
export function useListState(name: string, options: ListOptions = {}): ListState {
  const own = options.filters ?? {}
  const defaults = defaultsOf(options)
  const [values, change, said] = useUrlState(defaults)

  const [kept] = useState(() => keptOf(name))
  const [opening, setOpening] = useState(true)
  const now = opening ? opened(values, said, kept) : values
  const filled = now !== values
  // Once the address has them, or needs none, only the address counts.
  if (opening && !filled) setOpening(false)
  useEffect(() => {
    if (filled && kept) change(kept, { replace: true })
  }, [filled, kept, change])

  const narrow = (patch: UrlValues): void => {
    const next = { ...now, ...patch }
    const keep: UrlValues = {}
    for (const key of ['keyword', 'sort', ...Object.keys(own)]) {
      if (next[key] !== undefined && next[key] !== defaults[key]) keep[key] = next[key]
    }
    if (Object.keys(keep).length === 0) local.remove(`params-${name}`)
    else local.set(`params-${name}`, keep, keepParameters)
    change({ ...patch, page: '1' })
  }

  const filters: Record<string, string> = {}
  for (const key of Object.keys(own)) filters[key] = now[key] ?? ''
  const { keyword = '', sort = '' } = now
  const serialized = JSON.stringify(queryOf(now, defaults))
  const query = useMemo(() => JSON.parse(serialized) as ListState['query'], [serialized])

  return {
    name,
    page: query.requestPage,
    pageSize: query.pageSize,
    keyword,
    sort,
    filters,
    query,
    narrowed: narrows(keyword) || Object.values(filters).some(narrows),
    setPage: (next) => change({ page: String(next) }),
    setPageSize: (size) => {
      local.set('pageSize', size, keepPageSize)
      change({ pageSize: String(size), page: '1' })
    },
    setSort: (next) => narrow({ sort: next }),
    setKeyword: (next) => narrow({ keyword: next }),
    setFilter: (filter, value) => narrow({ [filter]: value }),
    clear: () => narrow({ keyword: '', ...own }),
  }
}

/** The page numbers of a pager: the first, the last, and those around the open one; 0 is a gap. */
export function pagerNumbers(page: number, pages: number): number[] {
  if (pages <= pagerCount) return Array.from({ length: pages }, (_, at) => at + 1)
  const inner = pagerCount - 2
  const from = Math.min(Math.max(2, page - Math.floor(inner / 2)), pages - inner)
  const middle = Array.from({ length: inner }, (_, at) => from + at)
  if (from > 2) middle[0] = 0
  if (from + inner - 1 < pages - 1) middle[inner - 1] = 0
  return [1, ...middle, pages]
}
