import { z } from 'zod'

/** The most items that one answer carries: what pageSize -1 and 9999 mean. */
export const pageCap = 1000

const page = z.coerce.number().int().min(1, 'page-invalid').max(1_000_000, 'page-invalid')
const pageSize = z.coerce
  .number()
  .int()
  .refine((n) => n === -1 || (n >= 1 && n <= 9999), 'page-size-invalid')

/**
 * The query of a list. Pages count from 1. The specification spells the page number three ways; all are accepted, and
 * `paging()` in the server reads the first that is there.
 */
export const listQuery = (defaults: { pageSize?: number } = {}) =>
  z.strictObject({
    requestPage: page.optional(),
    currentPage: page.optional(),
    page: page.optional(),
    pageSize: pageSize.default(defaults.pageSize ?? 10),
    keyword: z.string().max(200).optional(),
    /** `name` or `-name`; which names a list sorts by is the endpoint's to say. */
    sort: z.string().max(60).optional(),
  })

/** A page of a list. `truncated` says that more than the server's cap, or more than 10,000, matched. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    requestPage: z.number().int(),
    pageSize: z.number().int(),
    totalSize: z.number().int(),
    truncated: z.boolean().optional(),
  })

export interface List<T> {
  items: T[]
  requestPage: number
  pageSize: number
  totalSize: number
  truncated?: boolean | undefined
}
