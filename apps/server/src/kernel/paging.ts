import { type List, pageCap } from '@gantry/contract/paging'
import { compareNames } from './in-order.ts'

/** Counting further is not worth its cost: the answer then says that there are more. */
export const countCap = 10_000

export interface Page {
  limit: number
  offset: number
  requestPage: number
  pageSize: number
  /** The caller asked for all, or for more than the server's cap. */
  all: boolean
}

interface ListQuery {
  requestPage?: number | undefined
  currentPage?: number | undefined
  page?: number | undefined
  pageSize: number
}

/** Parses the page of a list's query; -1 and everything above the server's cap mean the cap. */
export function page(query: ListQuery): Page {
  const requestPage = query.requestPage ?? query.currentPage ?? query.page ?? 1
  const all = query.pageSize === -1 || query.pageSize > pageCap
  const pageSize = all ? pageCap : query.pageSize
  return { limit: pageSize, offset: (requestPage - 1) * pageSize, requestPage, pageSize, all }
}

/** The answer of a list. `total` may be counted up to countCap + 1; a total above the cap is reported as the cap. */
export function toList<T>(items: T[], total: number, { requestPage, pageSize, offset, all }: Page): List<T> {
  const truncated = total > countCap || (all && total > offset + items.length)
  return { items, requestPage, pageSize, totalSize: Math.min(total, countCap), ...(truncated ? { truncated } : {}) }
}

/** The answer of a list that is in memory. */
export const paged = <T>(rows: T[], at: Page): List<T> =>
  toList(rows.slice(at.offset, at.offset + at.limit), rows.length, at)

/** The rows of a list in memory where one of the texts contains the keyword, ignoring case. */
export function containing<T>(rows: T[], keyword: string | undefined, texts: (row: T) => string[]): T[] {
  const wanted = keyword?.toLowerCase() ?? ''
  return rows.filter((row) => texts(row).some((text) => text.toLowerCase().includes(wanted)))
}

/** A page of names; `next` is the cursor of the next page. */
interface NamePage {
  names: string[]
  next: string | null
}

export interface Names {
  names: string[]
  /** There are more names than were read. */
  more: boolean
}

/**
 * Reads names page by page until there are `most`. A page without a new name ends it, because a registry that repeats
 * its pages would be read for ever; whether it has more names is then unknown.
 */
export async function everyName(
  read: (page: { limit: number; after?: string }) => Promise<NamePage>,
  most = countCap,
): Promise<Names> {
  const names = new Set<string>()
  let after: string | null = null
  let isNew: boolean
  do {
    const some: NamePage = await read({ limit: 1000, ...(after === null ? {} : { after }) })
    const known = names.size
    for (const name of some.names) names.add(name)
    isNew = names.size > known
    after = some.next
  } while (after !== null && isNew && names.size < most)
  return { names: [...names].sort(compareNames), more: after !== null }
}
