import {
  creditOf,
  decodeFrame,
  encodeCredit,
  encodeFrame,
  type Frame,
  longestPayload,
  maxStreams,
  streamWindow,
} from './frames.ts'

/** The events of a stream. None follows `onReset`, nor the end of both sides. */
export interface StreamEvents {
  /** At most a window of bytes arrives before a call of `consumed`. */
  onData: (bytes: Uint8Array) => void
  /** The other side sends no more bytes. */
  onEnd: () => void
  onReset: (reason: string) => void
  /** The bytes that `write` had to keep are sent: there is room again. */
  onDrain: () => void
}

export interface TunnelStream {
  /** Keeps bytes for which the other side has no room yet; false: wait for `onDrain` before the next write. */
  write: (bytes: Uint8Array) => boolean
  /** Ends this side once all written bytes are sent. */
  end: () => void
  reset: (reason: string) => void
  /** The receiver has processed this many bytes. */
  consumed: (count: number) => void
}

/** The peer broke the protocol, which our own code never does: the connection must not be trusted any more. */
export class TunnelProtocolError extends Error {}

export interface Streams {
  /** Undefined if the maximum of streams is open. */
  open: (events: StreamEvents) => TunnelStream | undefined
  /** Processes a message of the other side; returns a `tell`, which concerns no stream. Throws TunnelProtocolError. */
  receive: (message: Uint8Array) => Frame | undefined
  /** The connection is closed: every stream gets `onReset`. */
  close: (reason: string) => void
  count: () => number
}

interface Options {
  /** Calls `sent` once the message has been sent, or the connection is closed. */
  send: (message: Uint8Array<ArrayBuffer>, sent: () => void) => void
  /** Handles streams that the other side opens. Without it, opening one breaks the protocol. */
  accept?: (stream: TunnelStream) => StreamEvents
  most?: number
}

interface Open {
  events: StreamEvents
  /** Bytes that the other side has room for. */
  room: number
  /** Written, but not sent for lack of room. */
  waiting: Uint8Array[]
  /** Bytes received and not yet consumed; and bytes consumed for which no credit was sent yet. */
  unread: number
  untold: number
  ending: boolean
  ended: boolean
  theyEnded: boolean
}

/** Credit is sent less often than bytes are read: a frame for every few kB would cost more than it moves. */
const tellFrom = streamWindow / 4
const longestReason = 200
/** Unsent bytes of all streams: beyond this, data waits, so that a slow connection holds no window per stream. */
const maxUnsent = 1024 * 1024

/** The streams of one connection, at either end. Holds no resource that has to be closed. */
export function openStreams({ send: sendOut, accept, most = maxStreams }: Options): Streams {
  const streams = new Map<number, Open>()
  let last = 0
  let over = false
  let unsent = 0

  const forget = (id: number, stream: Open) => streams.get(id) === stream && streams.delete(id)

  function send(message: Uint8Array<ArrayBuffer>): void {
    unsent += message.length
    sendOut(message, () => {
      const full = unsent >= maxUnsent
      unsent -= message.length
      if (full && unsent < maxUnsent) for (const [id, stream] of streams) goOn(id, stream)
    })
  }

  /** Continues a stream after room has become available. */
  function goOn(id: number, stream: Open): void {
    const stuck = stream.waiting.length > 0
    flush(id, stream)
    if (stuck && stream.waiting.length === 0) stream.events.onDrain()
  }

  function flush(id: number, stream: Open): void {
    for (let next = stream.waiting[0]; next && stream.room > 0 && unsent < maxUnsent; next = stream.waiting[0]) {
      const part = next.subarray(0, Math.min(stream.room, longestPayload))
      if (part.length === next.length) stream.waiting.shift()
      else stream.waiting[0] = next.subarray(part.length)
      stream.room -= part.length
      send(encodeFrame(id, 'data', part))
    }
    if (!stream.ending || stream.ended || stream.waiting.length > 0) return
    stream.ended = true
    send(encodeFrame(id, 'end'))
    if (stream.theyEnded) forget(id, stream)
  }

  function make(id: number, eventsOf: (stream: TunnelStream) => StreamEvents): TunnelStream {
    const isOpen = () => streams.get(id) === stream
    const handle: TunnelStream = {
      write: (bytes) => {
        if (!isOpen() || stream.ending || bytes.length === 0) return true
        stream.waiting.push(bytes)
        flush(id, stream)
        return stream.waiting.length === 0
      },
      end: () => {
        if (!isOpen()) return
        stream.ending = true
        flush(id, stream)
      },
      reset: (reason) => {
        if (!isOpen()) return
        forget(id, stream)
        send(encodeFrame(id, 'reset', new TextEncoder().encode(reason.slice(0, longestReason))))
      },
      consumed: (count) => {
        stream.unread -= count
        stream.untold += count
        if (!isOpen() || stream.theyEnded || stream.untold < tellFrom) return
        send(encodeCredit(id, stream.untold))
        stream.untold = 0
      },
    }
    const silent: StreamEvents = { onData: () => {}, onEnd: () => {}, onReset: () => {}, onDrain: () => {} }
    const stream: Open = {
      events: silent,
      room: streamWindow,
      waiting: [],
      unread: 0,
      untold: 0,
      ending: false,
      ended: false,
      theyEnded: false,
    }
    streams.set(id, stream)
    stream.events = eventsOf(handle)
    return handle
  }

  function opened(id: number): void {
    if (!accept || streams.has(id)) throw new TunnelProtocolError('a stream was opened that may not be')
    if (streams.size >= most) return send(encodeFrame(id, 'reset', new TextEncoder().encode('too many streams')))
    make(id, accept)
  }

  function obey(frame: Frame, stream: Open): void {
    const { stream: id, kind, payload } = frame
    const { events } = stream
    if (kind === 'data') {
      stream.unread += payload.length
      if (stream.theyEnded || stream.unread + stream.untold > streamWindow)
        throw new TunnelProtocolError('more came than there is room for')
      events.onData(payload)
    } else if (kind === 'end') {
      if (stream.theyEnded) throw new TunnelProtocolError('a stream ended twice')
      stream.theyEnded = true
      if (stream.ended) forget(id, stream)
      events.onEnd()
    } else if (kind === 'credit') {
      stream.room += creditOf(frame)
      if (stream.room > streamWindow) throw new TunnelProtocolError('more was read than was sent')
      goOn(id, stream)
    } else if (kind === 'reset') {
      forget(id, stream)
      events.onReset(new TextDecoder().decode(payload.subarray(0, longestReason)))
    }
  }

  return {
    open: (events) => {
      if (over || streams.size >= most) return undefined
      do last = (last + 1) % 0x1_0000_0000
      while (last === 0 || streams.has(last))
      send(encodeFrame(last, 'open'))
      return make(last, () => events)
    },
    receive: (message) => {
      if (over) return undefined
      const frame = decodeFrame(message)
      if (!frame) throw new TunnelProtocolError('a message that is no frame')
      if (frame.kind === 'tell') return frame
      if (frame.kind === 'open') {
        opened(frame.stream)
        return undefined
      }
      // The other side may still send frames of a stream that was reset here, until the reset reaches it.
      const stream = streams.get(frame.stream)
      if (stream) obey(frame, stream)
      return undefined
    },
    close: (reason) => {
      over = true
      const all = [...streams.values()]
      streams.clear()
      for (const { events } of all) events.onReset(reason)
    },
    count: () => streams.size,
  }
}
