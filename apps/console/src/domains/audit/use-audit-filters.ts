import { useMemo } from 'react'
import { useListState, type ListState } from '../../ui/table/list-state.ts'

const hour = 3_600_000

/** Relative ranges by their name in the address. */
export const ranges = { hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour } as const
export type RangeName = keyof typeof ranges

const isRange = (name: string | undefined): name is RangeName => name !== undefined && Object.hasOwn(ranges, name)

/** Milliseconds of the field's local time; 0: no limit. */
const momentOf = (text: string | undefined): number => {
  const at = text ? Date.parse(text) : Number.NaN
  return Number.isFinite(at) && at > 0 ? at : 0
}

const ownFilters = {
  range: 'all',
  from: '',
  until: '',
  apiValue: '',
  result: 'all',
  teamName: '',
  userId: '',
  msg: '',
  url: '',
  routine: '',
}

type Query = Record<string, string | number>

/** The start of the range in milliseconds; 0: no start. */
const startOf = (range: string, from: string): number =>
  isRange(range) ? Date.now() - ranges[range] : range === 'custom' ? momentOf(from) : 0

/** The list's state, and the search request; a relative range counts from the time of its selection. */
export function useAuditFilters(): { list: ListState; query: Query; filters: Query } {
  const list = useListState('audit-logs', { filters: ownFilters })
  const query = useMemo(() => {
    const { range, from, until, routine, ...rest } = list.query as Query
    const name = String(range ?? '')
    const startTime = startOf(name, String(from ?? ''))
    const endTime = name === 'custom' ? momentOf(String(until ?? '')) : 0
    // Routine actions are hidden unless the address requests them, or filters by one action.
    const hidden = routine !== 'show' && rest['apiValue'] === undefined
    return {
      ...rest,
      ...(hidden ? { routine: 'hide' } : {}),
      ...(startTime > 0 ? { startTime } : {}),
      ...(endTime > 0 ? { endTime } : {}),
    }
  }, [list.query])
  const { requestPage: _page, pageSize: _size, sort: _sort, ...filters } = query as Query
  return { list, query, filters }
}

/** Whether a text is so short that the server searches only the newest rows. */
export const isShort = ({ keyword, filters: { msg = '', url = '' } }: ListState): boolean =>
  [keyword, msg, url].some((text) => text !== '' && [...text].length < 3)
