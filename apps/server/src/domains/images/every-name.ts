import type { Page, PageOptions } from '../../adapters/registry/registry.ts'
import { compareNames } from '../../kernel/in-order.ts'
import { countCap } from '../../kernel/paging.ts'

export interface Names {
  names: string[]
  /** There are more than are counted. */
  more: boolean
}

/** All names, page after page, until there are this many. */
export async function everyName(read: (page: PageOptions) => Promise<Page>, most = countCap): Promise<Names> {
  const names: string[] = []
  let after: string | null = null
  do {
    const page: Page = await read({ limit: 1000, ...(after === null ? {} : { after }) })
    // A registry that answers the same page again would be read for ever.
    const isNew = page.names.length > 0 && page.names.at(-1) !== names.at(-1)
    names.push(...page.names)
    after = isNew ? page.next : null
  } while (after !== null && names.length < most)
  return { names: [...new Set(names)].sort(compareNames), more: after !== null }
}
