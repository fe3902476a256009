import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { Door } from './inside.ts'

/**
 * Runs inside a step's network for a moment: opens the sockets there on which the agent listens, and hands them to it.
 * A socket belongs to the network in which it was created, whoever holds it.
 */
const doors = JSON.parse(process.argv[2] ?? '[]') as Door[]
const fail = (cause: Error): never => {
  process.stderr.write(`${cause.message}\n`)
  process.exit(1)
}
for (const [index, { kind, address, port }] of doors.entries()) {
  if (kind === 'datagrams') {
    const socket = createSocket('udp4')
    socket.on('error', fail)
    socket.bind(port, address, () => process.send?.({ index }, socket))
  } else {
    const server = createServer()
    server.on('error', fail)
    server.listen(port, address, () => process.send?.({ index }, server))
  }
}
process.on('disconnect', () => process.exit(0))
