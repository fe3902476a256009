import {
  AndFilter,
  ApproximateFilter,
  EqualityFilter,
  ExtensibleFilter,
  type Filter as WireFilter,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  NotFilter,
  OrFilter,
  PresenceFilter,
  type SearchEntry,
  SubstringFilter,
} from 'ldapts'
import type { Filter } from './filter.ts'

/** A filter for ldapts: its values are separate bytes, so no text is parsed. */
export function wireFilter(filter: Filter): WireFilter {
  switch (filter.is) {
    case 'and':
      return new AndFilter({ filters: filter.of.map(wireFilter) })
    case 'or':
      return new OrFilter({ filters: filter.of.map(wireFilter) })
    case 'not':
      return new NotFilter({ filter: wireFilter(filter.of) })
    case 'equal':
      return new EqualityFilter(filter)
    case 'atLeast':
      return new GreaterThanEqualsFilter(filter)
    case 'atMost':
      return new LessThanEqualsFilter(filter)
    case 'like':
      return new ApproximateFilter(filter)
    case 'present':
      return new PresenceFilter(filter)
    case 'part':
      return new SubstringFilter(filter)
    case 'rule':
      return new ExtensibleFilter({
        matchType: filter.attribute,
        rule: filter.rule,
        dnAttributes: filter.dn,
        value: filter.value,
      })
  }
}

/** An entry, for services. */
export interface FoundEntry {
  dn: string
  /** Values by attribute name in lower case, including options (`;range=0-1499`). */
  attributes: ReadonlyMap<string, Buffer[]>
}

export function foundEntry(entry: SearchEntry): FoundEntry {
  const attributes = new Map<string, Buffer[]>()
  for (const { type, parsedBuffers } of entry.attributes) {
    const name = type.toLowerCase()
    attributes.set(name, [...(attributes.get(name) ?? []), ...parsedBuffers])
  }
  return { dn: entry.name, attributes }
}
