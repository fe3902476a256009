import { KubeError } from '../errors.ts'

const [quote, backslash, braceOpen, braceClose, bracketOpen, bracketClose] = [34, 92, 123, 125, 91, 93]

/**
 * Reads a list object by object while it arrives: a page of 500 pods is several megabytes, and parsing it as one piece
 * of JSON would block all other calls. Throws `too-large` beyond `limit` bytes and `protocol` if it is not JSON.
 */
export async function readList<T>(body: AsyncIterable<Buffer>, limit: number, server: string): Promise<T> {
  const items: unknown[] = []
  /** Everything outside the list's objects, plus the object that is being read. */
  const around: Buffer[] = []
  let object: Buffer[] = []
  let size = 0
  let depth = 0
  let inString = false
  let escaped = false
  /** True within the array of objects; nothing between them is kept. */
  let inItems = false

  const parse = (parts: Buffer[]): unknown => {
    try {
      return JSON.parse((parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)).toString('utf8'))
    } catch {
      throw new KubeError('protocol', server, 'the answer is no JSON')
    }
  }

  /** Scans the bytes once; `from` is where the part to keep begins, -1 between objects. */
  function read(chunk: Buffer): void {
    let from = inItems && depth === 2 ? -1 : 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (inString) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
      } else if (byte === quote) inString = true
      else if (byte === braceOpen) {
        if (inItems && depth === 2) from = at
        depth += 1
      } else if (byte === bracketOpen) {
        depth += 1
        if (depth !== 2) continue
        inItems = true
        around.push(chunk.subarray(from, at + 1))
        from = -1
      } else if (byte === braceClose) {
        depth -= 1
        if (!inItems || depth !== 2) continue
        object.push(chunk.subarray(from, at + 1))
        items.push(parse(object))
        object = []
        from = -1
      } else if (byte === bracketClose) {
        depth -= 1
        if (depth !== 1) continue
        inItems = false
        from = at
      }
    }
    if (from >= 0) (inItems ? object : around).push(chunk.subarray(from))
  }

  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new KubeError('too-large', server, `the answer is larger than ${limit} bytes`)
    read(chunk)
  }
  const whole = parse(around)
  const none = typeof whole === 'object' && whole !== null && 'items' in whole ? whole.items : undefined
  // Go writes null for an empty list
  if (typeof whole !== 'object' || whole === null || !(Array.isArray(none) || none === null))
    throw new KubeError('protocol', server, 'the answer is no list')
  // the only place where a list gets its type: that of the requested descriptor
  return { ...whole, items } as T
}
