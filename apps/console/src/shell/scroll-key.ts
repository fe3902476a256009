import type { ParsedLocation } from '@tanstack/react-router'

type Place = Pick<ParsedLocation, 'pathname'> & { state: { __TSR_key?: string } }

/**
 * Under which key the place of scrolling is kept: one for each visit of a screen. A tab, a filter or a linked line only
 * changes the address, not where one is; another screen begins at its top, and back returns to where one was.
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
