import {
  type Document,
  isMap,
  isNode,
  isScalar,
  type LineCounter,
  parseAllDocuments,
  parseDocument,
  visit,
  YAMLParseError,
} from 'yaml'
import type { z } from 'zod'
import { t } from '../../api/language.ts'

/** Without the library's check for duplicate keys, which is quadratic: 20,000 keys took six seconds. */
const options = (lineCounter?: LineCounter) => ({
  uniqueKeys: false,
  prettyErrors: false,
  ...(lineCounter && { lineCounter }),
})

/** Adds an error for each duplicate key of a map. */
function tellTwice<D extends Document.Parsed>(document: D): D {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value) && key.range) {
          const words = t('ui-yaml-twice', { key: String(key.value) })
          document.errors.push(new YAMLParseError([key.range[0], key.range[1]], 'DUPLICATE_KEY', words))
        }
        seen.add(key.value)
      }
    },
  })
  return document
}

/** Parses a text with one document; errors are in the result. */
export const readDocument = (text: string, lines?: LineCounter): Document.Parsed =>
  tellTwice(parseDocument(text, options(lines)))

/** Parses a text with any number of documents; errors are in the result. */
export const readDocuments = (text: string, lines?: LineCounter): Document.Parsed[] =>
  [...parseAllDocuments(text, options(lines))].map(tellTwice)

/**
 * The offset of a schema's issue in a text: at the unknown key, the wrong value, or the nearest parent of a missing
 * one.
 */
export function offsetOf(document: Document, issue: z.core.$ZodIssue): number {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    const map = path.length === 0 ? document.contents : document.getIn(path, true)
    const pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === issue.keys[0]) : undefined
    if (isScalar(pair?.key) && pair.key.range) return pair.key.range[0]
  }
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
