import type { ParsedLocation } from '@tanstack/react-router'

type Place = Pick<ParsedLocation, 'pathname'> & { state: { __TSR_key?: string } }

/**
 * The key under which the scroll position is stored: one per visit of a screen. A tab, a filter or a linked line only
 * changes the address; another screen starts at its top, and going back restores the position.
 */
export function scrollKeys(): (location: Place) => string {
  const visits = new Map<string, string>()
  let last = { pathname: '', visit: '' }
  return ({ pathname, state: { __TSR_key: entry = pathname } }) => {
    const visit = visits.get(entry) ?? (pathname === last.pathname ? last.visit : entry)
    visits.set(entry, visit)
    last = { pathname, visit }
    return visit
  }
}
