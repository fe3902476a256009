import { isMap, isNode, isScalar, type Document } from 'yaml'
import type { z } from 'zod'

/**
 * Where in a text a schema's issue stands, as an offset: at the key that is unknown, the value that is wrong, or the nearest
 * thing around what is missing.
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
