import type { Page, PageOptions } from '../../adapters/registry/registry.ts'
import { compareNames } from '../../kernel/in-order.ts'
import { countCap } from '../../kernel/paging.ts'

export interface Names {
  names: string[]
  /** There are more than are counted. */
  more: boolean
}

/**
 * All names, page after page, until there are this many. A page without a new name ends it: a registry that answers the
 * same pages again would be read for ever, and what it holds besides is not known.
 */
export async function everyName(read: (page: PageOptions) => Promise<Page>, most = countCap): Promise<Names> {
  const names = new Set<string>()
  let after: string | null = null
  let isNew: boolean
  do {
    const page: Page = await read({ limit: 1000, ...(after === null ? {} : { after }) })
    const known = names.size
    for (const name of page.names) names.add(name)
    isNew = names.size > known
    after = page.next
  } while (after !== null && isNew && names.size < most)
  return { names: [...names].sort(compareNames), more: after !== null }
}
