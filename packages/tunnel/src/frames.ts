/**
 * The protocol between the server and a cluster agent that dials out to it, over one websocket: many concurrent streams
 * of bytes, each of which the agent connects to the API server of its cluster. A frame is one binary message: stream
 * (u32), kind (u8), payload. Only the server opens streams; stream 0 is about the connection itself.
 */
export const tunnelPath = '/resource-manager/api/agent/tunnel'

/** Raised when an older agent would misunderstand the protocol. */
export const tunnelProtocol = 1

/** The most bytes of one stream in transit or unread, in each direction. */
export const streamWindow = 256 * 1024
/** The longest payload; longer data is sent in several frames. */
export const longestPayload = 64 * 1024
const headLength = 5
export const longestFrame = headLength + longestPayload
/** The most concurrent streams of a connection. */
export const maxStreams = 300

const kinds = { tell: 0, open: 1, data: 2, end: 3, reset: 4, credit: 5 } as const
export type FrameKind = keyof typeof kinds
const names = Object.keys(kinds) as FrameKind[]

/**
 * tell: JSON about the connection, on stream 0. open: a new stream. data: bytes. end: no more bytes from this side.
 * reset: the stream is broken; the payload says why. credit: this many bytes (u32) were read, and as many more may
 * come.
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

/** Undefined for bytes that our encoder never produces. The payload is a view of the bytes. */
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

export const encodeTell = (message: AgentTells | ServerTells): Uint8Array<ArrayBuffer> =>
  encodeFrame(0, 'tell', new TextEncoder().encode(JSON.stringify(message)))

/** The content of a tell; undefined if it is not JSON. The caller has to check its shape. */
export function readTell({ payload }: Frame): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload))
  } catch {
    return undefined
  }
}

/**
 * The agent's first message, sent again at each change: the API server's address in the cluster, and the credentials of
 * its service account. The server itself speaks TLS and HTTP, so it needs both; it keeps them in memory only.
 */
export interface AgentTells {
  protocol: number
  /** `https://10.96.0.1:443` */
  server: string
  /** PEM of the authority that signed its certificate. */
  ca: string
  token: string
}

/** The server's first message, sent again at each change: which of its replicas this is, and how many there are. */
export interface ServerTells {
  replica: string
  replicas: number
}
