import { z } from 'zod'

/** The most items that one answer carries: what pageSize -1 and 9999 mean. */
export const pageCap = 1000

const page = z.coerce.number().int().min(1, 'page-invalid').max(1_000_000, 'page-invalid')
const isPageSize = (n: number): boolean => n === -1 || (n >= 1 && n <= 9999)
const pageSize = z.coerce.number().int().refine(isPageSize, 'page-size-invalid')

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

const environmentLimit = 50

/**
 * How much of an environment's list is asked for: 50 where it is not a number, as the specification says. What numbers it may be
 * is said behind it.
 */
export const givenLimit = z
  .union([z.string(), z.number()])
  .default(environmentLimit)
  .transform((given) => (Number.isNaN(Number(given)) ? environmentLimit : Number(given)))

/** The query of environments, and of what lies in them. */
export const environmentListQuery = () =>
  listQuery().extend({ pageSize: givenLimit.pipe(z.number().int().refine(isPageSize, 'page-size-invalid')) })

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
