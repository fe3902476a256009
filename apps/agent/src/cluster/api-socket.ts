import { connect } from 'node:net'
import type { StreamEvents, TunnelStream } from '@gantry/tunnel/streams'

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message

/** Connects a stream to its own connection to the API server, with backpressure in both directions. */
export function joinToApi({ hostname, port, protocol }: URL, stream: TunnelStream): StreamEvents {
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  })
  socket.on('data', (bytes: Buffer) => {
    if (!stream.write(bytes)) socket.pause()
  })
  socket.on('end', () => stream.end())
  socket.on('error', (error) => stream.reset(codeOf(error)))
  socket.on('close', () => stream.reset('ECONNRESET'))
  return {
    onData: (bytes) => void socket.write(bytes, () => stream.consumed(bytes.length)),
    onEnd: () => socket.end(),
    onReset: () => socket.destroy(),
    onDrain: () => socket.resume(),
  }
}
