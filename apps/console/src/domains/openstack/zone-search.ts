import type { Zone } from '@gantry/contract/openstack/zones'
import type { List } from '@gantry/contract/paging'

/** A page of the zones whose name or whose OpenStack's contains the keyword, case-insensitively. */
export function matching(
  all: List<Zone>,
  { keyword, page, pageSize }: { keyword: string; page: number; pageSize: number },
): List<Zone> {
  const text = keyword.trim().toLowerCase()
  const found = all.items.filter(({ name, openStackName }) =>
    [name, openStackName].some((one) => one.toLowerCase().includes(text)),
  )
  return {
    items: found.slice((page - 1) * pageSize, page * pageSize),
    requestPage: page,
    pageSize,
    totalSize: found.length,
    ...(all.totalSize > all.items.length && { truncated: true }),
  }
}
