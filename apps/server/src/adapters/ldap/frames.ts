/**
 * Splits a stream of bytes into LDAP messages, each a BER sequence. The decoder then gets one whole message at a time,
 * so it neither copies everything at every chunk nor recurses over thousands of small messages.
 */
export class NotLdap extends Error {
  constructor() {
    super('the bytes are no LDAP messages')
    this.name = 'NotLdap'
  }
}

export class TooLarge extends Error {
  constructor() {
    super('the answer is larger than allowed')
    this.name = 'TooLarge'
  }
}

/** Size of header and content of the first message; undefined if there are too few bytes to know it. */
function sizeOf(bytes: Buffer): number | undefined {
  const [tag, length] = bytes
  if (tag === undefined) return undefined
  if (tag !== 0x30) throw new NotLdap()
  if (length === undefined) return undefined
  if (length < 0x80) return 2 + length
  const octets = length & 0x7f
  // 0 is BER's indefinite length, which LDAP forbids
  if (octets === 0 || octets > 4) throw new NotLdap()
  return bytes.length < 2 + octets ? undefined : 2 + octets + bytes.readUIntBE(2, octets)
}

export interface Frames {
  /** The messages that these bytes complete. Throws NotLdap or TooLarge. */
  push: (chunk: Buffer) => Buffer[]
  /** Bytes that wait for the rest of their message. */
  waiting: () => number
}

/** `maxBytes` limits the sum of all pushed bytes, and so each message. */
export function createFrames(maxBytes: number): Frames {
  let chunks: Buffer[] = []
  let buffered = 0
  let total = 0
  let wanted = 0
  return {
    push(chunk) {
      total += chunk.length
      if (total > maxBytes) throw new TooLarge()
      chunks.push(chunk)
      buffered += chunk.length
      if (buffered < wanted) return []
      let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks)
      const whole: Buffer[] = []
      for (;;) {
        const size = sizeOf(bytes)
        if (size !== undefined && size > maxBytes) throw new TooLarge()
        wanted = size ?? 0
        if (size === undefined || bytes.length < size) break
        whole.push(bytes.subarray(0, size))
        bytes = bytes.subarray(size)
      }
      chunks = bytes.length === 0 ? [] : [bytes]
      buffered = bytes.length
      return whole
    },
    waiting: () => buffered,
  }
}
