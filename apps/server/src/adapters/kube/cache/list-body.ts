import { KubeError } from '../errors.ts'

const [quote, backslash, braceOpen, braceClose, bracketOpen, bracketClose] = [34, 92, 123, 125, 91, 93]

/**
 * The answer to a list, read object by object while it comes: a page of 500 pods is some megabytes, and as one piece of JSON it would
 * hold up everybody else for as long as its parsing takes. Throws `too-large` beyond `limit` bytes and `protocol` where it is no JSON.
 */
export async function readList<T>(body: AsyncIterable<Buffer>, limit: number, server: string): Promise<T> {
  const items: unknown[] = []
  /** All but the objects of the list, and the object that is being read. */
  const around: Buffer[] = []
  let object: Buffer[] = []
  let size = 0
  let depth = 0
  let inString = false
  let escaped = false
  /** Within the array that holds the objects: between them there is nothing to keep. */
  let inItems = false

  const parse = (parts: Buffer[]): unknown => {
    try {
      return JSON.parse((parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)).toString('utf8'))
    } catch {
      throw new KubeError('protocol', server, 'the answer is no JSON')
    }
  }

  /** Walks once over the bytes; `from` is where what is to be kept begins, -1 between objects. */
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
  // Go writes null for a list without objects.
  if (typeof whole !== 'object' || whole === null || !(Array.isArray(none) || none === null))
    throw new KubeError('protocol', server, 'the answer is no list')
  // The one place where a list gets its type: by the descriptor that was asked for.
  return { ...whole, items } as T
}
