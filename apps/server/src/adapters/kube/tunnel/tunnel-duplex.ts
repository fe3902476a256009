import { Duplex } from 'node:stream'
import type { StreamEvents, TunnelStream } from '@gantry/tunnel/streams'

const broken = (reason: string): Error =>
  Object.assign(new Error(`the agent's connection to the API server broke: ${reason}`), {
    code: /^E[A-Z]+$/.test(reason) ? reason : 'ECONNRESET',
  })

/** A stream of a tunnel as a Node socket, for TLS and HTTP. `open` returns undefined if the tunnel has no capacity. */
export function duplexOver(open: (events: StreamEvents) => TunnelStream | undefined): Duplex | undefined {
  /** Bytes that the reader has no room for; they are acknowledged only when it asks for more. */
  let unread = 0
  let drained: (() => void) | undefined
  const drain = () => {
    const go = drained
    drained = undefined
    go?.()
  }
  const stream = open({
    onData: (bytes) => {
      if (duplex.push(bytes)) stream?.consumed(bytes.length)
      else unread += bytes.length
    },
    onEnd: () => duplex.push(null),
    onReset: (reason) => duplex.destroy(broken(reason)),
    onDrain: drain,
  })
  if (!stream) return undefined
  const duplex = new Duplex({
    allowHalfOpen: true,
    read: () => {
      if (unread > 0) stream.consumed(unread)
      unread = 0
    },
    write: (bytes: Buffer, _encoding, done) => {
      if (stream.write(bytes)) done()
      else drained = done
    },
    final: (done) => {
      stream.end()
      done()
    },
    destroy: (error, done) => {
      stream.reset('ECONNRESET')
      drain()
      done(error)
    },
  })
  // the HTTP client calls these on its sockets; whether the process stays alive depends on the tunnel's websocket
  return Object.assign(duplex, { ref: () => duplex, unref: () => duplex })
}
