/** An address in a step's network on which the agent listens. */
export interface Opening {
  kind: 'stream' | 'datagrams'
  address: string
  port: number
}

/**
 * Runs briefly in a step's network: opens the sockets on which the agent listens there, and passes them to it. A socket
 * belongs to the network in which it was created, whoever holds it. The function is passed to a separate process as
 * text, because the agent may be a single file, so it uses nothing from outside itself.
 */
export function listenInside(doors: Opening[]): void {
  const { createSocket } = process.getBuiltinModule('node:dgram')
  const { createServer } = process.getBuiltinModule('node:net')
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
}
