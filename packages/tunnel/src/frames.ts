/**
 * What runs between the server and the agent in a cluster that dials out to it, over one websocket: streams of bytes, many at
 * once, each of which the agent joins to one connection to the API server of its cluster. A frame is one binary message:
 * stream (u32), kind (u8), payload. Streams are opened by the server alone; stream 0 is about the connection itself.
 */
export const tunnelPath = '/resource-manager/api/agent/tunnel'

/** Goes up when an older agent would misunderstand. */
export const tunnelProtocol = 1

/** So many bytes of one stream may be on their way, or wait for their reader, in each direction. */
export const streamWindow = 256 * 1024
/** The longest payload; what is longer goes in several frames. */
export const longestPayload = 64 * 1024
const headLength = 5
export const longestFrame = headLength + longestPayload
/** Streams at once on one connection. */
export const mostStreams = 300

const kinds = { tell: 0, open: 1, data: 2, end: 3, reset: 4, credit: 5 } as const
export type FrameKind = keyof typeof kinds
const names = Object.keys(kinds) as FrameKind[]

/**
 * tell: JSON about the connection, on stream 0. open: a new stream. data: bytes. end: no more bytes from this side. reset: the
 * stream is broken, the payload says why. credit: so many bytes (u32) were read, as many more may come.
 */
export interface Frame {
  stream: number
  kind: FrameKind
  payload: Uint8Array
}

const nothing = new Uint8Array(0)

export function encodeFrame(stream: number, kind: FrameKind, payload: Uint8Array = nothing): Uint8Array<ArrayBuffer> {
  if (payload.length > longestPayload) throw new RangeError(`a payload of ${payload.length} bytes`)
  const bytes = new Uint8Array(headLength + payload.length)
  new DataView(bytes.buffer).setUint32(0, stream)
  bytes[4] = kinds[kind]
  bytes.set(payload, headLength)
  return bytes
}

/** Undefined for what no end of ours sends. The payload is a view of the bytes. */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < headLength || bytes.length > longestFrame) return undefined
  const kind = names[bytes[4] ?? names.length]
  if (kind === undefined) return undefined
  const stream = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const payload = bytes.subarray(headLength)
  if ((stream === 0) !== (kind === 'tell')) return undefined
  if ((kind === 'open' || kind === 'end') && payload.length > 0) return undefined
  if (kind === 'credit' && payload.length !== 4) return undefined
  return { stream, kind, payload }
}

export function encodeCredit(stream: number, count: number): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(4)
  new DataView(payload.buffer).setUint32(0, count)
  return encodeFrame(stream, 'credit', payload)
}

/** The number in a credit's payload. */
export const creditOf = ({ payload }: Frame): number =>
  new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0)

export const encodeTell = (told: AgentTells | ServerTells): Uint8Array<ArrayBuffer> =>
  encodeFrame(0, 'tell', new TextEncoder().encode(JSON.stringify(told)))

/** What a tell says; undefined where it is no JSON. Whoever reads it checks it. */
export function readTell({ payload }: Frame): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload))
  } catch {
    return undefined
  }
}

/**
 * From the agent, first of all and again whenever it changes: the API server as pods reach it, and what its service account is
 * let in with. TLS and HTTP are the server's own, so it needs both; it keeps them in memory alone.
 */
export interface AgentTells {
  protocol: number
  /** `https://10.96.0.1:443` */
  server: string
  /** PEM of the authority of its certificate. */
  ca: string
  token: string
}

/** From the server, first of all and again whenever it changes: which of its replicas this is, and how many there are. */
export interface ServerTells {
  replica: string
  replicas: number
}
