import { z } from 'zod'

/** Maximum items of an answer: what pageSize -1 and 9999 mean. */
export const pageCap = 1000

const page = z.coerce.number().int().min(1, 'page-invalid').max(1_000_000, 'page-invalid')
const isPageSize = (n: number): boolean => n === -1 || (n >= 1 && n <= 9999)
const pageSize = z.coerce.number().int().refine(isPageSize, 'page-size-invalid')

/**
 * The query of a list. Pages count from 1. The specification has three names for the page number; all are accepted, and
 * `paging()` in the server reads the first one present.
 */
export const listQuery = (defaults: { pageSize?: number } = {}) =>
  z.strictObject({
    requestPage: page.optional(),
    currentPage: page.optional(),
    page: page.optional(),
    pageSize: pageSize.default(defaults.pageSize ?? 10),
    keyword: z.string().max(200).optional(),
    /** `name` or `-name`; each endpoint defines its sort names. */
    sort: z.string().max(60).optional(),
  })

const clusterLimit = 50

/** The page size of an environment's list: 50 if it is not a number, as specified. Its range is added below. */
export const givenLimit = z
  .union([z.string(), z.number()])
  .default(clusterLimit)
  .transform((given) => (Number.isNaN(Number(given)) ? clusterLimit : Number(given)))

/** The query of the list of environments, and of lists within an environment. */
export const clusterListQuery = () =>
  listQuery().extend({ pageSize: givenLimit.pipe(z.number().int().refine(isPageSize, 'page-size-invalid')) })

/** A page of a list. `truncated`: more matched than the server's cap, or than 10,000. */
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
