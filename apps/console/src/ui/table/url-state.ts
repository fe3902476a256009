import { useMatch, useRouter } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** Strings in the address, so that going back, a reload and a shared link show the same. */
export type UrlValues = Record<string, string>

/** The address after a change; values that equal their default are removed, and other keys stay. */
export function searchAfter(search: string, defaults: UrlValues, patch: UrlValues): string {
  const query = new URLSearchParams(search)
  for (const [key, value] of Object.entries(patch)) {
    if (value === (defaults[key] ?? '')) query.delete(key)
    else query.set(key, value)
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** These values in an address's query, or their defaults. */
export function valuesIn<K extends string>(search: object, defaults: Record<K, string>): Record<K, string> {
  const values = { ...defaults }
  const said: Record<string, unknown> = { ...search }
  for (const key of Object.keys(defaults) as K[]) {
    const value = said[key]
    if (typeof value === 'string') values[key] = value
  }
  return values
}

/** Whether an address's query contains any of these, even with their default values. */
export const saysAny = (search: object, defaults: UrlValues): boolean =>
  Object.keys(defaults).some((key) => key in search)

/** Values of the address's query, with defaults, a function to change them, and whether it contains any of them. */
export function useUrlState<K extends string>(
  defaults: Record<K, string>,
): [
  values: Record<K, string>,
  change: (patch: Partial<Record<K, string>>, options?: { replace?: boolean }) => void,
  said: boolean,
] {
  const router = useRouter()
  // The screen's own query, because while the next screen loads, the address is already that one's.
  const search = useMatch({ strict: false, select: (match): object => match.search })
  const names = JSON.stringify(defaults)
  const values = useMemo(() => valuesIn(search, JSON.parse(names) as Record<K, string>), [search, names])
  const change = useCallback(
    (patch: Partial<Record<K, string>>, options: { replace?: boolean } = {}) => {
      const now = router.history.location
      const href = now.pathname + searchAfter(now.search, JSON.parse(names) as UrlValues, patch as UrlValues)
      if (href === now.pathname + now.search) return
      if (options.replace) router.history.replace(href)
      else router.history.push(href)
    },
    [router, names],
  )
  return [values, change, saysAny(search, defaults)]
}
